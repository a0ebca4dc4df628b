"""
I must find nine of ten
=======================

A threshold for a recall, chosen on rows that the members of the forest had not seen, and the
stricter one that is guaranteed. Leaves of five rows and more, so that few rows are given exactly 0:
below a threshold of 0 there is nothing.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics, plotting

data = datasets.load("mammography")
train, test = slice(0, None, 2), slice(1, None, 2)
X = data.X.to_pandas()
X_train, y_train, X_test, y_test = X[train], data.y[train], X[test], data.y[test]

options = {"method": "random_forest", "criterion": "hellinger", "min_samples_leaf": 5, "random_state": 0}
model = imbcore.fit(X_train, y_train, threshold={"recall": 0.9}, **options)
for name, found in model.decision_["expected"].items():
    if found:
        print(f"{name:10} {found['value']:.3f}  [{found['low']:.3f}, {found['high']:.3f}]")

# %%
# On rows to come:

print(f"found: {metrics.recall_score(y_test, model.predict(X_test), pos_label=1):.3f}")

# %%
# An expected value is missed half of the time. With a guarantee the threshold is chosen on rows
# kept out of the fit, so that the recall to come is at least .8 with confidence .95. With 65
# positives to choose by, that takes a threshold at which more than .8 of them were found:

promise = {"recall": 0.8, "guarantee": 0.95, "guarantee_rows": 0.5}
sure = imbcore.fit(X_train, y_train, threshold=promise, **options)
for name, one in {"expected": model, "guaranteed": sure}.items():
    answers = one.predict(X_test)
    print(
        f"{name:10} found {metrics.recall_score(y_test, answers, pos_label=1):.3f}"
        f"   of 100 alarms right {100 * metrics.precision_score(y_test, answers, pos_label=1):.0f}"
    )

# %%
# All that this forest can do, and the two points:

scores = model.predict_proba(X_test)[:, 1]
ax = plotting.plot_precision_recall(y_test, scores)
for name, one in {"expected": model, "guaranteed": sure}.items():
    answers = one.predict(X_test)
    found = metrics.recall_score(y_test, answers, pos_label=1)
    ax.plot(found, metrics.precision_score(y_test, answers, pos_label=1), "o", ms=9, label=name)
ax.legend()
plt.show()

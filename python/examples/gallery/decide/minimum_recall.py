"""
Find nine of ten: a threshold for a recall
==========================================

A threshold that reaches a recall, chosen on out-of-bag predictions, and a stricter one with a
guarantee. Leaves have at least five rows, so that few rows have probability exactly 0, below which
there is no threshold.
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
# On new rows:

print(f"recall: {metrics.recall_score(y_test, model.predict(X_test), pos_label=1):.3f}")

# %%
# The recall of new rows is below its expected value about half of the time. With a guarantee, the
# threshold is chosen on held-out rows so that the recall is at least 0.8 with confidence 0.95. With 65
# held-out positives, this needs a threshold that finds more than 0.8 of them:

target = {"recall": 0.8, "guarantee": 0.95, "guarantee_rows": 0.5}
sure = imbcore.fit(X_train, y_train, threshold=target, **options)
for name, one in {"expected": model, "guaranteed": sure}.items():
    predicted = one.predict(X_test)
    print(
        f"{name:10} recall {metrics.recall_score(y_test, predicted, pos_label=1):.3f}"
        f"   correct of 100 alerts {100 * metrics.precision_score(y_test, predicted, pos_label=1):.0f}"
    )

# %%
# The precision-recall curve of this forest, and both thresholds:

scores = model.predict_proba(X_test)[:, 1]
ax = plotting.plot_precision_recall(y_test, scores)
for name, one in {"expected": model, "guaranteed": sure}.items():
    predicted = one.predict(X_test)
    found = metrics.recall_score(y_test, predicted, pos_label=1)
    ax.plot(found, metrics.precision_score(y_test, predicted, pos_label=1), "o", ms=9, label=name)
ax.legend()
plt.show()

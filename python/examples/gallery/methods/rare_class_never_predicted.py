"""
When the rare class is never predicted, and remedies
====================================================

The posterior of a rare class may be informative and still never exceed one half. ``diagnose`` detects
this before the first prediction.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics, plotting
from imbcore.bayes import Rebalanced, Tempered

data = datasets.load("yeast4")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
plain = imbcore.FullBayesClassifier().fit(X[train], data.y[train])
for message in plain.diagnose()["messages"]:
    print("-", message)

# %%
variants = {
    "unchanged": {},
    "class always has arcs": {"require_class_arc": True},
    "rectified, threshold at the prior": {"rectify": Tempered(phi=0.5), "threshold": "prior"},
    "rebalanced prior": {"prior": Rebalanced(weight="n"), "require_class_arc": True},
    "threshold for F1": {"threshold": "f1", "require_class_arc": True},
}
for name, options in variants.items():
    model = imbcore.FullBayesClassifier(random_state=0, **options).fit(X[train], data.y[train])
    predicted = model.predict(X[test])
    found = metrics.f1_score(data.y[test], predicted, pos_label=1)
    print(f"{name:34} predicted {(predicted == 1).sum():3} times, F1 {found:.2f}")

# %%
# The probabilities rank well; only the class is never predicted.

ax = plotting.plot_precision_recall(data.y[test], plain.predict_proba(X[test])[:, 1])
plt.show()

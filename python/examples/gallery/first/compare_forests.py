"""
Compare a forest with alternatives
==================================

Five folds, the same for all methods, and confidence intervals that take the overlap of training
sets into account.
"""

import matplotlib.pyplot as plt
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

import imbcore
from imbcore import datasets, plotting

data = datasets.load("yeast4")  # 51 of 1,484 proteins
result = imbcore.evaluate(
    data.X,
    data.y,
    {
        "Hellinger forest": ("random_forest", {"criterion": "hellinger", "min_samples_leaf": 2}),
        "balanced forest": "balanced_random_forest",
        "one tree": "cart",
        "scikit-learn's forest": RandomForestClassifier(random_state=0),
        "boosting": HistGradientBoostingClassifier(random_state=0),
    },
    folds=5,
    repeats=2,
    random_state=0,
)
print(result)

# %%
# Precision and recall of the predictions for held-out rows:

probabilities = {name: one.proba[:, 1] for name, one in result.items()}
truth = {name: one.y for name, one in result.items()}["one tree"]
ax = plotting.plot_precision_recall(truth, probabilities)
plt.show()

"""
Learn from positive and unlabeled rows
======================================

Only 40 % of the positives are labeled; the others are among the negatives. This hardly affects the
ranking, but probabilities are too small by a factor, which can be estimated from the labeled rows.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, metrics, plotting
from imbcore.decisions import PUClassifier

data = datasets.load("page-blocks0")
X, truth = data.X.to_pandas(), data.y == 1
labeled = truth & (np.random.default_rng(0).random(len(truth)) < 0.4)
train, test = slice(0, None, 2), slice(1, None, 2)

forest = imbcore.RandomForestClassifier(min_samples_leaf=5, random_state=0)
naive = forest.fit(X[train], labeled[train]).predict_proba(X[test])[:, 1]
found = PUClassifier(forest, random_state=0).fit(X[train], labeled[train])
corrected = found.predict_proba(X[test])[:, 1]
print(f"labeling probability: {found.label_frequency_:.2f} estimated, 0.40 true")
for name, scores in {"labels as given": naive, "corrected": corrected}.items():
    brier = metrics.brier_score_loss(truth[test], scores)
    ranked = metrics.average_precision_score(truth[test], scores)
    print(f"{name:23} mean {scores.mean():.3f}   Brier score {brier:.3f}   average precision {ranked:.3f}")
print(f"{'proportion of positives':23} mean {truth[test].mean():.3f}")

# %%

ax = plotting.plot_calibration(truth[test], {"labels as given": naive, "corrected": corrected})
plt.show()

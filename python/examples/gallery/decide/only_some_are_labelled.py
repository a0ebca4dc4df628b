"""
When negatives are only unlabelled
==================================

Two in five of the positives were reported; the others stand among the negatives. Ranking hardly
minds, and probabilities are too small by one factor that labelled rows tell.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, metrics, plotting
from imbcore.decisions import PUClassifier

data = datasets.load("page-blocks0")
X, truth = data.X.to_pandas(), data.y == 1
reported = truth & (np.random.default_rng(0).random(len(truth)) < 0.4)
train, test = slice(0, None, 2), slice(1, None, 2)

forest = imbcore.RandomForestClassifier(min_samples_leaf=5, random_state=0)
naive = forest.fit(X[train], reported[train]).predict_proba(X[test])[:, 1]
found = PUClassifier(forest, random_state=0).fit(X[train], reported[train])
mended = found.predict_proba(X[test])[:, 1]
print(f"reported of the positives: {found.label_frequency_:.2f} estimated, 0.40 true")
for name, scores in {"labels as they are": naive, "mended": mended}.items():
    brier = metrics.brier_score_loss(truth[test], scores)
    ranked = metrics.average_precision_score(truth[test], scores)
    print(f"{name:19} mean {scores.mean():.3f}   Brier score {brier:.3f}   average precision {ranked:.3f}")
print(f"{'share of positives':19} mean {truth[test].mean():.3f}")

# %%

ax = plotting.plot_calibration(truth[test], {"labels as they are": naive, "mended": mended})
plt.show()

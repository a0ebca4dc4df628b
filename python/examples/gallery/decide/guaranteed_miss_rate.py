"""
Miss at most one in ten: guarantees for the rare class
======================================================

Prediction sets that contain the right class "for 90 % of rows" may miss most rare rows and still
reach 90 %. Here the guarantee holds for each class separately.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets
from imbcore.decisions import ConformalClassifier

data = datasets.load("satimage4")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
forest = imbcore.RandomForestClassifier(random_state=0)
model = ConformalClassifier(forest, alpha=0.1, abstain=-1, random_state=0).fit(X[train], data.y[train])

sets = model.predict_set(X[test])
truth = data.y[test]
for k in (0, 1):
    covered = sets[truth == k, k].mean()
    print(f"class {k}: in its set {covered:.3f}, calibrated on {model.n_calibration_[k]} rows")
print(f"rows left to manual review: {np.mean(model.predict(X[test]) == -1):.3f}")

# %%
# Alternatively one prediction per row that misses at most a tenth of the rare class, with as few
# alerts as possible:

careful = ConformalClassifier(forest, miss=0.1, random_state=0).fit(X[train], data.y[train])
predicted = careful.predict(X[test])
print(f"missed: {np.mean(predicted[truth == 1] != 1):.3f}   alerts: {np.mean(predicted == 1):.3f} of rows")

# %%
# The threshold of this guarantee, and the probabilities of both classes:

scores = model.predict_proba(X[test])[:, 1]
fig, ax = plt.subplots()
for k, color in ((0, "C0"), (1, "C3")):
    ax.hist(scores[truth == k], bins=40, range=(0, 1), alpha=0.6, color=color, label=f"class {k}", log=True)
ax.axvline(careful.threshold_, color="black", ls="--", label="threshold that misses at most a tenth")
ax.set(xlabel="probability of the rare class", ylabel="rows")
ax.legend()
plt.show()

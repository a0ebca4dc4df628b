"""
At most one in ten is missed: guarantees for the rare class
===========================================================

Sets that hold the right class "in 90 % of rows" may miss most of the rare ones, and still be right
about 90 %. Here the promise is kept class by class.
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
print(f"rows that are left to people: {np.mean(model.predict(X[test]) == -1):.3f}")

# %%
# Or one answer a row, of which at most a tenth of the rare class is missed, with as few alarms as
# that allows:

careful = ConformalClassifier(forest, miss=0.1, random_state=0).fit(X[train], data.y[train])
answers = careful.predict(X[test])
print(f"missed: {np.mean(answers[truth == 1] != 1):.3f}   alarms: {np.mean(answers == 1):.3f} of rows")

# %%
# What either promise means for the probabilities of the forest: where they must lie to count as usual.

scores = model.predict_proba(X[test])[:, 1]
fig, ax = plt.subplots()
for k, color in ((0, "C0"), (1, "C3")):
    ax.hist(scores[truth == k], bins=40, range=(0, 1), alpha=0.6, color=color, label=f"class {k}", log=True)
ax.axvline(careful.threshold_, color="black", ls="--", label="at most a tenth is missed from here on")
ax.set(xlabel="probability of the rare class", ylabel="rows")
ax.legend()
plt.show()

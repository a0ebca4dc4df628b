"""
Evaluate forward in time
========================

With random folds a model trains on rows that are later than its test rows. The bank calls of this
data set are in chronological order, and the campaign drifts.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets

data = datasets.load("campaign")
X = data.X.to_pandas().iloc[::4]
y = data.y[::4]
order = np.arange(len(y))
options = {"method": "random_forest", "n_estimators": 50, "min_samples_leaf": 5, "random_state": 0}
shuffled = imbcore.evaluate(X, y, folds=4, **options)
forward = imbcore.evaluate(X, y, time=order, time_gap=100, folds=4, **options)
for name, result in {"random folds": shuffled, "forward": forward}.items():
    parts = [round(float(part), 2) for part in result.metrics["average_precision"]]
    print(f"{name:13} average precision {result.mean()['average_precision']:.3f}  folds {parts}")

# %%
# The proportion of positives in each test fold, and the mean predicted probability:

for fold in range(forward.folds):
    part = forward.fold == fold
    observed, predicted = forward.y[part].mean(), forward.proba[part, 1].mean()
    print(f"fold {fold}: {observed:.3f} observed, {predicted:.3f} predicted")

# %%

fig, ax = plt.subplots()
for name, result in {"random folds": shuffled, "forward": forward}.items():
    ax.plot(range(1, 5), result.metrics["average_precision"], "o-", label=name)
ax.set(xlabel="fold", ylabel="average precision", xticks=range(1, 5))
ax.legend()
plt.show()

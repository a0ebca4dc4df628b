"""
Tested on tomorrow, not on yesterday
====================================

Folds drawn at random let a model learn from rows after those it is asked about. Bank calls come in
the order of their dates, and the campaign drifts.
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
    print(f"{name:13} average precision {result.mean()['average_precision']:.3f}  parts {parts}")

# %%
# The share of positives in each part that was tested forward, and what the model said it would be:

for fold in range(forward.folds):
    part = forward.fold == fold
    were, said = forward.y[part].mean(), forward.proba[part, 1].mean()
    print(f"part {fold}: {were:.3f} were positive, {said:.3f} was said")

# %%

fig, ax = plt.subplots()
for name, result in {"random folds": shuffled, "forward": forward}.items():
    ax.plot(range(1, 5), result.metrics["average_precision"], "o-", label=name)
ax.set(xlabel="part", ylabel="average precision", xticks=range(1, 5))
ax.legend()
plt.show()

"""
Why not accuracy
================

Six in a hundred customers buy a caravan policy. "Nobody will" is right for 94 in a hundred, and
worth nothing.
"""

import matplotlib.pyplot as plt
import pandas as pd

import imbcore
from imbcore import datasets, metrics

data = datasets.load("coil2000")
result = imbcore.evaluate(
    data.X, data.y, {"tree": "c45", "forest": "balanced_random_forest"}, folds=5, random_state=0
)
print(f"never a buyer: {1 - data.y.mean():.3f}")
for name, one in result.items():
    mean = one.mean()
    print(f"{name:7} accuracy {mean['accuracy']:.3f}   average precision {mean['average_precision']:.3f}")

# %%
# Average precision of guessing is the share of buyers, .06. What a mailing to the best thousand finds:

forest = result["forest"]
scores = forest.proba[:, 1]
print(f"bought among the first 1,000: {metrics.precision_at_k(forest.y, scores, 1000):.3f}")
print(f"buyers among them:            {metrics.recall_at_k(forest.y, scores, 1000):.3f}")

# %%
# The same at ten depths:

table = metrics.gain_table(forest.y, scores)
print(pd.DataFrame(table._asdict()).round(3))

# %%
# Mail to a tenth, and reach three in ten; the diagonal is a mailing by chance.

fig, ax = plt.subplots()
mailed = table.rows.cumsum() / table.rows.sum()
ax.plot([0, *mailed], [0, *table.gain], "o-")
ax.plot([0, 1], [0, 1], ":", color="gray")
ax.set(xlabel="share of customers", ylabel="share of buyers among them")
plt.show()

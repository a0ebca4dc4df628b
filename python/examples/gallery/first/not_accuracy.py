"""
Why not accuracy
================

Six percent of the customers buy a caravan policy. Always predicting "no" has an accuracy of 94 %
and is worthless.
"""

import matplotlib.pyplot as plt
import pandas as pd

import imbcore
from imbcore import datasets, metrics

data = datasets.load("coil2000")
result = imbcore.evaluate(
    data.X, data.y, {"tree": "c45", "forest": "balanced_random_forest"}, folds=5, random_state=0
)
print(f"accuracy of always no: {1 - data.y.mean():.3f}")
for name, one in result.items():
    mean = one.mean()
    print(f"{name:7} accuracy {mean['accuracy']:.3f}   average precision {mean['average_precision']:.3f}")

# %%
# Random guessing has an average precision of 0.06, the proportion of buyers. A mailing to the best
# thousand customers:

forest = result["forest"]
scores = forest.proba[:, 1]
print(f"precision of the first 1,000: {metrics.precision_at_k(forest.y, scores, 1000):.3f}")
print(f"recall of the first 1,000:    {metrics.recall_at_k(forest.y, scores, 1000):.3f}")

# %%
# The same for every tenth of the customers:

table = metrics.gain_table(forest.y, scores)
print(pd.DataFrame(table._asdict()).round(3))

# %%
# A mailing to 10 % of the customers reaches 30 % of the buyers; the diagonal is a random mailing.

fig, ax = plt.subplots()
mailed = table.rows.cumsum() / table.rows.sum()
ax.plot([0, *mailed], [0, *table.gain], "o-")
ax.plot([0, 1], [0, 1], ":", color="gray")
ax.set(xlabel="proportion of customers", ylabel="proportion of buyers reached")
plt.show()

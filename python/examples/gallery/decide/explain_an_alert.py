"""
Explain an alert
================

Exact Shapley values of a forest, as text and as a plot: the contribution of every feature to the
probability.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets

data = datasets.load("mammography")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
forest = imbcore.fit(
    X[train], data.y[train], "random_forest", criterion="hellinger", min_samples_leaf=3, random_state=0
)
scores = forest.predict_proba(X[test])[:, 1]
top = np.argsort(-scores)[:3]
found = forest.explain(X[test].iloc[top])
print(found.to_text(top=3))

# %%
# The base value (the mean prediction for the training rows) and the contributions sum to the
# predicted probability:

print(found.base_value, found.values.sum(axis=1) + found.base_value)

# %%
names = list(X.columns)
row = np.argsort(found.values[0])
fig, ax = plt.subplots(figsize=(7, 3))
ax.barh([names[j] for j in row], found.values[0][row], color=np.where(found.values[0][row] > 0, "C3", "C0"))
ax.set_xlabel("contribution to the probability of malignancy")
fig.tight_layout()
plt.show()

# %%
# The same relative to 200 benign spots instead of the training set:

benign = X[train][data.y[train] == 0].iloc[:200]
print(forest.explain(X[test].iloc[top], background=benign).to_text(top=2))

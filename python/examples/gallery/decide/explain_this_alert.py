"""
Explain this alert
==================

Exact Shapley values of a forest, in words and as a picture: what every feature added to the
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
# They add up to what the trees say, to the last digit, from the share of the training rows up:

print(found.base_value, found.values.sum(axis=1) + found.base_value)

# %%
names = list(X.columns)
row = np.argsort(found.values[0])
fig, ax = plt.subplots(figsize=(7, 3))
ax.barh([names[j] for j in row], found.values[0][row], color=np.where(found.values[0][row] > 0, "C3", "C0"))
ax.set_xlabel("adds to the probability of being malignant")
fig.tight_layout()
plt.show()

# %%
# Beside 200 harmless spots in place of the whole training set:

calm = X[train][data.y[train] == 0].iloc[:200]
print(forest.explain(X[test].iloc[top], background=calm).to_text(top=2))

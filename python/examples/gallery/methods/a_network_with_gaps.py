"""
Rows with gaps: a network sums them out
=======================================

Paper 5: soybean diseases, a tenth of the values missing as they come. What is unknown is summed out
exactly, in training and in answers.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, metrics, plotting

data = datasets.load("soybean1")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
tan = imbcore.TANClassifier().fit(X[train], data.y[train])
holes = np.random.default_rng(0)
for share in (0.0, 0.3, 0.6, 0.9):
    asked = X[test].mask(holes.random(X[test].shape) < share)
    found = metrics.average_precision_score(data.y[test], tan.predict_proba(asked)[:, 1])
    print(f"{share:.0%} taken away: average precision {found:.3f}")

# %%
# What speaks for the disease, in log-odds, of one plant:

print(tan.model_.explain(X[test].iloc[:1]).to_text(top=5))

# %%
fig, ax = plt.subplots(figsize=(10, 7))
plotting.plot_network(tan.network_, ax=ax, around="class", fontsize=7)
plt.show()

"""
Missing values in Bayesian networks
===================================

Paper 5: soybean diseases, with a tenth of the values missing. The network marginalizes missing
values exactly, in training and in prediction.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, metrics, plotting

data = datasets.load("soybean1")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
tan = imbcore.TANClassifier().fit(X[train], data.y[train])
rng = np.random.default_rng(0)
for fraction in (0.0, 0.3, 0.6, 0.9):
    test_rows = X[test].mask(rng.random(X[test].shape) < fraction)
    found = metrics.average_precision_score(data.y[test], tan.predict_proba(test_rows)[:, 1])
    print(f"{fraction:.0%} removed: average precision {found:.3f}")

# %%
# Evidence for the disease of one plant, in log-odds:

print(tan.model_.explain(X[test].iloc[:1]).to_text(top=5))

# %%
fig, ax = plt.subplots(figsize=(10, 7))
plotting.plot_network(tan.network_, ax=ax, around="class", fontsize=7)
plt.show()

"""
Rows that belong together
=========================

Several rows of one patient in training and in the test ask about somebody who is known already.
Every row of a small set here is three rows with a little noise, as three scans of one lump would
be.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, plotting

data = datasets.load("breast")
rng = np.random.default_rng(0)
X = np.repeat(data.X.to_pandas().to_numpy(), 3, axis=0)
X = X * rng.normal(1, 0.005, X.shape)
y = np.repeat(rng.permutation(data.y), 3)  # labels without any relation to the rows
patient = np.repeat(np.arange(len(data.y)), 3)

apart = imbcore.evaluate(X, y, "random_forest", folds=5, random_state=0)
together = imbcore.evaluate(X, y, "random_forest", groups=patient, folds=5, random_state=0)
print(f"rows drawn one by one: AUC {apart.mean()['roc_auc']:.2f}, of labels that nothing predicts")
print(f"patients kept whole:   AUC {together.mean()['roc_auc']:.2f}")

# %%

fig, axes = plt.subplots(1, 2, figsize=(10, 5))
for ax, (title, result) in zip(
    axes, {"drawn one by one": apart, "kept whole": together}.items(), strict=True
):
    plotting.plot_roc(result.y, result.proba[:, 1], ax=ax)
    ax.set_title(title)
plt.show()

"""
Keep groups of rows together
============================

If rows of one patient are in both the training and the test set, the model is tested on patients
that it has seen. Here every row of a small data set is repeated three times with a little noise,
like three scans of one tumor.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, plotting

data = datasets.load("breast")
rng = np.random.default_rng(0)
X = np.repeat(data.X.to_pandas().to_numpy(), 3, axis=0)
X = X * rng.normal(1, 0.005, X.shape)
y = np.repeat(rng.permutation(data.y), 3)  # random labels, unrelated to the rows
patient = np.repeat(np.arange(len(data.y)), 3)

at_random = imbcore.evaluate(X, y, "random_forest", folds=5, random_state=0)
grouped = imbcore.evaluate(X, y, "random_forest", groups=patient, folds=5, random_state=0)
print(f"rows split at random: AUC {at_random.mean()['roc_auc']:.2f}, although the labels are random")
print(f"patients kept together: AUC {grouped.mean()['roc_auc']:.2f}")

# %%

fig, axes = plt.subplots(1, 2, figsize=(10, 5))
for ax, (title, result) in zip(
    axes, {"rows split at random": at_random, "patients kept together": grouped}.items(), strict=True
):
    plotting.plot_roc(result.y, result.proba[:, 1], ax=ax)
    ax.set_title(title)
plt.show()

"""
The effect of samplers on the rows
==================================

Kept, removed and added rows, and the base rows of the added ones.
"""

import matplotlib.pyplot as plt

from imbcore import datasets, plotting, sampling

X, y = datasets.make_disjunct_grid(400, minority_fraction=0.15, overlap=2, random_state=0)
samplers = [
    sampling.RandomUnderSampler(random_state=0),
    sampling.SMOTE(random_state=0),
    sampling.BorderlineSMOTE(random_state=0),
    sampling.ADASYN(random_state=0),
    sampling.TomekLinks(),
    sampling.CondensedNearestNeighbour(random_state=0),
]
fig, axes = plt.subplots(2, 3, figsize=(15, 10))
for ax, sampler in zip(axes.flat, samplers, strict=True):
    plotting.plot_resampling(sampler, X, y, ax=ax)
    ax.set_title(type(sampler).__name__)
fig.tight_layout()
plt.show()

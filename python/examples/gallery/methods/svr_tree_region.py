"""
One compact region instead of slivers
=====================================

Paper 3: ten rare points in a square, and common points everywhere. A weighted tree puts slivers
around single points; an SVR-Tree penalizes surface and predicts a block.
"""

import matplotlib.pyplot as plt
import numpy as np

from imbcore import CARTClassifier, SVRTreeClassifier, plotting

rng = np.random.default_rng(3)
common, rare = rng.random((320, 2)), 0.25 + 0.5 * rng.random((10, 2))
X = np.vstack([common, rare])
y = np.repeat([0, 1], [320, 10])

fig, axes = plt.subplots(1, 2, figsize=(11, 5))
models = {
    "CART, weighted": CARTClassifier(class_weight={0: 1, 1: 32}, random_state=0),
    "SVR-Tree": SVRTreeClassifier(),
}
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(X, y)
    plotting.plot_decision_set(model, (0, 1), X=X, y=y, ax=ax)
    ax.set_title(name)
plt.show()

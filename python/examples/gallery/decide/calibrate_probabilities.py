"""
Calibrated probabilities
========================

Class weights make a forest predict as if the classes were equally frequent. ``calibrate`` corrects
the probabilities with the out-of-bag predictions, which need neither held-out rows nor a second
fit.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics, plotting

data = datasets.load("page-blocks0")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
options = {"method": "random_forest", "max_depth": 5, "class_weight": "balanced", "random_state": 0}
models = {
    "weighted": imbcore.fit(X[train], data.y[train], **options),
    "calibrated": imbcore.fit(X[train], data.y[train], calibrate="beta", **options),
}
probabilities = {name: model.predict_proba(X[test]) for name, model in models.items()}
for name, proba in probabilities.items():
    print(f"{name:10} log loss {metrics.log_loss(data.y[test], proba):.3f}   mean {proba[:, 1].mean():.3f}")
print(f"{'':10} proportion of positives {data.y[test].mean():.3f}")

# %%
plotting.plot_calibration(data.y[test], probabilities)
plt.show()

# %%
# ``"venn_abers"`` gives wide intervals to rows with few similar rows:

model = imbcore.fit(X[train], data.y[train], "random_forest", calibrate="venn_abers", random_state=0)
low, high = model.predict_proba_interval(X[test].iloc[:5])
print(low[:, 1].round(3), high[:, 1].round(3))

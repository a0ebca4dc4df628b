"""
Probabilities one can trust
===========================

Weights teach a forest that classes are equally frequent, and its probabilities say so.
``calibrate`` puts them right by what the members said of rows they had not seen: no row and no
second fit is lost.
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
said = {name: model.predict_proba(X[test]) for name, model in models.items()}
for name, proba in said.items():
    print(f"{name:10} log loss {metrics.log_loss(data.y[test], proba):.3f}   mean {proba[:, 1].mean():.3f}")
print(f"{'':10} share of positives     {data.y[test].mean():.3f}")

# %%
plotting.plot_calibration(data.y[test], said)
plt.show()

# %%
# Rows that are like few others get wide intervals from ``"venn_abers"``:

model = imbcore.fit(X[train], data.y[train], "random_forest", calibrate="venn_abers", random_state=0)
low, high = model.predict_proba_interval(X[test].iloc[:5])
print(low[:, 1].round(3), high[:, 1].round(3))

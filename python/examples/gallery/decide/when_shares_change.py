"""
When the rare class becomes frequent
====================================

Before a holiday one in three is a fraud, where it was one in ten. Rows look as before; every
probability is wrong by a factor, which can be found without a single label.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, metrics, plotting

data = datasets.load("satimage4")
X = data.X.to_pandas()
train = np.arange(0, len(data.y), 2)
rest = np.arange(1, len(data.y), 2)
rng = np.random.default_rng(0)
rare = rest[data.y[rest] == 1]
holiday = np.concatenate([rare, rng.choice(rest[data.y[rest] == 0], 2 * len(rare), replace=False)])

model = imbcore.fit(
    X.iloc[train], data.y[train], "random_forest", oob_score=True, calibrate="beta", random_state=0
)
adapted = model.adapt(X.iloc[holiday])
found = adapted.decision_["adapted"]
print(f"positives in training {data.y[train].mean():.3f}, now {data.y[holiday].mean():.3f}")
print(f"found without labels  {found['prior'][1]:.3f} [{found['low'][1]:.3f}, {found['high'][1]:.3f}]")

# %%
for name, one in {"as it was": model, "adapted": adapted}.items():
    proba, answers = one.predict_proba(X.iloc[holiday]), one.predict(X.iloc[holiday])
    print(
        f"{name:9} log loss {metrics.log_loss(data.y[holiday], proba):.3f}"
        f"   F1 {metrics.f1_score(data.y[holiday], answers, pos_label=1):.3f}"
    )

# %%

said = {"as it was": model.predict_proba(X.iloc[holiday]), "adapted": adapted.predict_proba(X.iloc[holiday])}
plotting.plot_calibration(data.y[holiday], said)
plt.show()

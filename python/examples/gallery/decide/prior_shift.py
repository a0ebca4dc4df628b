"""
When the class priors change
============================

Before a holiday one transaction in three is a fraud, instead of one in ten. The rows of each class
look the same, so every probability is wrong by a factor, which can be estimated without labels.
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
adapted = model.correct_prior(X.iloc[holiday])
found = adapted.decision_["adapted"]
print(f"positives in training {data.y[train].mean():.3f}, now {data.y[holiday].mean():.3f}")
print(f"estimated           {found['prior'][1]:.3f} [{found['low'][1]:.3f}, {found['high'][1]:.3f}]")

# %%
for name, one in {"unchanged": model, "adapted": adapted}.items():
    proba, predicted = one.predict_proba(X.iloc[holiday]), one.predict(X.iloc[holiday])
    print(
        f"{name:9} log loss {metrics.log_loss(data.y[holiday], proba):.3f}"
        f"   F1 {metrics.f1_score(data.y[holiday], predicted, pos_label=1):.3f}"
    )

# %%

probabilities = {
    "unchanged": model.predict_proba(X.iloc[holiday]),
    "adapted": adapted.predict_proba(X.iloc[holiday]),
}
plotting.plot_calibration(data.y[holiday], probabilities)
plt.show()

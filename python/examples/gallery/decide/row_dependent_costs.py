"""
Costs that depend on the row
============================

A missed fraud costs its amount; checking an alert costs 5, regardless of the amount. The payments
are simulated, because real ones with amounts may not be published.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import metrics

rng = np.random.default_rng(0)
n = 20_000
table = {
    "amount": np.round(np.exp(rng.normal(3.5, 1.2, n)), 2),
    "abroad": rng.random(n) < 0.1,
    "hour": rng.integers(0, 24, n),
}
risk = -5.5 + 2.2 * table["abroad"] + 0.6 * np.log1p(table["amount"] / 60) + 0.9 * (table["hour"] < 5)
fraud = (rng.random(n) < 1 / (1 + np.exp(-risk))).astype(int)
print(f"frauds: {fraud.mean():.3%}")

half = n // 2
train = {name: column[:half] for name, column in table.items()}
new = {name: column[half:] for name, column in table.items()}
costs = {"alarm": 5, "hit": 5, "miss": "amount"}
options = {"method": "random_forest", "min_samples_leaf": 5, "calibrate": "beta", "random_state": 0}
by_amount = imbcore.fit(train, fraud[:half], costs=costs, **options)
by_mean = imbcore.fit(train, fraud[:half], cost_matrix=[[0, 5], [new["amount"].mean(), 5]], **options)
most_probable = imbcore.fit(train, fraud[:half], **options)

# %%
# The total cost of each model, and its savings relative to the cheaper of no alerts and all alerts:

cells = np.zeros((n - half, 2, 2))
cells[:, 0, 1] = cells[:, 1, 1] = 5
cells[:, 1, 0] = new["amount"]
for name, model in {"most probable": most_probable, "mean amount": by_mean, "row amounts": by_amount}.items():
    predicted = model.predict(new)
    total = metrics.total_cost(fraud[half:], predicted, cells)
    saved = metrics.savings_score(fraud[half:], predicted, cells)
    print(f"{name:14} alerts {(predicted == 1).sum():5}  cost {total:8.0f}  savings {saved:.2f}")

# %%
# At equal risk, only large payments are alerts:

alert = by_amount.predict(new) == 1
risks = by_amount.predict_proba(new)[:, 1]
fig, ax = plt.subplots()
ax.scatter(new["amount"][~alert], risks[~alert], s=4, color="C0", label="no alert")
ax.scatter(new["amount"][alert], risks[alert], s=8, color="C3", label="alert")
ax.set(xscale="log", yscale="log", ylim=(1e-4, 1), xlabel="amount", ylabel="probability of fraud")
ax.legend()
plt.show()

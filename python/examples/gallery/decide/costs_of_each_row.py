"""
Each row its own costs
======================

A stolen card costs what is charged to it; looking into an alarm costs five, whatever the amount.
The payments here are drawn: real ones with amounts may not be given away.
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
# What each of them costs, and what is saved of letting all pass or looking into all, whichever is
# cheaper:

cells = np.zeros((n - half, 2, 2))
cells[:, 0, 1] = cells[:, 1, 1] = 5
cells[:, 1, 0] = new["amount"]
for name, model in {"most probable": most_probable, "by a mean": by_mean, "by its amount": by_amount}.items():
    answers = model.predict(new)
    paid = metrics.total_cost(fraud[half:], answers, cells)
    saved = metrics.savings_score(fraud[half:], answers, cells)
    print(f"{name:14} alarms {(answers == 1).sum():5}  paid {paid:8.0f}  saved {saved:.2f}")

# %%
# A small payment is let pass at a risk at which a large one is looked into:

alarm = by_amount.predict(new) == 1
risks = by_amount.predict_proba(new)[:, 1]
fig, ax = plt.subplots()
ax.scatter(new["amount"][~alarm], risks[~alarm], s=4, color="C0", label="let pass")
ax.scatter(new["amount"][alarm], risks[alarm], s=8, color="C3", label="looked into")
ax.set(xscale="log", yscale="log", ylim=(1e-4, 1), xlabel="amount", ylabel="probability of fraud")
ax.legend()
plt.show()

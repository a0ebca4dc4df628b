"""
An alert budget: two hundred calls a day
========================================

Four employees can make fifty calls each, and the bank has 4,000 customers. Which customers should
they call?
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics

data = datasets.load("campaign")  # 11 % of the called customers opened a deposit
X = data.X.to_pandas()
budget = {"alerts": 200, "per": 4000}
train, test = slice(0, None, 2), slice(1, None, 2)
model = imbcore.fit(
    X[train],
    data.y[train],
    "random_forest",
    min_samples_leaf=5,
    threshold=budget,
    random_state=0,
)
predicted = model.predict(X[test])
print(f"calls among 4,000:   {4000 * (predicted == 1).mean():.0f}")
print(f"recall of deposits:  {metrics.recall_score(data.y[test], predicted, pos_label=1):.3f}")
print(f"precision of calls:  {metrics.precision_score(data.y[test], predicted, pos_label=1):.3f}")

# %%
# The effect of more employees:

scores = model.predict_proba(X[test])[:, 1]
for employees in (2, 4, 8, 16):
    _, expected = metrics.threshold_for(data.y[test], scores, {"alerts": 50 * employees, "per": 4000})
    found, right = expected["recall"]["value"], expected["precision"]["value"]
    print(f"{employees:2} employees: recall {found:.3f}, precision {right:.3f}")

# %%

calls = metrics.gain_table(data.y[test], scores, n_bins=40)
fig, ax = plt.subplots()
ax.plot(4000 * calls.rows.cumsum() / calls.rows.sum(), calls.gain)
ax.axvline(200, ls="--", color="gray")
ax.set(xlabel="calls among 4,000 customers", ylabel="recall of deposits")
plt.show()

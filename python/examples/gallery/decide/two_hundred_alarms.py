"""
I may make two hundred calls a day
==================================

Four people make fifty calls each, and the bank has 4,000 customers to call. Whom?
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics

data = datasets.load("campaign")  # 11 % of those who were called opened a deposit
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
answers = model.predict(X[test])
print(f"calls among 4,000:   {4000 * (answers == 1).mean():.0f}")
print(f"of the deposits:     {metrics.recall_score(data.y[test], answers, pos_label=1):.3f}")
print(f"calls that paid off: {metrics.precision_score(data.y[test], answers, pos_label=1):.3f}")

# %%
# What more people would find:

scores = model.predict_proba(X[test])[:, 1]
for people in (2, 4, 8, 16):
    _, expected = metrics.threshold_for(data.y[test], scores, {"alerts": 50 * people, "per": 4000})
    found, right = expected["recall"]["value"], expected["precision"]["value"]
    print(f"{people:2} people: {found:.3f} of the deposits, {right:.3f} of the calls")

# %%

calls = metrics.gain_table(data.y[test], scores, n_bins=40)
fig, ax = plt.subplots()
ax.plot(4000 * calls.rows.cumsum() / calls.rows.sum(), calls.gain)
ax.axvline(200, ls="--", color="gray")
ax.set(xlabel="calls among 4,000 customers", ylabel="share of the deposits")
plt.show()

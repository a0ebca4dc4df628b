"""
Misclassification costs
=======================

In the diagnosis of thyroid disease, a miss costs twenty times as much as a false alert: another
test for a healthy patient is a nuisance, sending an ill one home is worse.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics

data = datasets.load("sick")
X = data.X.to_pandas().drop(columns="TBG")  # never measured
cost_matrix = [[0, 1], [20, 0]]  # rows: true class; columns: predicted class
result = imbcore.evaluate(
    X,
    data.y,
    {
        "most probable": ("random_forest", {"cost_matrix": None}),
        "cheapest": "random_forest",
        "cheapest, calibrated": ("random_forest", {"calibrate": "beta"}),
        "one tree": ("hddt", {"max_depth": 6}),
    },
    cost_matrix=cost_matrix,
    folds=5,
    random_state=0,
)
for name, one in result.items():
    cost = metrics.cost_score(one.y, one.predicted, cost_matrix)
    print(f"{name:21} mean cost per patient {cost:.3f}   recall {one.mean()['recall']:.3f}")

# %%
# If the cost ratio is unknown: the expected loss of the best threshold at every ratio.

forest = result["cheapest"]
fraction, loss = metrics.brier_curve(forest.y, forest.proba[:, 1])
fig, ax = plt.subplots()
ax.plot(fraction, loss)
ax.set(xlabel="cost of a false alert / sum of both costs", ylabel="loss", ylim=(0, None))
plt.show()

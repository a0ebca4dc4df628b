"""
A miss costs twenty false alarms
================================

Thyroid disease: sending a healthy patient to another test is a nuisance, sending an ill one home is
worse.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics

data = datasets.load("sick")
X = data.X.to_pandas().drop(columns="TBG")  # never measured
price = [[0, 1], [20, 0]]  # rows: the truth; columns: the answer
result = imbcore.evaluate(
    X,
    data.y,
    {
        "most probable": ("random_forest", {"cost_matrix": None}),
        "cheapest": "random_forest",
        "cheapest, calibrated": ("random_forest", {"calibrate": "beta"}),
        "one tree": ("hddt", {"max_depth": 6}),
    },
    cost_matrix=price,
    folds=5,
    random_state=0,
)
for name, one in result.items():
    cost = metrics.cost_score(one.y, one.predicted, price)
    print(f"{name:21} mean cost of a patient {cost:.3f}   ill ones found {one.mean()['recall']:.3f}")

# %%
# And if nobody knows the price? The expected loss at every price, of the best threshold for it:

forest = result["cheapest"]
share, loss = metrics.brier_curve(forest.y, forest.proba[:, 1])
fig, ax = plt.subplots()
ax.plot(share, loss)
ax.set(xlabel="price of a false alarm, as a share of both prices", ylabel="loss", ylim=(0, None))
plt.show()

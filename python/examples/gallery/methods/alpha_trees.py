"""
Alpha-trees: reliable alerts or reliable negatives
==================================================

Paper 1: the alpha-divergence. A small alpha prefers branches without positives, a large alpha
branches rich in positives. BEAT draws an alpha for every tree.
"""

import matplotlib.pyplot as plt
import numpy as np

import imbcore
from imbcore import datasets, metrics

data = datasets.load("sick")
X = data.X.to_pandas().drop(columns="TBG")  # never measured
train, test = slice(0, None, 2), slice(1, None, 2)
alphas = np.linspace(0.05, 1.95, 20)
ppv, npv = [], []
for alpha in alphas:
    tree = imbcore.fit(X[train], data.y[train], "alpha_tree", alpha=alpha, max_depth=3, random_state=0)
    predicted = tree.predict(X[test])
    ppv.append(metrics.precision_score(data.y[test], predicted, pos_label=1))
    npv.append(metrics.negative_predictive_value(data.y[test], predicted, pos_label=1))
fig, ax = plt.subplots()
ax.plot(alphas, ppv, "o-", label="positive predictive value")
ax.plot(alphas, npv, "s-", label="negative predictive value")
ax.set_xlabel("alpha")
ax.legend()
plt.show()

# %%
beat = imbcore.BEATClassifier(oob_score="f1", random_state=0).fit(X[train], data.y[train])
predicted = beat.predict(X[test])
print(
    f"BEAT: F1 {metrics.f1_score(data.y[test], predicted, pos_label=1):.3f}, out of bag {beat.oob_score_:.3f}"
)

"""
Compare methods on several data sets
====================================

Several methods on several tables: 5 x 2 folds, average ranks, tests adjusted for the number of
comparisons, and the critical difference.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, plotting

names = ("glass2", "ecoli4", "yeast4", "yeast28", "haberman", "vehicle1", "abalone918")
tables = {name: datasets.load(name) for name in names}
found = imbcore.compare(
    {name: (data.X, data.y) for name, data in tables.items()},
    methods=["cart", "hddt", "c44", "random_forest", "balanced_random_forest", "beat"],
    score="average_precision",
)
print(found)

# %%
ranked = found.ranks()
ax = plotting.plot_cd(ranked.average_ranks, found.methods, found.critical_difference())
plt.show()

"""
Predict in a database with SQL
==============================

A tree with its threshold as one query. The example runs it in SQLite, where it predicts like
``predict``.
"""

import sqlite3
from contextlib import closing

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets

data = datasets.load("page-blocks0")
X = data.X.to_pandas()
tree = imbcore.fit(X, data.y, "hddt", max_depth=3, min_samples_leaf=20, threshold=0.4, random_state=0)
query = tree.to_sql("blocks")
print(query)

# %%
with closing(sqlite3.connect(":memory:")) as database:
    X.to_sql("blocks", database, index=False)
    predicted = [row[0] for row in database.execute(query)]
print("rows that differ:", sum(a != b for a, b in zip(predicted, tree.predict(X), strict=True)))

# %%

imbcore.plot_tree(tree)
plt.show()

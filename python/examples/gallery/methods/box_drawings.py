"""
Box drawings and an optimality proof
====================================

Paper 4: predict the rare class inside a few boxes. Fast Boxes finds them in a moment; Exact Boxes
finds the best drawing and proves that it is optimal.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, plotting

data = datasets.load("glass2")
fast = imbcore.fit(data.X, data.y, "fast_boxes", n_boxes=2, random_state=0)
print(fast.export_text(decimals=3))

# %%
exact = imbcore.ExactBoxesClassifier(n_boxes=1, time_limit=60).fit(data.X, data.y)
print(exact.model_.export_text(decimals=3))
print("proven:", exact.proven_optimal_, "objective", exact.objective_, "bound", exact.bound_)

# %%
ax = plotting.plot_boxes(exact.model_, X=data.X.to_pandas(), y=data.y)
plt.show()

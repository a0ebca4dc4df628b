"""
Peel a bump, and see what each slice costs
==========================================

PRIM takes thin slices off a box until what is left is rich in the rare class. The path shows what
support each gain in precision costs.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, plotting

data = datasets.load("page-blocks0")
prim = imbcore.fit(data.X, data.y, "prim", random_state=0)
print(prim.export_text(decimals=1))
plotting.plot_trade_off(prim)
plt.show()

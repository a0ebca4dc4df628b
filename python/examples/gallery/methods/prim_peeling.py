"""
Peeling with PRIM
=================

PRIM removes thin slices from a box until the rest is rich in the rare class. The trajectory shows
how much support each gain in precision costs.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, plotting

data = datasets.load("page-blocks0")
prim = imbcore.fit(data.X, data.y, "prim", random_state=0)
print(prim.export_text(decimals=1))
plotting.plot_trade_off(prim)
plt.show()

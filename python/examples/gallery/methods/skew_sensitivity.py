"""
Why Hellinger splits do not depend on class proportions
=======================================================

Lines of equal gain over all splits, for 1, 10 and 100 negatives per positive. Those of Gini move;
those of Hellinger do not.
"""

import matplotlib.pyplot as plt

from imbcore import metrics, plotting

fig, axes = plt.subplots(1, 2, figsize=(11, 5))
for ax, quantity in zip(axes, ("gini", "hellinger"), strict=True):
    plotting.plot_isometrics(quantity, skews=(1, 10, 100), ax=ax)
    ax.set_title(quantity)
plt.show()

# %%
# As a number: the mean distance between the surface and that of balanced classes.

for quantity in ("gini", "entropy", "hellinger"):
    print(quantity, metrics.skew_sensitivity(quantity, [10.0, 100.0]))

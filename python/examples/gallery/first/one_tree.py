"""
One tree that people can read
=============================

Microcalcifications in mammograms: 260 of 11,183 spots are malignant. A Hellinger tree does not care
how rare they are, and at depth four it fits on a page.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets

data = datasets.load("mammography")
tree = imbcore.fit(data.X, data.y, "hddt", max_depth=4, min_samples_leaf=10, random_state=0)
print(tree.export_text(max_depth=3))

# %%
# The same as a picture; the darker a node, the larger the share of malignant spots.

fig, ax = plt.subplots(figsize=(12, 6))
imbcore.plot_tree(tree, ax=ax, max_depth=3, fontsize=7)
plt.show()

# %%
# Every leaf is a rule. The three that hold most of the malignant spots:

alarms = [rule for rule in tree.rules() if rule["class"] == 1]
for rule in sorted(alarms, key=lambda rule: -rule["recall"])[:3]:
    conditions = " and ".join(f"{at['feature']} {at['op']} {at['value']:.3g}" for at in rule["conditions"])
    share = rule["probability"][1]
    print(f"{conditions}: {rule['rows']} spots, {share:.0%} malignant, {rule['recall']:.0%} of all")

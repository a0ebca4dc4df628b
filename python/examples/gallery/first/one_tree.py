"""
A readable tree
===============

Microcalcifications in mammograms: 260 of 11,183 spots are malignant. The splits of a Hellinger tree
do not depend on the class proportions, and a tree of depth four fits on a page.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets

data = datasets.load("mammography")
tree = imbcore.fit(data.X, data.y, "hddt", max_depth=4, min_samples_leaf=10, random_state=0)
print(tree.export_text(max_depth=3))

# %%
# The same as a plot; darker nodes have a larger proportion of malignant spots.

fig, ax = plt.subplots(figsize=(12, 6))
imbcore.plot_tree(tree, ax=ax, max_depth=3, fontsize=7)
plt.show()

# %%
# Every leaf is a rule. The three rules with the most malignant spots:

alerts = [rule for rule in tree.rules() if rule["class"] == 1]
for rule in sorted(alerts, key=lambda rule: -rule["recall"])[:3]:
    conditions = " and ".join(f"{at['feature']} {at['op']} {at['value']:.3g}" for at in rule["conditions"])
    proportion = rule["probability"][1]
    print(f"{conditions}: {rule['rows']} spots, {proportion:.0%} malignant, {rule['recall']:.0%} of all")

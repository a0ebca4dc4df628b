"""
A page for choosing a threshold
===============================

One self-contained HTML file with a draggable threshold, alert budgets, costs, curves, and the code
that gives the same decisions. This example writes the page and prints its size.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import imbcore
from imbcore import datasets, metrics

data = datasets.load("sick")
X = data.X.to_pandas().drop(columns="TBG")  # never measured
train, test = slice(0, None, 2), slice(1, None, 2)
model = imbcore.fit(X[train], data.y[train], "random_forest", min_samples_leaf=3, random_state=0)
with TemporaryDirectory() as folder:
    page = Path(folder) / "page.html"
    model.explore(X[test], data.y[test], page, rows_per_day=2000)
    print(f"{page.stat().st_size / 1000:.0f} kB")

# %%
# The same choices in code:

scores = model.predict_proba(X[test])[:, 1]
for goal in ({"recall": 0.9}, {"alerts": 100, "per": 2000}, {"cost": [[0, 1], [40, 0]]}):
    threshold, expected = metrics.threshold_for(data.y[test], scores, goal)
    found, right = expected["recall"]["value"], expected["precision"]["value"]
    print(f"{goal}: threshold {threshold:.3f}, recall {found:.2f}, precision {right:.2f}")
decided = model.with_threshold(threshold)
print(decided.threshold)

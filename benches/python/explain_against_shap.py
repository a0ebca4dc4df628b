"""Shapley values of a forest side by side with shap, on the same data in one run.

CPU seconds of 10,000 rows through 100 trees, one thread; shap explains scikit-learn's forest of the same
depth and size. Nothing is asserted, since machines differ.
"""

from __future__ import annotations

import argparse
import os
import time

# One thread, also for the libraries below scikit-learn.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import shap
from sklearn.ensemble import RandomForestClassifier

import imbcore


def main() -> None:
    """Print a line a depth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--trees", type=int, default=100)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    x = rng.normal(size=(options.rows, 20))
    y = (x[:, 0] * x[:, 1] + x[:, 2] + rng.normal(size=len(x)) > 2.5).astype(int)
    for depth in (4, 8, None):
        size = {"n_estimators": options.trees, "max_depth": depth, "random_state": 0}
        ours = imbcore.fit(x, y, "random_forest", n_threads=1, **size)
        theirs = RandomForestClassifier(**size).fit(x, y)
        start = time.process_time()
        ours.explain(x, n_threads=1)
        own = time.process_time() - start
        explainer = shap.TreeExplainer(theirs, feature_perturbation="tree_path_dependent")
        start = time.process_time()
        # Its time grows with the rows; a tenth of them is enough where trees are deep.
        part = x if depth else x[: len(x) // 10]
        explainer.shap_values(part, check_additivity=False)
        other = (time.process_time() - start) * len(x) / len(part)
        leaves = sum(tree.get_n_leaves() for tree in theirs.estimators_)
        sizes = f"{ours.n_leaves_} and {leaves} leaves"
        print(
            f"depth {depth}: ours {own:.2f} s, shap {other:.2f} s, ratio {other / own:.1f} ({sizes})",
            flush=True,
        )


if __name__ == "__main__":
    main()

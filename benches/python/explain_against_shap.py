"""Shapley values of a forest compared with shap, on the same data in one run.

CPU seconds of 10,000 rows and 100 trees on one thread, without and with a background of 100 rows; shap
explains scikit-learn's forest of the same depth and size. CatBoost and LightGBM explain as many rounds of
their default size by their own functions, shap explains scikit-learn's extra trees. Nothing is asserted
because machines differ.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

# One thread, also in the libraries below scikit-learn.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import shap
from shared_peers import CORE, fit_peer, installed

import imbcore


def main() -> None:
    """Print one line per depth."""
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
        theirs = fit_peer("sklearn forest", x, y, n_estimators=options.trees, max_depth=depth).fitted
        leaves = sum(tree.get_n_leaves() for tree in theirs.estimators_)
        sizes = f"{ours.n_leaves_} and {leaves} leaves"
        for background in (None, x[:100]):
            kind = "tree_path_dependent" if background is None else "interventional"
            own = _seconds(partial(ours.explain, background=background, n_threads=1), x)
            explainer = shap.TreeExplainer(theirs, data=background, feature_perturbation=kind)
            # The time of shap grows with the rows; a tenth of them suffices if trees are deep or rows are
            # many.
            share = 1 if depth and background is None else 10
            other = share * _seconds(partial(explainer.shap_values, check_additivity=False), x[::share])
            times = f"ours {own:.2f} s, shap {other:.2f} s, ratio {other / own:.1f}"
            print(f"depth {depth}, {kind}: {times} ({sizes})", flush=True)
    for name in installed(CORE):
        count = {"iterations" if name == "CatBoost" else "n_estimators": options.trees}
        model = fit_peer(name, x, y, **count).fitted
        n_rows = len(x)
        if name == "CatBoost":
            from catboost import Pool

            explain = partial(model.get_feature_importance, type="ShapValues", thread_count=1)
            seconds = _seconds(lambda rows, explain=explain: explain(Pool(rows)), x)
        elif name.startswith("LightGBM"):
            seconds = _seconds(partial(model.predict, pred_contrib=True, num_threads=1), x)
        else:
            # Its trees are deep; a hundred rows suffice.
            n_rows = 100
            explainer = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
            seconds = _seconds(partial(explainer.shap_values, check_additivity=False), x[:n_rows])
        print(f"{name}: {1e6 * seconds / n_rows:.0f} us a row", flush=True)


def _seconds(explain: Callable[[Any], Any], rows: Any) -> float:
    """CPU seconds for some rows."""
    start = time.process_time()
    explain(rows)
    return time.process_time() - start


if __name__ == "__main__":
    main()

"""Awkward tables, and methods fitted to them, for tests of every export format."""

import numpy as np
import pandas as pd

import imbcore

LEVELS = ["it's", 'a "b"', "back\\slash", "new\nline", "ünï", "NULL", ""]

# Methods with options that limit their trees to a few splits.
SINGLE = ["cart", "hddt", "c44", "alpha_tree", "svr_tree"]
FORESTS = {
    "random_forest": {"n_estimators": 7},
    "balanced_random_forest": {"n_estimators": 70, "max_depth": 3},
    "weighted_random_forest": {"n_estimators": 6},
    "beat": {"n_estimators": 5},
    "extra_trees": {"n_estimators": 5},
    "boosted_trees": {"n_rounds": 5, "max_leaf_nodes": 7, "min_samples_leaf": 4},
    "svr_forest": {"n_estimators": 3},
}
ENSEMBLES = {
    "bagging": {"n_estimators": 4},
    "under_bagging": {"n_estimators": 4, "estimator": "hddt"},
    "adaboost": {"n_estimators": 6, "estimator": "cart", "estimator_params": {"max_depth": 2}},
    "rusboost": {"n_estimators": 6, "estimator": "cart", "estimator_params": {"max_depth": 2}},
    "easy_ensemble": {},
    "balance_cascade": {},
}
NETWORKS = {"naive_bayes": {}, "tan": {}, "aode": {}, "bayes_bagging": {"n_estimators": 3}}
RULES = {"n_estimators": 6, "max_candidates": 15}
BOXES = {"prim": {}, "fast_boxes": {"n_boxes": 2}, "rule_list": RULES}
DECISIONS = [
    {},
    {"threshold": 0.3},
    {"cost_matrix": "balanced"},
    {"calibrate": "beta"},
    {"calibrate": "isotonic"},
]


def table(seed, n, *, holes=True, text=True, levels=LEVELS):
    """An awkward table and its labels: unusual names, numbers of all sizes, integers, booleans and text."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            'a "b"': rng.normal(size=n),
            "select": np.round(rng.normal(size=n), 1),
            "größe %": rng.choice([-0.0, 0.0, 0.1 + 0.2, 0.3, 1 / 3], n),
            "tiny": rng.choice([5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 3e-200], n),
            "huge": rng.choice([1e300, -1e300, 1.7e308, 12345678901234567.0, 9e15], n),
            "count": rng.integers(0, 6, n),
            "flag": rng.random(n) < 0.5,
        }
    )
    score = frame["select"] + frame['a "b"'] + frame["flag"] + (frame["huge"] > 0) - (frame["tiny"] > 1e-320)
    if text:
        frame["job "] = rng.choice(levels, n).astype(object)
        score = score + frame["job "].isin(LEVELS[:3])
    y = np.where(score + rng.normal(size=n) > 2.5, 'it\'s "rare"', "common")
    if holes:
        for column in frame.columns:
            if frame[column].dtype in (float, object):
                frame.loc[rng.random(n) < 0.15, column] = None
    return frame, y


def fitted(method, seed=0, *, holes=True, text=True, **options):
    """A model of awkward rows, and rows to predict."""
    train, y = table(seed, 240, holes=holes, text=text)
    new, _ = table(seed + 100, 120, holes=holes, text=text, levels=[*LEVELS, "unseen"])
    return imbcore.fit(train, y, method, random_state=seed, **options), new

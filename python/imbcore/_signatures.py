# Written by `make generate` from the registry of methods; edit that, not this.
"""Names of the methods; the types of the doors are in the stub beside this file."""

from typing import Literal

from imbcore._api import evaluate, fit

__all__ = ["MethodName", "evaluate", "fit"]

MethodName = Literal[
    "hddt",
    "c44",
    "c45",
    "cart",
    "alpha_tree",
    "svr_tree",
    "beat",
    "bagged_c45",
    "random_forest",
    "balanced_random_forest",
    "weighted_random_forest",
    "svr_forest",
    "fast_boxes",
    "exact_boxes",
    "prim",
    "full_bayes",
    "naive_bayes",
    "tan",
    "kdb",
    "bayes_bagging",
    "ova",
    "ecoc",
    "ovo",
    "metacost",
]

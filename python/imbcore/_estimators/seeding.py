"""Seeds of nested estimators."""

from __future__ import annotations

from typing import Any

import numpy as np


def seed_nested_estimators(estimator: Any, seed: int, part: int) -> Any:
    """Set every ``random_state`` that is None, also in nested estimators, to a derived seed.

    As in the ensembles of scikit-learn, this makes a meta-estimator reproducible by its own ``random_state``.
    A ``random_state`` set by the user does not change.

    Parameters
    ----------
    estimator : estimator
        A clone, which is modified.
    seed : int
        Seed of the meta-estimator.
    part : int
        Index of the fit among those of one seed, such as the fold.

    Returns
    -------
    estimator
        The same object.
    """
    given = estimator.get_params(deep=True)
    names = sorted(
        name for name, value in given.items() if value is None and name.rpartition("__")[2] == "random_state"
    )
    if names:
        # scikit-learn takes whole numbers of 32 bits.
        seeds = np.random.default_rng([seed, part]).integers(2**31 - 1, size=len(names))
        estimator.set_params(**dict(zip(names, seeds.tolist(), strict=True)))
    return estimator

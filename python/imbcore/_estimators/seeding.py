"""Seeds of estimators inside others."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["seed_inside"]


def seed_inside(estimator: Any, seed: int, part: int) -> Any:
    """Give every ``random_state`` that is None, of the estimator and of those inside it, a seed.

    As in the ensembles of scikit-learn, so that an estimator around it is reproducible by its own
    ``random_state``. A ``random_state`` that the user set stays.

    Parameters
    ----------
    estimator : estimator
        A clone, which is changed.
    seed : int
        Seed of the estimator around it.
    part : int
        Number of the fit among those of one seed, such as the fold.

    Returns
    -------
    estimator
        The same.
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

"""The test of the thesis: one-sided Wilcoxon signed-rank test as in R.

It includes the Hodges-Lehmann estimate of the difference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from imbcore import stats

__all__ = ["Superiority", "superiority", "verdict"]

LEVEL = 0.05


class Superiority(NamedTuple):
    """Test of whether x is larger than y.

    Parameters
    ----------
    pairs : int
    estimate, low, high : float
        Pseudomedian of the nonzero differences, as in R's ``wilcox.test``, and its 95 % interval; 0 if all
        differences are zero.
    p : float
        P-value for "x is larger".
    """

    pairs: int
    estimate: float
    low: float
    high: float
    p: float


def superiority(x: ArrayLike, y: ArrayLike) -> Superiority:
    """Test whether paired scores x are larger than y, without pairs that have a NaN."""
    gap = (np.asarray(x, dtype=np.float64) - np.asarray(y, dtype=np.float64)).round(12)
    gap = gap[~np.isnan(gap)]
    apart = gap[gap != 0]
    if not apart.size:
        return Superiority(len(gap), 0.0, 0.0, 0.0, 0.5)
    found = stats.wilcoxon_test(gap, alternative="greater")
    around = stats.hodges_lehmann_interval(apart)
    return Superiority(len(gap), around.estimate, around.low, around.high, found.p)


def verdict(found: Superiority, better: str, worse: str) -> str:
    """Describe the result of the test of "better" against "worse"."""
    if found.p < LEVEL:
        return f"{better} above {worse}"
    if found.p > 1 - LEVEL:
        return f"{worse} above {better}"
    return "no difference shown"

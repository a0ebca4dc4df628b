"""Rank correlation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["spearman"]


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Compute the rank correlation over complete pairs; 0 if a side is constant."""
    from scipy.stats import spearmanr

    pairs = np.column_stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if len(pairs) < 2 or (np.ptp(pairs, axis=0) == 0).any():
        return 0.0
    return float(spearmanr(*pairs.T).statistic)

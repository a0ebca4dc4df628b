"""Intervals and tests by group: the delete-a-group jackknife."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from imbcore.evaluation._held_out_scores import HeldOutScores

__all__ = [
    "group_variance",
    "is_zero_width_interval",
    "jackknife_means",
    "jackknife_variance",
    "t_interval",
    "t_p_value",
]

# Sets of groups that are left out in turn; the degrees of freedom are one less. Fewer, but at least 10, if
# their number times that of the rows is larger than the limit.
_BLOCKS = 30
_FEWEST_BLOCKS = 10
_MOST_ROWS = 600_000

Numbers = NDArray[np.float64]


def jackknife_means(scored: HeldOutScores, groups: NDArray[np.uint32], seed: int) -> dict[str, Numbers]:
    """Compute every mean score again, each time without one set of test groups.

    Models are not fitted again. Whole groups are assigned at random to 30 sets; to fewer if there are fewer
    groups, or for many rows, to limit the time (Kott 2001).

    Parameters
    ----------
    scored : HeldOutScores
        Predictions of the first repetition.
    groups : ndarray of shape (n_rows,)
        Groups of all rows.
    seed : int

    Returns
    -------
    dict of str to ndarray of shape (n_sets,)
    """
    splits, codes = scored.splits, scored.target.codes
    trial, names = splits.trial, scored.names
    tested = np.unique(groups[splits.tested >= 0])
    affordable = max(_FEWEST_BLOCKS, _MOST_ROWS // len(codes))
    n_blocks = min(_BLOCKS, affordable, len(tested))
    block_of_group = np.full(int(groups.max()) + 1, -1)
    # Groups with positive rows are spread over the sets, so that no set has all of them.
    has_positive = np.isin(tested, groups[codes == trial.positive])
    order = np.random.default_rng(seed).permutation(len(tested))
    order = order[np.argsort(~has_positive[order], kind="stable")]
    block_of_group[tested[order]] = np.arange(len(tested)) % n_blocks
    folds = [splits.rows(repeat, fold)[1] for repeat, fold in splits.tests if repeat == 0]
    means = np.full((n_blocks, len(names)), np.nan)
    for block in range(n_blocks):
        kept = [test[block_of_group[groups[test]] != block] for test in folds]
        values = [scored.of_rows(rows) for rows in kept if len(rows)]
        with warnings.catch_warnings():
            # A score that no fold defines has no mean.
            warnings.simplefilter("ignore", RuntimeWarning)
            means[block] = np.nanmean(np.array(values).reshape(-1, len(names)), axis=0)
    return dict(zip(names, np.ascontiguousarray(means.T), strict=True))


def jackknife_variance(means: Numbers) -> float:
    """Variance of a mean from its values without one set of groups; NaN for fewer than two sets."""
    n = len(means)
    return float((n - 1) / n * np.sum((means - means.mean()) ** 2)) if n > 1 else float("nan")


def group_variance(
    without: Numbers, values: Numbers, repeats: int, test_to_train: float
) -> tuple[float, float]:
    """Estimate the variance of a mean over all repetitions, and its degrees of freedom.

    It is the jackknife variance of the first repetition, corrected for overlapping training sets, plus the
    variance between the repetitions; the degrees of freedom follow Welch and Satterthwaite.

    Parameters
    ----------
    without : ndarray of shape (n_sets,)
        Means without one set of groups, in the first repetition.
    values : ndarray of shape (repeats * n_folds,)
        Scores of all test sets, repetition by repetition.
    repeats : int
    test_to_train : float
    """
    of_repeats = values.reshape(repeats, -1)
    within = jackknife_variance(without) * (1 + of_repeats.shape[1] * test_to_train)
    with warnings.catch_warnings():
        # A score that no fold defines has no mean.
        warnings.simplefilter("ignore", RuntimeWarning)
        means = np.nanmean(of_repeats, axis=1)
    means = means[~np.isnan(means)]
    n_sets, n_means = len(without), len(means)
    if n_means < 2 or np.ptp(means) == 0:
        return within, max(n_sets - 1, 1)
    between = float(means.var(ddof=1)) / n_means
    freedom = (within + between) ** 2 / (within**2 / max(n_sets - 1, 1) + between**2 / (n_means - 1))
    return within + between, freedom


def t_interval(mean: float, variance: float, freedom: float, level: float) -> tuple[float, float]:
    """Confidence interval of a mean by the t distribution."""
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, 0.5 + level / 2)) * variance**0.5
    return mean - half, mean + half


def t_p_value(difference: float, variance: float, freedom: float) -> float:
    """Two-sided p-value of a mean difference."""
    from scipy.special import stdtr

    if variance == 0 or difference == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * stdtr(freedom, -abs(difference) / variance**0.5))


def is_zero_width_interval(low: float, high: float) -> bool:
    """Check whether an interval has no width but for rounding."""
    return high - low <= 1e-12

"""Tests of several methods over several data sets, based on ranks."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.values import (
    Numbers,
    to_float_array,
    to_number_array,
    validate_flag,
    validate_real_number,
    validate_text_choice,
    validate_whole_number,
)
from imbcore.exceptions import DataError, ParameterError

# Maximum number of rank sums of one step of the exact permutation test, and draws if there are more.
_MOST_RANK_SUMS = 10_000
_N_DRAWS = 10_000


class Friedman(NamedTuple):
    """Result of :func:`friedman_test`; each ``p`` value belongs to the statistic before it.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_methods)
        Rank of each method on each data set: 1 is the best; equal values get their mean rank.
    average_ranks : ndarray of shape (n_methods,)
    tie_factor : float
        Factor of the correction for ties: 1 without ties, 0 if all methods tie on all data sets.
    chi2, chi2_p : float
        Friedman's chi-square, as in Demsar 2006.
    f, f_p : float
        F of Iman and Davenport, and its p-value by the F distribution, which is too small for few data sets:
        if all data sets rank the methods in the same order without ties, F is infinite and ``f_p`` is 0. Use
        ``permutation_p`` for fewer than 30 data sets.
    chi2_ties, chi2_ties_p, f_ties, f_ties_p : float
        Statistics and p-values with correction for ties (chi-square of scipy and R); NaN if all methods
        tie everywhere.
    """

    ranks: NDArray[np.float64]
    average_ranks: NDArray[np.float64]
    tie_factor: float
    chi2: float
    chi2_p: float
    f: float
    f_p: float
    chi2_ties: float
    chi2_ties_p: float
    f_ties: float
    f_ties_p: float

    @property
    def permutation_p(self) -> float:
        """P-value by permutations of ranks within data sets, for any number of data sets.

        It is exact if few permutations are possible, otherwise estimated from 10,000 random ones with a fixed
        seed.
        """
        # Twice the ranks are whole numbers. The order of data sets and methods does not matter.
        doubled = np.rint(2.0 * self.ranks).astype(np.int64)
        observed = int((doubled.sum(axis=0) ** 2).sum())
        rows = np.sort(doubled, axis=1)
        rows = rows[np.lexsort(rows.T)]
        exact = _exact_rank_sums(rows)
        if exact is not None:
            sums, probabilities = exact
            return min(float(probabilities[(sums**2).sum(axis=1) >= observed].sum()), 1.0)
        rng = np.random.default_rng(0)
        drawn = np.zeros((_N_DRAWS, rows.shape[1]), dtype=np.int64)
        for row in rows:
            drawn += rng.permuted(np.broadcast_to(row, drawn.shape), axis=1)
        return float(1 + ((drawn**2).sum(axis=1) >= observed).sum()) / (_N_DRAWS + 1)


def _exact_rank_sums(
    rows: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
    """Return sorted rank sums and their probabilities; None if there are too many."""
    n_orders = factorial(rows.shape[1])
    sums, probabilities = rows[:1], np.ones(1)
    for row in rows[1:]:
        if len(sums) * n_orders > _MOST_RANK_SUMS:
            return None
        orders = np.array(list(permutations(row.tolist())))
        # Permutations of the methods have equal probability, so sorted sums suffice.
        candidates = np.sort((sums[:, None, :] + orders).reshape(-1, len(row)), axis=1)
        sums, places = np.unique(candidates, axis=0, return_inverse=True)
        probabilities = np.bincount(places.ravel(), np.repeat(probabilities, n_orders)) / n_orders
    return sums, probabilities


def friedman_test(values: ArrayLike, *, larger_is_better: bool = True) -> Friedman:
    """Rank methods on each data set and test whether they differ.

    Parameters
    ----------
    values : array-like of shape (n_datasets, n_methods)
        One score per data set and method, finite.
    larger_is_better : bool, default=True
        False for errors and costs.

    Returns
    -------
    Friedman

    Raises
    ------
    DataError
        There are fewer than two data sets or methods, or a score is not finite.

    References
    ----------
    Friedman 1937; Iman and Davenport 1980; Demsar, "Statistical Comparisons of Classifiers over Multiple
    Data Sets", 2006.
    """
    table = to_float_array(values, "values")
    if table.ndim != 2:
        raise DataError(f"values must have a row per data set and a column per method, got {table.ndim} axes")
    sign = 1.0 if validate_flag("larger_is_better", larger_is_better) else -1.0
    n, k = table.shape
    if min(n, k) < 2:
        raise DataError(f"the Friedman test needs at least 2 data sets and 2 methods; got {n} and {k}")
    for row, column in np.argwhere(~np.isfinite(table)).tolist():
        raise DataError(
            f"the value of method {column} on data set {row} is {table[row, column]}; every method needs a "
            "finite value on every data set"
        )
    from scipy import stats

    ranks = stats.rankdata(-sign * table, axis=1)
    average_ranks = ranks.sum(axis=0) / n
    tie_factor = float(sum(stats.tiecorrect(row) for row in ranks)) / n
    plain, corrected = (friedman_of_ranks(average_ranks, n, factor) for factor in (1.0, tie_factor))
    return Friedman(ranks, average_ranks, tie_factor, *plain, *corrected)


def friedman_of_ranks(average_ranks: Numbers, n: int, tie_factor: float) -> tuple[float, float, float, float]:
    """Return Friedman's chi-square, its p-value, Iman and Davenport's F and its p-value."""
    from scipy import stats

    k = len(average_ranks)
    # From the deviations of the mean ranks, so that equal methods give exactly 0.
    chi2 = 12.0 * n / (k * (k + 1.0)) * float(((average_ranks - (k + 1.0) / 2.0) ** 2).sum())
    chi2, most = chi2 / tie_factor if tie_factor else np.nan, n * (k - 1.0)
    # Rounding may leave the maximum slightly below it.
    agreed = chi2 >= most * (1.0 - 1e-12)
    f = np.inf if agreed else (n - 1.0) * chi2 / (most - chi2)
    f_p = 0.0 if agreed else float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
    return chi2, float(stats.chi2.sf(chi2, k - 1)), f, f_p


def critical_difference(
    n_methods: int, n_datasets: int, *, level: float = 0.05, test: str = "nemenyi"
) -> float:
    """Smallest significant difference of average ranks after a Friedman test.

    Parameters
    ----------
    n_methods : int
        Number of methods, at least 2.
    n_datasets : int
        Number of data sets, at least 1.
    level : float, default=0.05
        Significance level, in (0, 1).
    test : {"nemenyi", "bonferroni-dunn"}, default="nemenyi"
        "nemenyi" compares every method with every other, "bonferroni-dunn" one control with all others.

    Returns
    -------
    float

    Raises
    ------
    ParameterError
        A number is outside its valid range, or the test is unknown.

    Examples
    --------
    Table 2 of Hoens et al. 2012: on 17 data sets HDDT under OVA has rank 1.176 and C4.4 1.824.

    >>> from imbcore import stats
    >>> round(stats.critical_difference(2, 17, test="bonferroni-dunn"), 3)
    0.475
    """
    k, n = (
        validate_whole_number("n_methods", n_methods, 2),
        validate_whole_number("n_datasets", n_datasets, 1),
    )
    level = validate_real_number("level", level)
    if not 0.0 < level < 1.0:
        raise ParameterError(f"critical_difference: parameter `level` must be in (0, 1), got {level}")
    from scipy import stats

    if validate_text_choice("test", test, ("nemenyi", "bonferroni-dunn")) == "nemenyi":
        quantile = stats.studentized_range.ppf(1.0 - level, k, np.inf) / np.sqrt(2.0)
    else:
        quantile = stats.norm.isf(level / (2.0 * (k - 1.0)))
    return float(quantile) * _rank_difference_se(k, n)


def _rank_difference_se(n_methods: int, n_datasets: int) -> float:
    """Return the standard error of the difference of two average ranks."""
    return float(np.sqrt(n_methods * (n_methods + 1.0) / (6.0 * n_datasets)))


def rank_groups(average_ranks: ArrayLike, difference: float) -> list[list[int]]:
    """Find groups of methods whose average ranks differ by less than a critical difference.

    Parameters
    ----------
    average_ranks : array-like of shape (n_methods,)
        Average rank of each method, as in :class:`Friedman`.
    difference : float
        Result of :func:`critical_difference`.

    Returns
    -------
    list of list of int
        Groups of method indices, the best method first. The best and the worst average rank of a group differ
        by less than ``difference``, and no group lies within a larger group. :func:`imbcore.plotting.plot_cd`
        draws each group as a bar. Groups may overlap; a method that differs from all other methods is in no
        group.

    Raises
    ------
    DataError
        A rank that is not finite.
    ParameterError
        A negative difference.

    Examples
    --------
    >>> from imbcore import stats
    >>> stats.rank_groups([3.0, 1.0, 1.5, 2.25], 1.0)
    [[1, 2], [2, 3], [3, 0]]
    """
    ranks, difference = _validate_ranks(average_ranks), validate_real_number("difference", difference)
    if not difference >= 0.0:
        raise ParameterError(
            f"rank_groups: parameter `difference` must be a number of at least 0, got {difference}"
        )
    order = np.argsort(ranks, kind="stable")
    ends = [int((ranks[order] - ranks[first] < difference).sum()) for first in order]
    runs = enumerate(zip([0, *ends], ends, strict=False))
    return [order[first:end].tolist() for first, (before, end) in runs if end > max(first + 1, before)]


def _validate_ranks(average_ranks: ArrayLike) -> Numbers:
    ranks = to_number_array(average_ranks, "average_ranks")
    for method in np.flatnonzero(~np.isfinite(ranks)).tolist():
        raise DataError(f"average_ranks must be finite; method {method} has {ranks[method]}")
    return ranks


class PairwiseTests(NamedTuple):
    """Result of :func:`pairwise_tests`, one entry per pair.

    Parameters
    ----------
    pairs : list of (int, int)
        Indices of the two methods of each pair.
    z : ndarray of shape (n_pairs,)
        Test statistic of the pair; negative if the first method has the better average rank.
    p, adjusted : ndarray of shape (n_pairs,)
        P-value of the pair, unadjusted and adjusted for multiple tests.
    """

    pairs: list[tuple[int, int]]
    z: NDArray[np.float64]
    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]


def pairwise_tests(
    average_ranks: ArrayLike, n_datasets: int, *, control: int | None = None, adjust: str = "holm"
) -> PairwiseTests:
    """Test pairs of methods by their average ranks, after a Friedman test.

    Parameters
    ----------
    average_ranks : array-like of shape (n_methods,)
        Average rank of each method, as in :class:`Friedman`, of at least 2 methods.
    n_datasets : int
        Number of data sets, at least 1.
    control : int, default=None
        Index of the method that all others are compared with. None: every pair.
    adjust : {"holm", "hochberg", "bonferroni"}, default="holm"
        Adjustment for multiple tests, as in :func:`adjust_p_values`.

    Returns
    -------
    PairwiseTests

    Raises
    ------
    DataError
        A rank that is not finite.
    ParameterError
        A number is outside its valid range, or the adjustment is unknown.

    References
    ----------
    Demsar 2006, section 3.2.2.

    Examples
    --------
    >>> from imbcore import stats
    >>> found = stats.pairwise_tests([1.25, 1.75, 3.0], 4, control=0)
    >>> found.pairs, found.adjusted.round(4).tolist()
    ([(0, 1), (0, 2)], [0.4795, 0.0267])
    """
    ranks = _validate_ranks(average_ranks)
    k, n = len(ranks), validate_whole_number("n_datasets", n_datasets, 1)
    if k < 2:
        raise ParameterError(
            f"pairwise_tests: parameter `average_ranks` must be the mean ranks of at least 2 methods, got {k}"
        )
    if control is None:
        pairs = list(combinations(range(k), 2))
    else:
        one = validate_whole_number("control", control, 0, k - 1)
        pairs = [(one, other) for other in range(k) if other != one]
    from scipy import stats

    z = np.array([ranks[first] - ranks[second] for first, second in pairs]) / _rank_difference_se(k, n)
    p = np.minimum(2.0 * stats.norm.sf(np.abs(z)), 1.0)
    return PairwiseTests(pairs, z, p, adjust_p_values(p, adjust))


def adjust_p_values(p: ArrayLike, method: str = "holm") -> NDArray[np.float64]:
    """Adjust p-values for multiple tests.

    Reject the hypotheses whose adjusted value is at most the level. The probability of rejecting any true
    hypothesis is then at most the level (for "hochberg", if the tests are independent).

    Parameters
    ----------
    p : array-like of shape (n_tests,)
        In [0, 1].
    method : {"holm", "hochberg", "bonferroni"}, default="holm"
        "bonferroni" multiplies each p-value by the number of tests; "holm" (1979) multiplies the smallest
        by the number of tests, the next by one less, and so on, and is uniformly more powerful than
        "bonferroni"; "hochberg" (1988) proceeds from the largest p-value down and is valid for independent
        tests.

    Returns
    -------
    ndarray of shape (n_tests,)

    Raises
    ------
    DataError
        A value outside [0, 1].
    ParameterError
        An unknown method.

    Examples
    --------
    >>> from imbcore import stats
    >>> stats.adjust_p_values([0.04, 0.01, 0.03]).tolist()
    [0.06, 0.03, 0.06]
    """
    p = to_number_array(p, "p")
    validate_text_choice("adjustment", method, ("bonferroni", "holm", "hochberg"))
    for index in np.flatnonzero(~((p >= 0.0) & (p <= 1.0))).tolist():
        raise DataError(f"p-values must lie in [0, 1]; value {index} is {p[index]}")
    if method == "bonferroni":
        return np.minimum(p * len(p), 1.0)
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(np.arange(len(p), 0, -1) * p[order], 1.0)
    adjusted = np.empty_like(p)
    if method == "holm":
        adjusted[order] = np.maximum.accumulate(scaled)
    else:
        adjusted[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return adjusted


name_package_in_errors(globals())

"""Tests that tell whether classifiers differ over several data sets or folds.

The ranks of several methods: :func:`friedman_test`, then :func:`critical_difference`. Two methods:
:func:`wilcoxon_test` or :func:`sign_test`. The choice and the formulas follow Demsar 2006.

Examples
--------
Average precision of three methods (columns) on four data sets (rows):

>>> from imbcore import stats
>>> table = [[0.71, 0.69, 0.60], [0.55, 0.52, 0.50], [0.83, 0.84, 0.79], [0.62, 0.60, 0.59]]
>>> found = stats.friedman_test(table)
>>> found.average_ranks.tolist()
[1.25, 1.75, 3.0]
>>> round(found.f_p, 4)
0.0066
>>> round(stats.critical_difference(3, 4), 3)
1.657
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._border import native
from imbcore._input.values import Numbers, numbers_of, to_float, whole_number
from imbcore.exceptions import DataError

__all__ = [
    "Friedman",
    "SignTest",
    "SignedRanks",
    "critical_difference",
    "friedman_test",
    "hodges_lehmann",
    "sign_test",
    "wilcoxon_test",
]


class Friedman(NamedTuple):
    """Result of :func:`friedman_test`; ``p`` values belong to the statistic named before them.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_methods)
        1 is the best; equal values share the mean of their ranks.
    average_ranks : ndarray of shape (n_methods,)
    tie_factor : float
        1 without ties, 0 when all methods tie everywhere.
    chi2, chi2_p : float
        Friedman's chi-square, as Demsar 2006 prints it.
    f, f_p : float
        Iman and Davenport's F, the better law for small tables.
    chi2_ties, chi2_ties_p, f_ties, f_ties_p : float
        The same after correction for ties (scipy's and R's chi-square); NaN when all methods tie everywhere.
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


def friedman_test(values: ArrayLike, *, larger_is_better: bool = True) -> Friedman:
    """Rank methods on each data set and test whether any is better than another.

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
        Fewer than two data sets or methods, or a score that is not finite.

    References
    ----------
    Friedman 1937; Iman and Davenport 1980; Demsar, "Statistical Comparisons of Classifiers over Multiple
    Data Sets", 2006.
    """
    table = to_float(values, "values")
    if table.ndim != 2:
        raise DataError(f"values must have a row per data set and a column per method, got {table.ndim} axes")
    ranks, average_ranks, tie_factor, numbers = native.stats.friedman(table if larger_is_better else -table)
    return Friedman(ranks, average_ranks, tie_factor, *numbers)


def critical_difference(
    n_methods: int, n_datasets: int, *, level: float = 0.05, test: str = "nemenyi"
) -> float:
    """Least difference of average ranks that is significant after a Friedman test.

    Parameters
    ----------
    n_methods : int
        At least 2.
    n_datasets : int
        At least 1.
    level : float, default=0.05
        In (0, 1).
    test : {"nemenyi", "bonferroni-dunn"}, default="nemenyi"
        "nemenyi" compares every method with every other, "bonferroni-dunn" one control with all others.

    Returns
    -------
    float

    Raises
    ------
    ParameterError
        A number outside its domain, or an unknown test.

    Examples
    --------
    Table 2 of Hoens et al. 2012: on 17 data sets HDDT under OVA has rank 1.176 and C4.4 1.824.

    >>> from imbcore import stats
    >>> round(stats.critical_difference(2, 17, test="bonferroni-dunn"), 3)
    0.475
    """
    k, n = whole_number("n_methods", n_methods, 2), whole_number("n_datasets", n_datasets, 1)
    return native.stats.critical_difference(k, n, float(level), test)


class SignedRanks(NamedTuple):
    """Result of :func:`wilcoxon_test`.

    Parameters
    ----------
    n : int
        Pairs that were ranked.
    plus, minus : float
        Rank sums of the pairs in which ``x`` is larger, and smaller.
    p : float
        1 when all pairs are equal.
    exact : bool
        Whether ``p`` is exact.
    """

    n: int
    plus: float
    minus: float
    p: float
    exact: bool


def wilcoxon_test(
    x: ArrayLike,
    y: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    zeros: str = "drop",
    law: str = "auto",
) -> SignedRanks:
    """Wilcoxon's signed-rank test that paired scores differ by nothing but chance.

    Equal means equal: 0.3 - 0.2 and 0.2 - 0.1 are different floats. Round the differences first where ties of
    printed digits should count as ties.

    Parameters
    ----------
    x : array-like of shape (n_pairs,)
        Scores of the first method, or the differences when ``y`` is None.
    y : array-like of shape (n_pairs,), default=None
        Scores of the second method.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": x is larger.
    zeros : {"drop", "pratt", "split"}, default="drop"
        Equal pairs are left out before ranking, after ranking (Pratt 1959), or count half on each side.
    law : {"auto", "exact", "normal", "uncorrected"}, default="auto"
        "auto" is exact for fewer than 50 pairs without ties and zeros and else "normal", the normal law with
        correction for ties and continuity, as in R. "exact" also serves ties. "uncorrected" leaves the
        continuity out, as in scipy.

    Returns
    -------
    SignedRanks

    Raises
    ------
    DataError
        Unequal lengths, or a value that is not finite.
    ParameterError
        An unknown word.
    UnsupportedError
        The exact law with zeros that are not dropped, or more than 1000 pairs.

    Examples
    --------
    >>> from imbcore import stats
    >>> stats.wilcoxon_test([0.81, 0.64, 0.90, 0.75, 0.58], [0.78, 0.59, 0.89, 0.69, 0.60])
    SignedRanks(n=5, plus=13.0, minus=2.0, p=0.1875, exact=True)
    """
    return SignedRanks(*native.stats.wilcoxon(_differences(x, y), zeros, law, alternative))


class SignTest(NamedTuple):
    """Result of :func:`sign_test`; ties do not count.

    Parameters
    ----------
    wins, losses, ties : int
    p : float
        Exact; 1 when all pairs are equal.
    """

    wins: int
    losses: int
    ties: int
    p: float


def sign_test(x: ArrayLike, y: ArrayLike | None = None, *, alternative: str = "two-sided") -> SignTest:
    """Matched-pairs sign test: wins and losses are the throws of a fair coin.

    Parameters, errors and alternatives are those of :func:`wilcoxon_test`.

    Examples
    --------
    >>> from imbcore import stats
    >>> found = stats.sign_test([0.8, 0.6, 0.9, 0.7, 0.7], [0.7, 0.5, 0.8, 0.7, 0.6], alternative="greater")
    >>> found.wins, found.losses, found.ties, round(found.p, 4)
    (4, 0, 1, 0.0625)
    """
    return SignTest(*native.stats.sign_test(_differences(x, y), alternative))


def hodges_lehmann(x: ArrayLike, y: ArrayLike | None = None) -> float:
    """Hodges and Lehmann's estimate of the difference: the median of all means of two differences.

    Parameters are those of :func:`wilcoxon_test`; NaN without pairs.
    """
    return native.stats.hodges_lehmann(_differences(x, y))


def _differences(x: ArrayLike, y: ArrayLike | None) -> Numbers:
    first = numbers_of(x, "x")
    if y is None:
        return first
    second = numbers_of(y, "y")
    if len(first) != len(second):
        raise DataError(f"y has {len(second)} values, but x has {len(first)}; they must be pairs")
    return first - second

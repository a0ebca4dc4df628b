"""Two methods over data sets: signed-rank test, sign test, Hodges-Lehmann estimate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import Numbers, to_number_array, validate_real_number, validate_text_choice
from imbcore.exceptions import DataError, UnsupportedError

_METHODS = ("auto", "exact", "normal", "uncorrected")
ALTERNATIVES = ("two-sided", "greater", "less")
# Rules for zero differences -> their names in scipy.
_ZEROS = {"drop": "wilcox", "pratt": "pratt", "split": "zsplit"}
# The table of the exact distribution has about the square of this many entries.
_MOST_EXACT = 1000


def paired_differences(x: ArrayLike, y: ArrayLike | None) -> Numbers:
    """Return the differences of paired scores, all finite."""
    differences = to_number_array(x, "x")
    if y is not None:
        second = to_number_array(y, "y")
        if len(differences) != len(second):
            raise DataError(f"y has {len(second)} values, but x has {len(differences)}; they must be pairs")
        with np.errstate(invalid="ignore", over="ignore"):
            differences = differences - second
    for pair in np.flatnonzero(~np.isfinite(differences)).tolist():
        raise DataError(f"differences must be finite; pair {pair} has {differences[pair]}")
    return differences


class SignedRanks(NamedTuple):
    """Result of :func:`wilcoxon_test`.

    Parameters
    ----------
    n : int
        Number of ranked pairs.
    plus, minus : float
        Sum of the ranks of the pairs in which ``x`` is larger, and of those in which it is smaller.
    p : float
        P-value; 1 if the two scores are equal in all pairs.
    exact : bool
        Whether ``p`` is exact.
    """

    n: int
    plus: float
    minus: float
    p: float
    exact: bool


@match_rows_by_index
def wilcoxon_test(
    x: ArrayLike,
    y: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    zeros: str = "drop",
    method: str = "auto",
) -> SignedRanks:
    """Wilcoxon signed-rank test of paired scores.

    Floats are compared exactly: 0.3 - 0.2 and 0.2 - 0.1 differ. Round the differences first if ties in the
    printed digits should count as ties.

    Parameters
    ----------
    x : array-like of shape (n_pairs,)
        Scores of the first method, or the differences if ``y`` is None.
    y : array-like of shape (n_pairs,), default=None
        Scores of the second method.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative hypothesis. "greater": x is larger; "less": x is smaller.
    zeros : {"drop", "pratt", "split"}, default="drop"
        Zero differences: "drop" leaves them out before ranking, "pratt" leaves them out after ranking (Pratt
        1959), and "split" adds half of their ranks to each of the two rank sums.
    method : {"auto", "exact", "normal", "uncorrected"}, default="auto"
        "auto": "exact" for fewer than 50 pairs without ties and zeros, else "normal". "exact" enumerates all
        sign patterns of the observed ranks, including ties and zeros. "normal" is the normal approximation
        with correction for ties and continuity, as in R. "uncorrected" omits the continuity correction, as in
        scipy.

    Returns
    -------
    SignedRanks

    Raises
    ------
    DataError
        The series have unequal lengths, or a score is not finite.
    ParameterError
        An unknown option value.
    UnsupportedError
        The exact distribution is requested for more than 1000 pairs.

    Examples
    --------
    >>> from imbcore import stats
    >>> stats.wilcoxon_test([0.81, 0.64, 0.90, 0.75, 0.58], [0.78, 0.59, 0.89, 0.69, 0.60])
    SignedRanks(n=5, plus=13.0, minus=2.0, p=0.1875, exact=True)
    """
    differences = paired_differences(x, y)
    validate_text_choice("zeros", zeros, _ZEROS)
    validate_text_choice("method", method, _METHODS)
    validate_text_choice("alternative", alternative, ALTERNATIVES)
    from scipy import stats

    kept = differences[differences != 0.0] if zeros == "drop" else differences
    n, ranks = len(kept), stats.rankdata(np.abs(kept))
    half = ranks[kept == 0.0].sum() / 2.0 if zeros == "split" else 0.0
    plus, minus = float(ranks[kept > 0.0].sum() + half), float(ranks[kept < 0.0].sum() + half)
    plain = 0 < n < 50 and n == len(differences) == len(np.unique(ranks)) and bool(np.all(kept))
    exact = method == "exact" or (method == "auto" and plain)
    if method == "exact" and n > _MOST_EXACT:
        raise UnsupportedError(
            f"the exact signed-rank test supports at most {_MOST_EXACT} differences, got {n}; "
            'use method="normal"'
        )
    if not differences.any():
        p = 1.0
    elif exact:
        # Zeros have no random sign: they add a constant to both sums.
        p = _exact_p(ranks[kept != 0.0], plus - half, alternative)
    else:
        p = stats.wilcoxon(
            differences,
            zero_method=_ZEROS[zeros],
            correction=method != "uncorrected",
            alternative=alternative,
            method="asymptotic",
        ).pvalue
    return SignedRanks(n, plus, minus, float(p), exact)


def _exact_p(ranks: Numbers, plus: float, alternative: str) -> float:
    """Compute the p-value if each rank is positive with probability 1/2.

    scipy's exact distribution assumes ranks without ties.
    """
    # Mid-ranks are multiples of 1/2.
    doubled, observed = (2.0 * ranks).astype(int).tolist(), int(2.0 * plus)
    chances = np.zeros(sum(doubled) + 1)
    chances[0], reached = 1.0, 1
    for step in sorted(doubled):
        half = 0.5 * chances[:reached]
        chances[:reached] = half
        chances[step : step + reached] += half
        reached += step
    less, greater = chances[: observed + 1].sum(), chances[observed:].sum()
    return float(min({"less": less, "greater": greater}.get(alternative, 2.0 * min(less, greater)), 1.0))


class SignTest(NamedTuple):
    """Result of :func:`sign_test`; ties are ignored.

    Parameters
    ----------
    wins, losses, ties : int
    p : float
        Exact p-value; 1 if the two scores are equal in all pairs.
    """

    wins: int
    losses: int
    ties: int
    p: float


@match_rows_by_index
def sign_test(x: ArrayLike, y: ArrayLike | None = None, *, alternative: str = "two-sided") -> SignTest:
    """Matched-pairs sign test: under the null hypothesis wins and losses are equally likely.

    ``x``, ``y``, ``alternative`` and errors are those of :func:`wilcoxon_test`.

    Examples
    --------
    >>> from imbcore import stats
    >>> found = stats.sign_test([0.8, 0.6, 0.9, 0.7, 0.7], [0.7, 0.5, 0.8, 0.7, 0.6], alternative="greater")
    >>> found.wins, found.losses, found.ties, round(found.p, 4)
    (4, 0, 1, 0.0625)
    """
    differences = paired_differences(x, y)
    validate_text_choice("alternative", alternative, ALTERNATIVES)
    from scipy import stats

    wins, losses = int((differences > 0.0).sum()), int((differences < 0.0).sum())
    n = wins + losses
    p = float(stats.binomtest(wins, n, alternative=alternative).pvalue) if n else 1.0
    return SignTest(wins, losses, len(differences) - n, p)


@match_rows_by_index
def hodges_lehmann(x: ArrayLike, y: ArrayLike | None = None) -> float:
    """Hodges-Lehmann estimate of the difference: median of all pairwise means.

    Each difference is also paired with itself. ``x`` and ``y`` are those of :func:`wilcoxon_test`; NaN
    without scores.
    """
    return native.stats.hodges_lehmann(paired_differences(x, y))


class Interval(NamedTuple):
    """Result of :func:`hodges_lehmann_interval`.

    Parameters
    ----------
    estimate : float
        :func:`hodges_lehmann`.
    low, high : float
        Lower and upper end of the confidence interval.
    level : float
        Confidence level that the interval actually has. With the exact distribution it is at least the
        requested level, unless there are too few pairs.
    """

    estimate: float
    low: float
    high: float
    level: float


@match_rows_by_index
def hodges_lehmann_interval(
    x: ArrayLike, y: ArrayLike | None = None, *, level: float = 0.95, method: str = "auto"
) -> Interval:
    """Confidence interval of :func:`hodges_lehmann`, by inverting the signed-rank test.

    Zero differences count; remove them first to reproduce the output of R.

    Parameters
    ----------
    x : array-like of shape (n_pairs,)
        Scores of the first method, or the differences if ``y`` is None.
    y : array-like of shape (n_pairs,), default=None
        Scores of the second method.
    level : float, default=0.95
        In (0, 1).
    method : {"auto", "exact", "normal", "uncorrected"}, default="auto"
        As in :func:`wilcoxon_test`. With the normal approximation, the ends are exact; R computes the same
        ends by a numerical search, within a small error.

    Returns
    -------
    Interval

    Raises
    ------
    DataError
        The series have unequal lengths, or a score is not finite.
    ParameterError
        The level is outside (0, 1), or the value of an option is unknown.
    UnsupportedError
        The exact distribution is requested for more than 1000 pairs.

    References
    ----------
    Hodges and Lehmann 1963; Bauer, "Constructing Confidence Sets Using Rank Statistics", 1972.

    Examples
    --------
    >>> from imbcore import stats
    >>> found = stats.hodges_lehmann_interval([1.0, 2.0, 4.0, 8.0, 16.0], level=0.8)
    >>> found.estimate, found.low, found.high, found.level
    (5.0, 2.0, 10.0, 0.8125)
    """
    how = (validate_real_number("level", level), validate_text_choice("method", method, _METHODS))
    return Interval(*native.stats.hodges_lehmann_interval(paired_differences(x, y), *how))


name_package_in_errors(globals())

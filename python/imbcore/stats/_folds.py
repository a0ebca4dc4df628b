"""Tests of two methods on one data set, with overlapping training sets; Bayesian tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import (
    Numbers,
    to_float_array,
    validate_real_number,
    validate_text_choice,
    validate_whole_number,
)
from imbcore.exceptions import DataError
from imbcore.stats._paired import ALTERNATIVES, paired_differences


class FiveByTwo(NamedTuple):
    """Result of :func:`five_by_two_test`; each ``p`` value belongs to the statistic before it.

    Parameters
    ----------
    t, t_p : float
        Student's t with 5 degrees of freedom; its numerator is the first difference (Dietterich 1998).
    f, f_p : float
        Combined F test with 10 and 5 degrees of freedom, from all ten differences (Alpaydin 1999);
        recommended.
    """

    t: float
    t_p: float
    f: float
    f_p: float


@match_rows_by_index
def five_by_two_test(x: ArrayLike, y: ArrayLike | None = None) -> FiveByTwo:
    """Test two methods on one data set by five replications of two folds.

    Parameters
    ----------
    x : array-like of shape (5, 2) or (10,)
        Scores of the first method, replication by replication, in the order of
        :class:`imbcore.evaluation.StratifiedFolds`; or the differences if ``y`` is None.
    y : array-like of the same shape, default=None
        Scores of the second method on the same folds.

    Returns
    -------
    FiveByTwo
        Both tests are two-sided; p is 1 if all differences are zero.

    Raises
    ------
    DataError
        There are not exactly ten scores, or a score is not finite.

    References
    ----------
    Dietterich, "Approximate Statistical Tests for Comparing Supervised Classification Learning Algorithms",
    1998; Alpaydin, "Combined 5x2 cv F Test", 1999.

    Examples
    --------
    >>> from imbcore import stats
    >>> found = stats.five_by_two_test([[0.02, 0.03], [0.0, 0.03], [0.05, 0.0], [0.05, 0.07], [0.01, 0.03]])
    >>> round(found.t, 3), round(found.f, 3), round(found.f_p, 3)
    (0.964, 3.047, 0.115)
    """
    differences = paired_differences(_to_ten_scores(x, "x"), None if y is None else _to_ten_scores(y, "y"))
    from scipy import stats

    squares, variance = (differences**2).sum(), (np.diff(differences.reshape(5, 2)) ** 2).sum() / 2.0
    if not squares:
        return FiveByTwo(0.0, 1.0, 0.0, 1.0)
    with np.errstate(divide="ignore"):
        t = differences[0] / np.sqrt(variance / 5.0) if differences[0] else 0.0
        f = squares / (2.0 * variance)
    return FiveByTwo(float(t), float(2.0 * stats.t.sf(abs(t), 5)), float(f), float(stats.f.sf(f, 10, 5)))


class CorrectedT(NamedTuple):
    """Result of :func:`corrected_t_test`.

    Parameters
    ----------
    mean : float
        Mean difference.
    t, p : float
    """

    mean: float
    t: float
    p: float


@match_rows_by_index
def corrected_t_test(
    x: ArrayLike,
    y: ArrayLike | None = None,
    *,
    test_to_train: float,
    alternative: str = "two-sided",
) -> CorrectedT:
    """Corrected resampled t test of two methods on one data set.

    Scores of folds or random splits share training rows, so a plain t test has too many false positives. The
    variance of the mean of m differences is taken as (1/m + test_to_train) s^2.

    Parameters
    ----------
    x : array-like of shape (n_scores,)
        Scores of the first method, or the differences if ``y`` is None; one per fold, over all replications.
    y : array-like of shape (n_scores,), default=None
        Scores of the second method on the same folds.
    test_to_train : float
        Ratio of test to training rows: 1 for two folds, 1/9 for ten folds, 15/85 for test sets with 15 % of
        the rows. 0 gives the plain t test.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        Alternative hypothesis. "greater": x is larger; "less": x is smaller.

    Returns
    -------
    CorrectedT

    Raises
    ------
    DataError
        The series have unequal lengths or fewer than two scores, or a score is not finite.
    ParameterError
        ``test_to_train`` is negative, or the alternative is unknown.

    References
    ----------
    Nadeau and Bengio, "Inference for the Generalization Error", 2003.

    Examples
    --------
    >>> from imbcore import stats
    >>> found = stats.corrected_t_test(
    ...     [0.9, 0.8, 0.85, 0.9, 0.8], [0.8, 0.79, 0.8, 0.8, 0.8], test_to_train=1 / 4
    ... )
    >>> round(found.mean, 3), round(found.t, 3), round(found.p, 3)
    (0.052, 1.627, 0.179)
    """
    share, side = (
        validate_real_number("test_to_train", test_to_train),
        validate_text_choice("alternative", alternative, ALTERNATIVES),
    )
    return CorrectedT(*native.stats.corrected_t(paired_differences(x, y), share, side))


class Practical(NamedTuple):
    """Posterior probabilities of the three results of a comparison; their sum is 1.

    Parameters
    ----------
    less : float
        x is practically smaller.
    equivalent : float
        Probability that the difference is in the region of practical equivalence (``rope``); 0 if ``rope`` is
        0.
    greater : float
        x is practically larger.
    """

    less: float
    equivalent: float
    greater: float


@match_rows_by_index
def bayesian_t_test(
    x: ArrayLike, y: ArrayLike | None = None, *, test_to_train: float, rope: float = 0.0
) -> Practical:
    """Bayesian correlated t test: probabilities that either of two methods is better.

    Parameters
    ----------
    x, y, test_to_train
        As in :func:`corrected_t_test`.
    rope : float, default=0.0
        Differences up to this size are practically zero; 0.01 is common for rates.

    Returns
    -------
    Practical

    Raises
    ------
    DataError
        The series have unequal lengths or fewer than two scores, or a score is not finite.
    ParameterError
        A negative ratio or rope.

    References
    ----------
    Corani and Benavoli, "A Bayesian Approach for Comparing Cross-Validated Algorithms", 2015. The package
    baycomp computes the same with ``y`` and ``x`` exchanged.

    Examples
    --------
    >>> from imbcore import stats
    >>> x, y = [0.9, 0.8, 0.85, 0.9, 0.8], [0.8, 0.79, 0.8, 0.8, 0.8]
    >>> found = stats.bayesian_t_test(x, y, test_to_train=1 / 4, rope=0.01)
    >>> [round(chance, 3) for chance in found]
    [0.062, 0.067, 0.87]
    """
    differences = paired_differences(x, y)
    return Practical(
        *native.stats.bayesian_t(
            differences,
            validate_real_number("test_to_train", test_to_train),
            validate_real_number("rope", rope),
        )
    )


@match_rows_by_index
def bayesian_signed_rank_test(
    x: ArrayLike,
    y: ArrayLike | None = None,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    draws: int = 50_000,
    random_state: Any = 0,
) -> Practical:
    """Bayesian signed-rank test: probabilities that one of two methods is better over data sets.

    Each posterior draw gives the differences random weights (a Dirichlet process). It then assigns the mean
    of every pair of differences to one of three results: the first method is better, the second is better, or
    both are practically equivalent. The draw counts for the result with the largest total weight of such
    means. The probability of a result is the fraction of draws that count for it.

    Parameters
    ----------
    x : array-like of shape (n_datasets,)
        Mean scores of the first method, or the differences if ``y`` is None.
    y : array-like of shape (n_datasets,), default=None
        Mean scores of the second method.
    rope : float, default=0.0
        Differences up to this size are practically zero; 0.01 is common for rates.
    prior : float, default=0.5
        Weight of a pseudo-observation with the difference zero; observed differences have weight 1 each.
    draws : int, default=50_000
        Number of draws from the posterior: the error of a probability is at most about 1 / sqrt(draws).
    random_state : int, numpy Generator, RandomState or None, default=0
        Seed of the draws; the default gives the same probabilities in every call.

    Returns
    -------
    Practical

    Raises
    ------
    DataError
        The series have unequal lengths or no pair of scores, or a score is not finite.
    ParameterError
        A number is outside its valid range.

    References
    ----------
    Benavoli et al., "A Bayesian Wilcoxon Signed-Rank Test Based on the Dirichlet Process", 2014; "Time for a
    Change", 2017. The package baycomp computes the same with ``y`` and ``x`` exchanged.

    Examples
    --------
    >>> from imbcore import stats
    >>> x = [0.71, 0.55, 0.83, 0.62, 0.90, 0.44, 0.73, 0.68]
    >>> y = [0.69, 0.52, 0.84, 0.60, 0.86, 0.43, 0.70, 0.61]
    >>> found = stats.bayesian_signed_rank_test(x, y, rope=0.01)
    >>> [round(chance, 1) for chance in found]
    [0.0, 0.0, 1.0]
    """
    n, seed = validate_whole_number("draws", draws, 1), resolve_seed(random_state)
    differences = paired_differences(x, y)
    return Practical(
        *native.stats.bayesian_signed_rank(
            differences, validate_real_number("rope", rope), validate_real_number("prior", prior), n, seed
        )
    )


def _to_ten_scores(scores: ArrayLike, name: str) -> Numbers:
    array = to_float_array(scores, name)
    if array.shape not in {(5, 2), (10,)}:
        raise DataError(f"{name} must hold 5 replications of 2 scores, or all 10 in a row, got {array.shape}")
    return array.ravel()


name_package_in_errors(globals())

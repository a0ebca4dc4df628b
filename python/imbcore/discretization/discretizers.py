"""Discretizers by equal frequency, MDLP, CAIM, CACC and Ameva."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import (
    AmevaDiscretizerParameters,
    CACCDiscretizerParameters,
    CAIMDiscretizerParameters,
    EqualFrequencyDiscretizerParameters,
    MDLPDiscretizerParameters,
)
from imbcore.discretization._base import NativeDiscretizer

__all__ = [
    "AmevaDiscretizer",
    "CACCDiscretizer",
    "CAIMDiscretizer",
    "EqualFrequencyDiscretizer",
    "MDLPDiscretizer",
]


class EqualFrequencyDiscretizer(EqualFrequencyDiscretizerParameters, NativeDiscretizer):
    """Discretizer with bins of equal size, as far as ties allow.

    For ``k`` bins and ``m`` sorted values x, the cut points are ``x_(ceil(b m / k))`` for ``b = 1 .. k - 1``,
    the largest value of each bin except the last. Equal cut points count once and a cut point at the maximum
    is dropped, so a column with ties may have fewer bins. The classes are ignored.

    References
    ----------
    Morán Jiménez, "Influence of imbalanced datasets in the induction of Full Bayesian Classifiers",
    Universitat Oberta de Catalunya 2018: section 8.

    Examples
    --------
    >>> from imbcore.discretization import EqualFrequencyDiscretizer
    >>> found = EqualFrequencyDiscretizer(n_bins=2).fit([[1.0], [2.0], [3.0], [9.0]])
    >>> found.cuts_[0].tolist(), found.transform([[2.0], [2.5], [float("nan")]]).tolist()
    ([2.0], [[0.0], [1.0], [nan]])
    """

    _method: ClassVar[str] = "equal_freq"
    _needs_y: ClassVar[bool] = False


class MDLPDiscretizer(MDLPDiscretizerParameters, NativeDiscretizer):
    """Discretizer by class entropy with the minimum description length principle (MDLP).

    A column is split at the cut point with the largest decrease of the class entropy, and both intervals are
    split in the same way. An interval is split only if this decrease exceeds ``[ln(N - 1) + ln(3^k - 2) - (k
    E - k1 E1 - k2 E2)] / N``. In this formula, N is the number of rows in the interval, k is its number of
    classes, and E is its entropy in nats; k1, E1, k2 and E2 refer to the two new intervals. A column without
    information about the classes keeps one bin.

    References
    ----------
    Fayyad and Irani, "Multi-Interval Discretization of Continuous-Valued Attributes for Classification
    Learning", 1993.

    Examples
    --------
    >>> from imbcore.discretization import MDLPDiscretizer
    >>> X = [[float(value)] for value in range(20)]
    >>> MDLPDiscretizer().fit(X, [0] * 10 + [1] * 10).cuts_[0].tolist()
    [9.5]
    """

    _method: ClassVar[str] = "mdlp"


class CAIMDiscretizer(CAIMDiscretizerParameters, NativeDiscretizer):
    """Discretizer with class-attribute interdependence maximization (CAIM).

    Cut points are added greedily, the best cut point first. Cut points are added while the criterion
    increases, or while there are fewer intervals than classes. The criterion is
    ``(1 / k) * sum_i max_c t_ic^2 / R_i``. In this formula, k is the number of intervals, ``t_ic`` is the
    number of rows of class c in interval i, and ``R_i`` is the number of all rows in interval i.

    References
    ----------
    Kurgan and Cios, "CAIM Discretization Algorithm", 2004.

    Examples
    --------
    >>> from imbcore.discretization import CAIMDiscretizer
    >>> found = CAIMDiscretizer().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> found.cuts_[0].tolist()
    [2.5]
    """

    _method: ClassVar[str] = "caim"


class CACCDiscretizer(CACCDiscretizerParameters, NativeDiscretizer):
    """Discretizer with the class-attribute contingency coefficient (CACC).

    Cut points are added greedily, the best cut point first. Cut points are added while the criterion
    ``sqrt(chi2 / (chi2 + m ln k))`` increases, or while there are fewer intervals than classes. In this
    formula, m is the number of rows, k is the number of intervals, and chi2 is the chi-square statistic of
    the contingency table of intervals and classes.

    References
    ----------
    Tsai, Lee and Yang, "A discretization algorithm based on Class-Attribute Contingency Coefficient", 2008.

    Examples
    --------
    >>> from imbcore.discretization import CACCDiscretizer
    >>> found = CACCDiscretizer().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> found.cuts_[0].tolist()
    [2.5]
    """

    _method: ClassVar[str] = "cacc"


class AmevaDiscretizer(AmevaDiscretizerParameters, NativeDiscretizer):
    """Discretizer with the Ameva criterion.

    Cut points are added greedily, the best cut point first. Cut points are added while the criterion ``chi2 /
    (k (S - 1))`` increases, or while there are fewer intervals than classes. In this formula, k is the number
    of intervals, S is the number of classes, and chi2 is the chi-square statistic of the contingency table of
    intervals and classes.

    References
    ----------
    Gonzalez-Abril, Cuberos, Velasco and Ortega, "Ameva: An autonomous discretization algorithm", 2009.

    Examples
    --------
    >>> from imbcore.discretization import AmevaDiscretizer
    >>> found = AmevaDiscretizer().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> found.cuts_[0].tolist()
    [2.5]
    """

    _method: ClassVar[str] = "ameva"

"""Equal frequency."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import EqualFrequencyDiscretizerParameters
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["EqualFrequencyDiscretizer"]


class EqualFrequencyDiscretizer(EqualFrequencyDiscretizerParameters, NativeDiscretizer):
    """Discretizer with bins of equal size, as far as ties allow.

    The cut points are ``x_(ceil(b m / k))``, ``b = 1 .. k - 1``, of the ``m`` sorted values: the largest
    values of ``k`` equal parts. Equal cut points count once and a cut point at the maximum is dropped, so a
    column with ties may have fewer bins. The classes are ignored.

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

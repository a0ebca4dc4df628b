"""CACC."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CACCDiscretizerParameters
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["CACCDiscretizer"]


class CACCDiscretizer(CACCDiscretizerParameters, NativeDiscretizer):
    """Discretizer with the class-attribute contingency coefficient (CACC).

    Cut points are added greedily, the best one first, as long as ``sqrt(chi2 / (chi2 + m ln k))`` of the
    table of ``k`` intervals by classes of ``m`` rows increases, or there are fewer intervals than classes.

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

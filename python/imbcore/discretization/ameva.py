"""Ameva."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AmevaDiscretizerParameters
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["AmevaDiscretizer"]


class AmevaDiscretizer(AmevaDiscretizerParameters, NativeDiscretizer):
    """Discretizer with the Ameva criterion.

    Cut points are added greedily, the best one first, as long as ``chi2 / (k (S - 1))`` of the table of
    ``k`` intervals by ``S`` classes increases, or there are fewer intervals than classes.

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

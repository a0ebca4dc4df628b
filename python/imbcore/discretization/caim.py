"""CAIM."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CAIMDiscretizerParameters
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["CAIMDiscretizer"]


class CAIMDiscretizer(CAIMDiscretizerParameters, NativeDiscretizer):
    """Discretizer with class-attribute interdependence maximization (CAIM).

    Cut points are added greedily, the best one first, as long as ``sum_i max_c t_ic^2 / R_i / k`` of the
    table ``t`` of ``k`` intervals by classes with interval sums ``R`` increases, or there are fewer intervals
    than classes.

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

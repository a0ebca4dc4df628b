"""CAIM."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CAIMDiscretizerParameters
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["CAIMDiscretizer"]


class CAIMDiscretizer(CAIMDiscretizerParameters, NativeDiscretizer):
    """Cuts by class-attribute interdependence maximisation.

    Cuts are added one at a time, the best one first, for as long as ``sum_i max_c t_ic^2 / R_i / k`` of the
    table ``t`` of ``k`` intervals by classes with interval sums ``R`` rises, and while there are fewer
    intervals than classes.

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

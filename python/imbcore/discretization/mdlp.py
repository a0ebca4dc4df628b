"""MDLP."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import MDLPDiscretizerParameters
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["MDLPDiscretizer"]


class MDLPDiscretizer(MDLPDiscretizerParameters, NativeDiscretizer):
    """Discretizer by class entropy with the minimum description length principle (MDLP).

    A column is split at the largest decrease of the class entropy, and its parts recursively, as long as the
    gain exceeds the description length of the cut point, ``[ln(N - 1) + ln(3^k - 2) - (k E - k1 E1 - k2 E2)]
    / N``. A column without information about the classes keeps one bin.

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

# Written by `make generate` from the registry of methods; edit that, not this.
"""What ``rectify`` chooses between."""

from __future__ import annotations

from typing import ClassVar, Literal

from imbcore._estimators.choice import Choice
from imbcore._input.options import keep_arguments

__all__ = ["Tempered", "Centred", "PerRow", "AsPrinted"]


class Tempered(Choice):
    """Rows weighted by class, so that dependencies within a rare class count.

    Parameters
    ----------
    phi : float, default=0.5
        Strength of the rectification: 1 does nothing, 0 weighs the classes alike. Must be a number of at
        least 0.
    used_for : {"both", "structure"}, default="both"
        What tempered weights are used for: structure and probabilities, which then refer to the tempered
        classes, or structure only.
    """

    _choice: ClassVar[str] = "tempered"

    def __init__(
        self,
        *,
        phi: float = 0.5,
        used_for: Literal["both", "structure"] = "both",
    ) -> None:
        keep_arguments(self, locals())


class Centred(Choice):
    """Damped imbalance, zero at balance.

    Parameters
    ----------
    phi : float, default=0.5
        Strength of the rectification: 1 does nothing, 0 weighs the classes alike. Must be a number of at
        least 0.
    variables : {"class", "all"}, default="class"
        Variables that are rectified, each with its own imbalance.
    """

    _choice: ClassVar[str] = "centred"

    def __init__(
        self,
        *,
        phi: float = 0.5,
        variables: Literal["class", "all"] = "class",
    ) -> None:
        keep_arguments(self, locals())


class PerRow(Choice):
    """The thesis' formula for a row: no arc into a rectified variable pays.

    Parameters
    ----------
    phi : float, default=0.5
        Strength of the rectification: 1 does nothing, 0 weighs the classes alike. Must be a number of at
        least 0.
    variables : {"class", "all"}, default="class"
        Variables that are rectified, each with its own imbalance.
    """

    _choice: ClassVar[str] = "perrow"

    def __init__(
        self,
        *,
        phi: float = 0.5,
        variables: Literal["class", "all"] = "class",
    ) -> None:
        keep_arguments(self, locals())


class AsPrinted(Choice):
    """The thesis' formula as printed: no arc into a rectified variable pays.

    Parameters
    ----------
    phi : float, default=0.5
        Strength of the rectification: 1 does nothing, 0 weighs the classes alike. Must be a number of at
        least 0.
    variables : {"class", "all"}, default="class"
        Variables that are rectified, each with its own imbalance.
    """

    _choice: ClassVar[str] = "literal"

    def __init__(
        self,
        *,
        phi: float = 0.5,
        variables: Literal["class", "all"] = "class",
    ) -> None:
        keep_arguments(self, locals())

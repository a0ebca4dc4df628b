# Written by `make generate` from the registry of methods; edit that, not this.
"""What ``start`` chooses between."""

from __future__ import annotations

from typing import ClassVar

from imbcore._estimators.choice import Choice
from imbcore._input.options import keep_arguments

__all__ = ["RandomStart"]


class RandomStart(Choice):
    """A graph with random arcs.

    Parameters
    ----------
    density : float or None, default=None
        Chance of every arc of a random start; None takes 1 / (n - 1), at most 0.5. Must be in [0, 1], or
        None.
    """

    _choice: ClassVar[str] = "random"

    def __init__(
        self,
        *,
        density: float | None = None,
    ) -> None:
        keep_arguments(self, locals())

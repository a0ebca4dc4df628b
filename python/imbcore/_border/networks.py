"""Rows from which Bayesian networks are learnt, on their way over the border."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.training import sample_weights

__all__ = ["Learnt", "NamedRows", "incumbent_network"]

Learnt: TypeAlias = "tuple[native.networks.Network, float, str, int, float | None, str | None]"
"""A network, its score, why the search ended, the number of operations, a bound on scores, and its proof."""


def incumbent_network(stopped: BaseException) -> Learnt | None:
    """Find what a search had when an exception stopped it, if it had something of use."""
    learnt: Learnt | None = getattr(stopped, "_imbcore_incumbent", None)
    return learnt


@dataclass(frozen=True, slots=True)
class NamedRows:
    """Codes of nominal columns, the names of the columns and of their states, and the weights of the rows."""

    frame: list[tuple[NDArray[np.uint32], int]]
    variables: list[tuple[str, list[str]]]
    sample_weight: NDArray[np.float64] | None

    @classmethod
    def of(
        cls,
        frame: list[tuple[NDArray[np.uint32], int]],
        variables: list[tuple[str, list[str]]],
        sample_weight: Any,
    ) -> NamedRows:
        """Read the weights that the user gave."""
        return cls(frame, variables, sample_weights(sample_weight, len(frame[0][0])))

"""Rows from which Bayesian networks are learnt, on their way over the border."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border.training import sample_weights

__all__ = ["NamedRows"]


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

"""Training data of Bayesian networks in native form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import validate_sample_weights

Learnt: TypeAlias = "tuple[native.networks.Network, float, str, int, float | None, str | None]"
"""Network, score, reason of the end, number of operations, bound on scores, and its proof."""


def incumbent_network(stopped: BaseException) -> Learnt | None:
    """Return the best result of a search that an exception stopped, if there is one."""
    return getattr(stopped, "_imbcore_incumbent", None)


@dataclass(frozen=True, slots=True)
class NominalTrainingRows:
    """Codes of nominal columns, names of columns and states, and row weights."""

    frame: list[tuple[NDArray[np.uint32], int]]
    variables: list[tuple[str, list[str]]]
    sample_weight: NDArray[np.float64] | None

    @classmethod
    def from_frame(
        cls,
        frame: list[tuple[NDArray[np.uint32], int]],
        variables: list[tuple[str, list[str]]],
        sample_weight: Any,
    ) -> NominalTrainingRows:
        """Validate the weights given by the user."""
        return cls(frame, variables, validate_sample_weights(sample_weight, len(frame[0][0])))

"""Results of network queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.columns import Level
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError


def import_pandas(caller: str) -> Any:
    """Import pandas, or raise an error with the installation command."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            f"{caller} returns pandas objects; install it with: pip install 'imbcore[pandas]'"
        ) from error
    return pd


@dataclass(frozen=True, eq=False)
class Distribution:
    """Joint distribution of one or several variables.

    Attributes
    ----------
    states
        States of every variable, by name, in the order of the axes of ``p``.
    p
        Probabilities, one axis per variable.
    log_evidence
        Natural logarithm of the probability of the evidence.
    standard_error
        Standard errors of ``p`` if it was estimated from a sample, else ``None``.
    """

    states: Mapping[str, tuple[Level, ...]]
    p: NDArray[np.float64]
    log_evidence: float
    standard_error: NDArray[np.float64] | None = None

    def __getitem__(self, states: Any) -> float:
        """Return the probability of one state, or of one state per variable in their order."""
        given = states if isinstance(states, tuple) and len(self.states) > 1 else (states,)
        if len(given) != len(self.states):
            raise ParameterError(f"give a state for each of {list(self.states)}, got {value_text(states)}")
        place = []
        for (name, known), state in zip(self.states.items(), given, strict=True):
            if state not in known:
                raise ParameterError(f"{name!r} has no state {state!r}; its states are {list(known)}")
            place.append(known.index(state))
        return float(self.p[tuple(place)])

    def to_dict(self) -> dict[Any, float]:
        """Return probabilities by state, or by tuple of states if there are several variables."""
        axes = list(self.states.values())
        places = np.ndindex(self.p.shape)
        cells = ((tuple(axis[at] for axis, at in zip(axes, place, strict=True)), place) for place in places)
        single = len(axes) == 1
        return {key[0] if single else key: float(self.p[place]) for key, place in cells}

    def to_frame(self) -> Any:
        """Return a ``pandas.DataFrame``: one row per combination of states, probabilities in ``p``."""
        pd = import_pandas("Distribution.to_frame")
        index = pd.MultiIndex.from_product(list(self.states.values()), names=list(self.states))
        columns = {"p": self.p.ravel()}
        if self.standard_error is not None:
            columns["standard_error"] = self.standard_error.ravel()
        return pd.DataFrame(columns, index=index if len(self.states) > 1 else index.get_level_values(0))

    def __repr__(self) -> str:
        shown = list(self.to_dict().items())
        lines = [f"P({', '.join(self.states)})"]
        lines += [f"  {_states_to_text(key)}: {p:.6g}" for key, p in shown[:20]]
        if len(shown) > 20:
            lines.append(f"  ... and {len(shown) - 20} more")
        return "\n".join(lines)


def _states_to_text(key: Any) -> str:
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


@dataclass(frozen=True)
class Explanation:
    """Most probable joint states of all variables.

    Attributes
    ----------
    states
        State of every variable, by name, including the evidence.
    log_probability
        Natural logarithm of the joint probability of the states.
    """

    states: dict[str, Level]
    log_probability: float


name_package_in_errors(globals())

"""Options of every native call: seed and number of threads."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np

from imbcore._bindings.progress import Callback as Callback
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError

# Far above any machine; prevents a typo from creating a million threads.
_MAX_THREADS = 4096


def resolve_seed(random_state: Any) -> int:
    """Convert None, an integer or a NumPy generator to a 64-bit seed."""
    if random_state is None:
        return secrets.randbits(64)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**64, dtype=np.uint64))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**64, dtype=np.uint64))
    seed = _integer_or_none(random_state)
    if seed is None or not 0 <= seed < 2**64:
        raise ParameterError(
            "random_state must be None, an integer from 0 to 2**64 - 1, a numpy Generator or a RandomState, "
            f"got {value_text(random_state)}"
        )
    return seed


def resolve_threads(n_threads: Any, n_jobs: Any = None) -> int:
    """Determine the number of threads; ``n_jobs`` is another name of ``n_threads``."""
    asked = n_threads if n_threads is not None else n_jobs
    if n_threads is not None and n_jobs is not None and n_threads != n_jobs:
        raise ParameterError(
            f"n_threads={n_threads!r} and n_jobs={n_jobs!r} are the same option; give one of them"
        )
    if asked is None:
        return _default_threads()
    count = _integer_or_none(asked)
    if count is None or count == 0 or count > _MAX_THREADS:
        name = "n_threads" if n_threads is not None else "n_jobs"
        raise ParameterError(
            f"{name} must be None, an integer from 1 to {_MAX_THREADS}, -1 for all cores, -2 for all but "
            f"one, ..., got {value_text(asked)}"
        )
    return count if count > 0 else max(1, _cores() + 1 + count)


def _default_threads() -> int:
    own = os.environ.get("IMBCORE_NUM_THREADS")
    if own is not None:
        if not own.strip().isdecimal() or not 1 <= int(own) <= _MAX_THREADS:
            raise ParameterError(
                f"the environment variable IMBCORE_NUM_THREADS must be an integer from 1 to {_MAX_THREADS}, "
                f"got {value_text(own)}"
            )
        return int(own)
    # OpenMP allows a list with one count per nesting level; malformed values are ignored.
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if first.isdecimal() and 1 <= int(first) <= _MAX_THREADS:
        return int(first)
    return _cores()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _integer_or_none(value: Any) -> int | None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        return None
    return int(value)


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run in the form of the native module."""

    seed: int
    n_threads: int
    callback: Callback | None = None
    # Repetition and fold of a trial, if the fit is to its training set.
    fold: tuple[int, int] | None = None
    # Object that clusters rows in place of the method's own algorithm.
    clusterer: Any = None

    @classmethod
    def from_options(
        cls,
        random_state: Any,
        n_threads: Any,
        n_jobs: Any,
        callback: Callback | None = None,
        fold: tuple[int, int] | None = None,
    ) -> Options:
        """Validate the options given by the user."""
        return cls(resolve_seed(random_state), resolve_threads(n_threads, n_jobs), callback, fold)

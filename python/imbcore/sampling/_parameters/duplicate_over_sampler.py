# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``DuplicateOverSampler``, and what its parameters mean."""

from __future__ import annotations

from typing import Any

from imbcore._input.options import keep_arguments

__all__ = ["DuplicateOverSamplerParameters"]


class DuplicateOverSamplerParameters:
    """Parameters of :class:`DuplicateOverSampler`."""

    def __init__(
        self,
        *,
        weights: Any = "auto",
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        weights : Any, default="auto"
            How often each row of a class appears, by class. "auto": the smallest class as often as it goes
            without more rows than the largest class has, the others once.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())

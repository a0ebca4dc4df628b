# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``EqualFrequencyDiscretizer``, and what its parameters mean."""

from __future__ import annotations

from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["EqualFrequencyDiscretizerParameters"]


class EqualFrequencyDiscretizerParameters:
    """Parameters of :class:`EqualFrequencyDiscretizer`."""

    def __init__(
        self,
        *,
        n_bins: int = 5,
        unseen: Literal["missing", "error"] = "missing",
        categorical_features: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        n_bins : int, default=5
            Bins of a column. Must be a whole number from 2 to 65533.
        unseen : {"missing", "error"}, default="missing"
            Levels of nominal columns that ``fit`` did not see: "missing" makes them NaN, with a warning;
            "error" refuses them.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway, and keep their levels as codes.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())

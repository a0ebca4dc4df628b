# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``RandomOverSampler``, and what its parameters mean."""

from __future__ import annotations

from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["RandomOverSamplerParameters"]


class RandomOverSamplerParameters:
    """Parameters of :class:`RandomOverSampler`."""

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        shrinkage: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        sampling_strategy : Any, default="auto"
            Which classes, and how many rows of them afterwards: "auto" (where rows are added "not
            majority", where they are taken away "not minority"), "minority", "majority", "not minority",
            "not majority" or "all"; a number in (0, 1] is the ratio of the smaller to the larger of two
            classes; a dict has numbers of rows by class; cleaning takes a list of classes. A function is
            called with y and answers one of these.
        ratio : {"min/maj", "fraction"}, default="min/maj"
            What a number as ``sampling_strategy`` is: the smaller class to the larger one, or to all rows.
            Must be "min/maj" or "fraction".
        shrinkage : Any, default=None
            Noise around the copies (a smoothed bootstrap): standard deviation of the noise, in units of the
            bandwidth that suits normal data, for all classes or by class. None: exact copies.
        random_state : Any, default=None
            Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give
            equal rows whatever ``n_threads`` is. None draws a seed.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())

# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``SMOTETomek``, and what its parameters mean."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["SMOTETomekParameters"]


class SMOTETomekParameters:
    """Parameters of :class:`SMOTETomek`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        smote: Any = None,
        tomek: Any = None,
        densify: bool = False,
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
        smote : Any, default=None
            The first step, or its parameters. None: SMOTE with this ``sampling_strategy``.
        tomek : Any, default=None
            The second step, or its parameters. None: both ends of every link are removed.
        densify : bool, default=False
            Whether a sparse matrix is copied into a dense one, which the distances need; False refuses it.
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

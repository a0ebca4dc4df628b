# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``ADASYN``, and what its parameters mean."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["ADASYNParameters"]


class ADASYNParameters:
    """Parameters of :class:`ADASYN`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        n_neighbors: int = 5,
        beta: float | None = None,
        d_th: float | None = None,
        rounding: Literal["half_even", "exact"] = "half_even",
        on_small: Literal["raise", "shrink", "copy"] = "raise",
        on_zero: Literal["raise", "equal"] = "raise",
        include_self: bool = False,
        scale: Literal["minmax", "std"] | None = None,
        algorithm: Literal["auto", "brute", "kd_tree"] = "auto",
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
        n_neighbors : int, default=5
            Nearest rows of all classes that tell how hard a row is, and nearest rows of its class towards
            which rows are added. Must be a whole number of at least 1.
        beta : float or None, default=None
            How much of the lack of rows is made up for, 1 for all of it, in place of the numbers of the
            strategy. Must be None or a number of at least 0.
        d_th : float or None, default=None
            A class with at least so many rows for each of the largest class is left as it is. Must be None
            or a number in (0, 1].
        rounding : {"half_even", "exact"}, default="half_even"
            Whether the numbers of rows are rounded one by one, so that the sum may miss the goal, or so
            that it does not. Must be "half_even" or "exact".
        on_small : {"raise", "shrink", "copy"}, default="raise"
            What to do with a class that has no more than ``n_neighbors`` rows: an error, fewer neighbours,
            or copies. Must be "raise", "shrink" or "copy".
        on_zero : {"raise", "equal"}, default="raise"
            What to do where no row of a class has a neighbour of another class: an error, or as many rows
            for each. Must be "raise" or "equal".
        include_self : bool, default=False
            Whether a row counts as the first of its own neighbours, as in the code of Zhu, Li and Dunson
            (2021).
        scale : {"minmax", "std"} or None, default=None
            Unit of each column in distances: None as it is, its range, or its standard deviation. Added
            rows are in the units of the data. Must be None, "minmax" or "std".
        algorithm : {"auto", "brute", "kd_tree"}, default="auto"
            How neighbours are looked for; the answers are the same. Must be "auto", "brute" or "kd_tree".
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

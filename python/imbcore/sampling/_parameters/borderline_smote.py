# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``BorderlineSMOTE``, and what its parameters mean."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["BorderlineSMOTEParameters"]


class BorderlineSMOTEParameters:
    """Parameters of :class:`BorderlineSMOTE`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        k_neighbors: int = 5,
        m_neighbors: int | None = None,
        kind: Literal["borderline-1", "borderline-2", "thesis", "svr_code"] = "borderline-1",
        on_empty: Literal["warn", "smote", "raise"] = "warn",
        per_base: int | None = None,
        gap: Literal["line", "attribute", "midpoint"] | None = None,
        schedule: Literal["uniform", "even"] | None = None,
        neighbor_draw: Literal["replace", "distinct_first"] = "replace",
        on_small: Literal["raise", "shrink", "copy"] = "raise",
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
        k_neighbors : int, default=5
            Nearest rows, of which one is the other end of an added row. Must be a whole number of at least
            1.
        m_neighbors : int or None, default=None
            Nearest rows of all classes that tell where a row lies. None: 10, and 5 for kind="thesis". Must
            be None or a whole number of at least 1.
        kind : {"borderline-1", "borderline-2", "thesis", "svr_code"}, default="borderline-1"
            Which rows are bases: rows with at least half but not all of their neighbours in other classes
            ("borderline-1"; "borderline-2" also goes towards other classes, half way at most), those and
            noise with rows added in the middle ("thesis", Morán Jiménez 2018), or the half of the class
            with the fewest of its rows around ("svr_code", the code of Zhu, Li and Dunson 2021). Must be
            "borderline-1", "borderline-2", "thesis" or "svr_code".
        on_empty : {"warn", "smote", "raise"}, default="warn"
            What to do where no row of a class is a base: a warning, SMOTE from all its rows, or an error.
            Must be "warn", "smote" or "raise".
        per_base : int or None, default=None
            Added rows for each base (the paper's s), in place of the numbers of the strategy. Must be None
            or a whole number of at least 0.
        gap : {"line", "attribute", "midpoint"} or None, default=None
            Where an added row lies between its two ends. None: half way for kind="thesis", else on the
            line. Must be None, "line", "attribute" or "midpoint".
        schedule : {"uniform", "even"} or None, default=None
            Whether a random row is the base each time, or all equally often. None: equally often for
            kind="thesis", else random. Must be None, "uniform" or "even".
        neighbor_draw : {"replace", "distinct_first"}, default="replace"
            Whether a base may meet a neighbour again before it has met all. Must be "replace" or
            "distinct_first".
        on_small : {"raise", "shrink", "copy"}, default="raise"
            What to do with a class that has no more than ``k_neighbors`` rows: an error, fewer neighbours,
            or copies. Must be "raise", "shrink" or "copy".
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

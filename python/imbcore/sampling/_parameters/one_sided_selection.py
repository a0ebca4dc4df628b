# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``OneSidedSelection``, and what its parameters mean."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["OneSidedSelectionParameters"]


class OneSidedSelectionParameters:
    """Parameters of :class:`OneSidedSelection`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        n_neighbors: int | None = None,
        n_seeds_S: int = 1,
        order: Literal["condense_first", "tomek_first"] = "condense_first",
        passes: Literal["one", "hart"] = "one",
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
        n_neighbors : int or None, default=None
            Rows of the store that vote on the class of a row. None: 1. Must be None or a whole number of at
            least 1.
        n_seeds_S : int, default=1
            Random rows of each class of the strategy with which the store begins. Must be a whole number of
            at least 0.
        order : {"condense_first", "tomek_first"}, default="condense_first"
            Whether rows are condensed and then freed of Tomek links (the paper), or the other way round
            (Morán Jiménez 2018). Must be "condense_first" or "tomek_first".
        passes : {"one", "hart"}, default="one"
            Whether all rows that the first store gives a wrong class join at once, or one after the other
            until none is left. Must be "one" or "hart".
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

# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructors of the estimators of this folder, and what their parameters mean."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["ADASYNParameters", "BorderlineSMOTEParameters", "CondensedNearestNeighbourParameters", "DuplicateOverSamplerParameters", "OneSidedSelectionParameters", "RandomOverSamplerParameters", "RandomUnderSamplerParameters", "SMOTEParameters", "SMOTENCParameters", "SMOTETomekParameters", "TomekLinksParameters"]


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


class CondensedNearestNeighbourParameters:
    """Parameters of :class:`CondensedNearestNeighbour`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        n_neighbors: int | None = None,
        n_seeds_S: int = 1,
        keep_minority: bool = True,
        scan: Literal["random", "row"] = "random",
        until: Literal["consistent", "one_pass"] = "consistent",
        store: Literal["all", "per_class"] = "all",
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
            Rows of the store that vote on the class of a row. None: 1; with more, the result need not be
            consistent. Must be None or a whole number of at least 1.
        n_seeds_S : int, default=1
            Random rows of each class of the strategy with which the store begins. Must be a whole number of
            at least 0.
        keep_minority : bool, default=True
            Whether the store begins with the smallest class and all classes outside the strategy. False:
            with one random row, and all rows are candidates (Hart 1968).
        scan : {"random", "row"}, default="random"
            In which order rows are looked at. Must be "random" or "row".
        until : {"consistent", "one_pass"}, default="consistent"
            Whether passes go on until no row outside the store gets a wrong class. Must be "consistent" or
            "one_pass".
        store : {"all", "per_class"}, default="all"
            Whether all classes share one store, or each is condensed against the smallest class alone. Must
            be "all" or "per_class".
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


class RandomUnderSamplerParameters:
    """Parameters of :class:`RandomUnderSampler`."""

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        replacement: bool = False,
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
        replacement : bool, default=False
            Whether the rows that stay are drawn with replacement.
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


class SMOTEParameters:
    """Parameters of :class:`SMOTE`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        k_neighbors: int = 5,
        gap: Literal["line", "attribute", "midpoint"] = "line",
        schedule: Literal["uniform", "even"] = "uniform",
        neighbor_draw: Literal["replace", "distinct_first"] = "replace",
        on_small: Literal["raise", "shrink", "copy"] = "raise",
        percent: float | None = None,
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
        k_neighbors : int, default=5
            Nearest rows of the same class, of which one is the other end of an added row. Must be a whole
            number of at least 1.
        gap : {"line", "attribute", "midpoint"}, default="line"
            Where an added row lies between its two ends: anywhere on the line, anywhere in the box they
            span (the pseudo-code of the paper), or half way. Must be "line", "attribute" or "midpoint".
        schedule : {"uniform", "even"}, default="uniform"
            Whether a random row is the base each time, or all rows equally often (the paper). Must be
            "uniform" or "even".
        neighbor_draw : {"replace", "distinct_first"}, default="replace"
            Whether a base may meet a neighbour again before it has met all. Must be "replace" or
            "distinct_first".
        on_small : {"raise", "shrink", "copy"}, default="raise"
            What to do with a class that has no more than ``k_neighbors`` rows: an error, fewer neighbours,
            or copies. Must be "raise", "shrink" or "copy".
        percent : float or None, default=None
            Added rows in percent of the rows of each class of the strategy, whose numbers then do not count
            (the paper's N): from 100 on, whole hundreds for each row; below, one for a random part of the
            rows. Must be None or a number of at least 0.
        include_self : bool, default=False
            Whether a row counts as the first of its own neighbours, as in the code of Zhu, Li and Dunson
            (2021): one added row in ``k_neighbors`` is then a copy.
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


class SMOTENCParameters:
    """Parameters of :class:`SMOTENC`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"categorical_encoder", "densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        k_neighbors: int = 5,
        schedule: Literal["uniform", "even"] = "uniform",
        neighbor_draw: Literal["replace", "distinct_first"] = "replace",
        on_small: Literal["raise", "shrink", "copy"] = "raise",
        scale: Literal["minmax", "std"] | None = None,
        algorithm: Literal["auto", "brute", "kd_tree"] = "auto",
        densify: bool = False,
        categorical_features: Any = "auto",
        categorical_encoder: Any = None,
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
            Nearest rows of the same class, of which one is the other end of an added row. Must be a whole
            number of at least 1.
        schedule : {"uniform", "even"}, default="uniform"
            Whether a random row is the base each time, or all rows equally often. Must be "uniform" or
            "even".
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
        categorical_features : Any, default="auto"
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway, and "auto" means those alone.
        categorical_encoder : Any, default=None
            Not used; imbalanced-learn has it.
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


class TomekLinksParameters:
    """Parameters of :class:`TomekLinks`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"densify"})

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        ratio: Literal["min/maj", "fraction"] = "min/maj",
        passes: int = 1,
        scale: Literal["minmax", "std"] | None = None,
        algorithm: Literal["auto", "brute", "kd_tree"] = "auto",
        densify: bool = False,
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
        passes : int, default=1
            Most passes; the next one looks at the rows that are left, and none follows one that removes
            nothing. Must be a whole number of at least 1.
        scale : {"minmax", "std"} or None, default=None
            Unit of each column in distances: None as it is, its range, or its standard deviation. Added
            rows are in the units of the data. Must be None, "minmax" or "std".
        algorithm : {"auto", "brute", "kd_tree"}, default="auto"
            How neighbours are looked for; the answers are the same. Must be "auto", "brute" or "kd_tree".
        densify : bool, default=False
            Whether a sparse matrix is copied into a dense one, which the distances need; False refuses it.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())

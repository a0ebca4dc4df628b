# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructors of the estimators of this folder, and what their parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["ExactBoxesParameters", "FastBoxesCVParameters", "FastBoxesParameters", "PRIMParameters"]


class ExactBoxesParameters:
    """Parameters of :class:`ExactBoxesClassifier`."""

    def __init__(
        self,
        *,
        n_boxes: int = 2,
        negative_weight: float = 1.0,
        box_cost: float = 0.5,
        expand: float = 0.0,
        margin: float = 0.01,
        strictness: float = 0.001,
        formulation: Literal["columns", "compact", "paper"] = "columns",
        start: Literal["fast_boxes", "none"] = "fast_boxes",
        heuristic: Literal["none", "neighbourhood", "clusters"] = "none",
        radius: float = 0.5,
        time_limit: float | None = 300.0,
        gap: float = 0.0,
        decode: Literal["widest", "margin"] = "widest",
        scale: Literal["minmax", "maxabs"] = "minmax",
        missing: Literal["error", "outside", "inside"] = "error",
        categorical_features: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        cost_matrix: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "prior"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        n_boxes : int, default=2
            Most boxes there may be; how many are drawn is decided by ``box_cost``. Must be a whole number
            of at least 1.
        negative_weight : float, default=1.0
            Weight of a row of the other class in the objective; c of the paper. Must be in (0, 1].
        box_cost : float, default=0.5
            Price of a box, in positive rows: a box has to earn more than this. Must be a number of at least
            0.
        expand : float, default=0.0
            Reward for the scaled width of boxes, the regulariser of the authors' program; all boxes are
            then there, and with "columns" box_cost must be 0. Must be a number of at least 0.
        margin : float, default=0.01
            Distance that a wall keeps from the rows on both sides, on scaled features. Must be a number of
            at least 0.
        strictness : float, default=0.001
            Eps of the paper: what makes the margin strict. Must be a number above 0.
        formulation : {"columns", "compact", "paper"}, default="columns"
            How the optimum is found, the same with all: "columns", own search by branch and bound, the
            fastest; "compact", a small mixed-integer program; "paper", that of the paper, equation by
            equation.
        start : {"fast_boxes", "none"}, default="fast_boxes"
            Drawing that the search starts from.
        heuristic : {"none", "neighbourhood", "clusters"}, default="none"
            "neighbourhood" looks only at rows of the other class within radius of a positive row in some
            column; "clusters" draws one box for each cluster of positive rows from the rows within radius
            of its centre in every column. Both prove no optimum; the bound holds all the same.
        radius : float, default=0.5
            Distance within which a heuristic looks at rows, on scaled features. Must be a number above 0.
        time_limit : float or None, default=300.0
            Seconds of wall clock; a fit that they end depends on the speed of the machine, any other does
            not. Must be seconds above 0 and at most a year, or None.
        gap : float, default=0.0
            Difference between bound and objective that is good enough. Must be a number of at least 0.
        decode : {"widest", "margin"}, default="widest"
            Bounds that predict: "widest" puts each midway to the rows it keeps out and drops those that
            keep out none; "margin" leaves them at the margin. Both have the same objective.
        scale : {"minmax", "maxabs"}, default="minmax"
            Scaling of columns within the method; rules are in original units.
        missing : {"error", "outside", "inside"}, default="error"
            Missing values of rows to answer: refused, never within a bound, or within every bound; training
            rows may have none.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies.
        cost_matrix : Any, default=None
            Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j`` of an array of shape
            (n_classes, n_classes), classes in sorted order; or a dict from pairs of labels ``(true,
            answered)``, other pairs costing 0. Costs are finite and at least 0. "balanced" makes the errors
            of a class cost inversely to its frequency.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "prior"} or None, default=None
            Two classes only: answer the positive class when its probability is at least this, in [0, 1];
            "f1" takes the one with the best F1 of that class on rows of five inner folds. "prior", for
            Bayesian classifiers of any number of classes: the class whose probability the row raised most.
            None answers the most probable class.
        positive : Any, default=None
            Label of the class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and
            1, -1 and 1 or False and True; else the rarer class, of equals the greater label. See "The
            positive class" in the documentation.
        random_state : Any, default=None
            Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give
            equal models whatever ``n_threads`` is. None draws a seed.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())


class FastBoxesCVParameters:
    """Parameters of :class:`FastBoxesCV`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"cv", "expansion_grid", "n_boxes_grid"})

    def __init__(
        self,
        *,
        negative_weight: float = 1.0,
        eps: float = 0.01,
        bound_rule: Literal["paper", "program", "expand", "none"] = "paper",
        scale: Literal["minmax", "maxabs", "none"] = "minmax",
        clustering: Literal["kmeans", "program"] = "kmeans",
        n_init: int = 5,
        ranking: Literal["levels", "exact"] = "levels",
        missing: Literal["error", "outside", "inside"] = "outside",
        n_boxes_grid: Any = (1, 2, 3, 4, 5, 7, 10),
        expansion_grid: Any = (0.0, 1.0, 10.0, 100.0, 1000.0),
        cv: Any = 3,
        categorical_features: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        cost_matrix: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "prior"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        negative_weight : float, default=1.0
            Weight of a row of the other class in the loss, c of the paper; boxes grow as it falls. Must be
            in (0, 1].
        eps : float, default=0.01
            Share of the gap to the next row of the other class that a bound keeps from it. Must be in [0,
            1].
        bound_rule : {"paper", "program", "expand", "none"}, default="paper"
            Last step of a bound: "paper" towards the next row of the other class, "program" as the authors'
            program, "expand" only never inwards, "none".
        scale : {"minmax", "maxabs", "none"}, default="minmax"
            Scaling of numeric features within the method; rules are in original units.
        clustering : {"kmeans", "program"}, default="kmeans"
            k-means on scaled features, or as the authors' program: one start on standardised ones.
        n_init : int, default=5
            Starts of k-means, of which the best is kept. Must be a whole number of at least 1.
        ranking : {"levels", "exact"}, default="levels"
            Probabilities with the bound rule "paper": "levels" is exact at the weights 0.1, 0.2, ..., 1 and
            at negative_weight and smooth between; "exact" is exact everywhere, with a larger model.
        missing : {"error", "outside", "inside"}, default="outside"
            Missing values: refused, never within a bound, or within every bound.
        n_boxes_grid : Any, default=(1, 2, 3, 4, 5, 7, 10)
            Numbers of boxes to try, each at least 1.
        expansion_grid : Any, default=(0.0, 1.0, 10.0, 100.0, 1000.0)
            Expansions to try, each at least 0.
        cv : Any, default=3
            Number of stratified folds, at least 2; or a splitter of scikit-learn; or pairs of training and
            test row positions.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies.
        cost_matrix : Any, default=None
            Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j`` of an array of shape
            (n_classes, n_classes), classes in sorted order; or a dict from pairs of labels ``(true,
            answered)``, other pairs costing 0. Costs are finite and at least 0. "balanced" makes the errors
            of a class cost inversely to its frequency.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "prior"} or None, default=None
            Two classes only: answer the positive class when its probability is at least this, in [0, 1];
            "f1" takes the one with the best F1 of that class on rows of five inner folds. "prior", for
            Bayesian classifiers of any number of classes: the class whose probability the row raised most.
            None answers the most probable class.
        positive : Any, default=None
            Label of the class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and
            1, -1 and 1 or False and True; else the rarer class, of equals the greater label. See "The
            positive class" in the documentation.
        random_state : Any, default=None
            Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give
            equal models whatever ``n_threads`` is. None draws a seed.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())


class FastBoxesParameters:
    """Parameters of :class:`FastBoxesClassifier`."""

    def __init__(
        self,
        *,
        n_boxes: int = 3,
        negative_weight: float = 1.0,
        expansion: float = 1.0,
        eps: float = 0.01,
        bound_rule: Literal["paper", "program", "expand", "none"] = "paper",
        scale: Literal["minmax", "maxabs", "none"] = "minmax",
        clustering: Literal["kmeans", "program"] = "kmeans",
        n_init: int = 5,
        ranking: Literal["levels", "exact"] = "levels",
        missing: Literal["error", "outside", "inside"] = "outside",
        categorical_features: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        cost_matrix: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "prior"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        n_boxes : int, default=3
            Boxes, that is clusters of positive rows; fewer where there are fewer distinct positive rows.
            Must be a whole number of at least 1.
        negative_weight : float, default=1.0
            Weight of a row of the other class in the loss, c of the paper; boxes grow as it falls. Must be
            in (0, 1].
        expansion : float, default=1.0
            Beta of the paper: how hard bounds are pushed outwards. Must be a number of at least 0.
        eps : float, default=0.01
            Share of the gap to the next row of the other class that a bound keeps from it. Must be in [0,
            1].
        bound_rule : {"paper", "program", "expand", "none"}, default="paper"
            Last step of a bound: "paper" towards the next row of the other class, "program" as the authors'
            program, "expand" only never inwards, "none".
        scale : {"minmax", "maxabs", "none"}, default="minmax"
            Scaling of numeric features within the method; rules are in original units.
        clustering : {"kmeans", "program"}, default="kmeans"
            k-means on scaled features, or as the authors' program: one start on standardised ones.
        n_init : int, default=5
            Starts of k-means, of which the best is kept. Must be a whole number of at least 1.
        ranking : {"levels", "exact"}, default="levels"
            Probabilities with the bound rule "paper": "levels" is exact at the weights 0.1, 0.2, ..., 1 and
            at negative_weight and smooth between; "exact" is exact everywhere, with a larger model.
        missing : {"error", "outside", "inside"}, default="outside"
            Missing values: refused, never within a bound, or within every bound.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies.
        cost_matrix : Any, default=None
            Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j`` of an array of shape
            (n_classes, n_classes), classes in sorted order; or a dict from pairs of labels ``(true,
            answered)``, other pairs costing 0. Costs are finite and at least 0. "balanced" makes the errors
            of a class cost inversely to its frequency.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "prior"} or None, default=None
            Two classes only: answer the positive class when its probability is at least this, in [0, 1];
            "f1" takes the one with the best F1 of that class on rows of five inner folds. "prior", for
            Bayesian classifiers of any number of classes: the class whose probability the row raised most.
            None answers the most probable class.
        positive : Any, default=None
            Label of the class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and
            1, -1 and 1 or False and True; else the rarer class, of equals the greater label. See "The
            positive class" in the documentation.
        random_state : Any, default=None
            Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give
            equal models whatever ``n_threads`` is. None draws a seed.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())


class PRIMParameters:
    """Parameters of :class:`PRIMClassifier`."""

    def __init__(
        self,
        *,
        peel_alpha: float = 0.05,
        paste_alpha: float = 0.01,
        min_mass: float | None = None,
        min_mean: float | None = None,
        max_boxes: int | None = 10,
        validation: float = 0.0,
        drop: bool = False,
        negative_weight: float | None = None,
        missing: Literal["error", "outside", "inside"] = "outside",
        categorical_features: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        cost_matrix: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "prior"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        peel_alpha : float, default=0.05
            Share of a box's rows that one peel takes off at most. Must be in (0, 1).
        paste_alpha : float, default=0.01
            Share of a box's rows that one paste adds. 0: nothing is pasted. Must be in [0, 1).
        min_mass : float or None, default=None
            Smallest share of all rows in a box. None: 0.05, or half the share of positive rows if that is
            less, and at least 10 rows. Must be in (0, 1], or None.
        min_mean : float or None, default=None
            Smallest share of positive rows in a box. None: that among all rows. Must be in [0, 1], or None.
        max_boxes : int or None, default=10
            Most boxes. None: as many as reach min_mean. Must be a whole number of at least 1, or None.
        validation : float, default=0.0
            Share of rows set aside to choose among the boxes of a trajectory. 0: training rows choose. Must
            be in [0, 1).
        drop : bool, default=False
            Whether conditions are dropped that the choosing rows do not need.
        negative_weight : float or None, default=None
            Weight of a row of the other class in the probabilities. None: the ratio of the classes, so that
            boxes denser than the data have more than one half. Must be a number above 0, or None.
        missing : {"error", "outside", "inside"}, default="outside"
            Missing values: refused, never within a bound, or within every bound.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies.
        cost_matrix : Any, default=None
            Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j`` of an array of shape
            (n_classes, n_classes), classes in sorted order; or a dict from pairs of labels ``(true,
            answered)``, other pairs costing 0. Costs are finite and at least 0. "balanced" makes the errors
            of a class cost inversely to its frequency.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "prior"} or None, default=None
            Two classes only: answer the positive class when its probability is at least this, in [0, 1];
            "f1" takes the one with the best F1 of that class on rows of five inner folds. "prior", for
            Bayesian classifiers of any number of classes: the class whose probability the row raised most.
            None answers the most probable class.
        positive : Any, default=None
            Label of the class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and
            1, -1 and 1 or False and True; else the rarer class, of equals the greater label. See "The
            positive class" in the documentation.
        random_state : Any, default=None
            Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give
            equal models whatever ``n_threads`` is. None draws a seed.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())

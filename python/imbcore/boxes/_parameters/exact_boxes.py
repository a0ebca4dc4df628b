# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``ExactBoxesClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["ExactBoxesParameters"]


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
        costs: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = None,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
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
            of a class cost inversely to its frequency, "imbalance" answering ``j`` for ``k`` ``n_j / n_k``.
        costs : Any, default=None
            What errors cost where rows differ, in place of ``cost_matrix``: a dict from 'alarm' (a false
            one), 'miss', 'hit' and 'pass', or from pairs of labels ``(true, answered)``, to a number or the
            name of a column of X, such as ``{'alarm': 5, 'miss': 'amount'}``; others cost 0. Every row gets
            the answer of least expected cost by its own; the training is not changed, and the column stays
            a feature. Also an array of shape (n_rows, n_classes, n_classes), or a function that makes one
            of X; ``predict`` then needs one, too.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "f2", "g_mean", "mcc", "youden", "prior"} or dict or None, default=None
            Of two classes: answer the positive class when its probability is at least this, in [0, 1]. A
            word takes the one that is best by that measure (of more classes one for each), a dict the one
            that reaches something: ``{"recall": 0.9}``, ``{"precision": 0.5}``, ``{"fpr": 0.001}``,
            ``{"alert_rate": 0.01}``, ``{"alerts": 200, "per": 50000}``, ``{"cost": matrix}``; on out-of-bag
            answers, or else those of five inner folds. ``"guarantee": 0.95`` beside it holds with that
            confidence on rows to come, by a share of rows, ``"guarantee_rows"``, that is kept out of the
            fit. "prior", for Bayesian classifiers of any number of classes: the class whose probability the
            row raised most. None answers the most probable class.
        calibrate : {"sigmoid", "isotonic", "beta", "venn_abers"} or None, default=None
            Makes probabilities mean what they say, by a curve fitted to answers about rows that were not
            seen: out-of-bag ones, or else those of five inner folds; after ``recalibrate``, and before
            ``threshold`` and ``cost_matrix`` decide. "sigmoid": Platt 1999. "isotonic": any curve that
            never falls. "beta": Kull et al. 2017. "venn_abers": Vovk et al. 2015, with an interval for
            every probability. Several classes: one against the rest, brought to a sum of 1. None leaves
            them alone.
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
        verbose : int, default=0
            1 or more: a line on standard error says how far the fit is.
        """
        keep_arguments(self, locals())

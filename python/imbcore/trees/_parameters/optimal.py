# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``OptimalTreeClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["OptimalTreeParameters"]


class OptimalTreeParameters:
    """Parameters of :class:`OptimalTreeClassifier`."""

    def __init__(
        self,
        *,
        objective: Literal["cost", "f1", "hull"] = "cost",
        max_depth: int = 2,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        leaf_cost: float = 0.0,
        missing: Literal["error", "direction"] = "direction",
        lookahead: int | None = None,
        time_limit: float | None = 300.0,
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
        objective : {"cost", "f1", "hull"}, default="cost"
            What no other tree is better at on the training rows: "cost", the cost of errors by
            ``cost_matrix``, 1 each without; "f1" and ``{"f_beta": 2}``, the F-measure of the positive
            class; ``{"recall": 0.9}``, the weight of false positives with at least this recall;
            ``{"precision": 0.5}``, the recall with at least this precision; "hull", the tree of least cost
            and with it those for every other price of a false negative. All but "cost" are for two classes.
        max_depth : int, default=2
            Most splits from the root to a leaf. Must be a whole number from 1 to 4.
        min_weight_leaf : float, default=0.0
            Smallest sum of weights on each side of a split. Above 0, nominal features split off single
            levels only. Must be a number of at least 0.
        min_weight_fraction_leaf : float, default=0.0
            The same as a share of the sum of all weights. Must be a number in [0, 0.5].
        leaf_cost : float, default=0.0
            What a leaf costs, in errors of cost 1: a split has to earn more than this. Only with
            objective="cost". Must be a number of at least 0.
        missing : {"error", "direction"}, default="direction"
            Missing values: "error" refuses them; "direction" finds the better side for them in each split.
        lookahead : int or None, default=None
            For many rows: a node takes the root of the best tree of so many levels, and the levels below
            are chosen so in turn. ``bound_`` is then that of a search on some thousand rows, and
            ``status_`` is "heuristic" unless the two meet. None searches all levels. Not with a floor. Must
            be None, or a whole number from 1 to 3.
        time_limit : float or None, default=300.0
            Seconds of wall clock; a fit that they end depends on the speed of the machine, any other does
            not. Must be seconds above 0 and at most a year, or None.
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

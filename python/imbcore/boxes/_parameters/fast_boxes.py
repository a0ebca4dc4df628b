# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``FastBoxesClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["FastBoxesParameters"]


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
        clusterer: Any = None,
        n_init: int = 5,
        ranking: Literal["levels", "exact"] = "levels",
        missing: Literal["error", "outside", "inside"] = "outside",
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
        clusterer : Any, default=None
            What clusters the positive rows in place of ``clustering``: any estimator with ``fit_predict``,
            such as those of ``sklearn.cluster`` and ``sklearn.mixture``, or a pipeline that ends in one. A
            clone gets the scaled rows (``scale``; 0 or sqrt(2) for each level of a nominal column; a
            missing number is the middle of the positive rows), their weights if it takes ``sample_weight``,
            and a seed if its ``random_state`` is None. It decides on the number of boxes, and ``n_boxes``,
            ``clustering`` and ``n_init`` are not used. No box starts from rows that it labels as noise,
            such as -1 of DBSCAN; to every box they are rows of another cluster. The model keeps its text
            form only.
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

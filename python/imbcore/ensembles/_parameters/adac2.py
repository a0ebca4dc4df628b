# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``AdaC2Classifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["AdaC2Parameters"]


class AdaC2Parameters:
    """Parameters of :class:`AdaC2Classifier`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"warm_start"})

    def __init__(
        self,
        estimator: Any = "cart",
        *,
        estimator_params: Any = None,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        class_costs: Any = "grid",
        grid: Sequence[Any] | None = None,
        grid_cv: int = 5,
        grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"] = "f1",
        theta: float = 1.4,
        b3: float = 0.5,
        floor: float = 0.1,
        warm_start: bool = False,
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
        estimator : Any, default="cart"
            What the members are: the name of a method, an estimator of imbcore, or any classifier in the
            way of scikit-learn, such as a pipeline. Estimators of imbcore run natively, unless one of their
            own options decides their answers; others are fitted one at a time, to rows of the container
            that ``X`` is. One whose ``fit`` takes no ``sample_weight`` gets rows drawn by their weights
            instead; one without ``predict_proba`` counts by its answers. None is the default.
        estimator_params : Any, default=None
            Parameters of a method given by name; the others take its defaults. None: those defaults, but
            for "cart" a stump, ``{"max_depth": 1}``.
        n_estimators : int, default=50
            Most members; a member without a mistake ends boosting. Must be a whole number of at least 1.
        learning_rate : float, default=1.0
            Factor of all votes: smaller ones need more members. Must be a number above 0 and at most 1e6.
        class_costs : Any, default="grid"
            What mistakes cost; only the ratio counts. Two numbers: in the positive class, and in the other;
            a dict: by label, 1 where a label is not in it. "tan" and "ratio": 1 in the smallest class, and
            in the others by how much larger they are, by the tangent of ``theta`` and ``b3`` or in
            proportion. A function: 1 in the smallest class, and in each larger class the number above 0
            that it returns for the imbalance ratio, the weight of the smallest class divided by that of the
            larger one. "grid": what of ``grid`` does best by cross-validation, which costs as many fits as
            costs times folds.
        grid : list or None, default=None
            Costs of mistakes in the larger classes, where those in the smallest cost 1, that
            class_costs="grid" tries. None: 0.1, 0.2, ..., 1. Must be a list of numbers above 0 and at most
            1, or None.
        grid_cv : int, default=5
            Stratified folds by which class_costs="grid" judges; at most as many as there are rows. Must be
            a whole number of at least 2.
        grid_scoring : {"f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"}, default="f1"
            By what class_costs="grid" judges: the score of the positive class, or with more classes the
            mean over all of them. Of equal scores the larger cost wins.
        theta : float, default=1.4
            Bend of class_costs="tan": larger ones leave more of the rise to great imbalance. Must be a
            number above 0 and below pi / 2.
        b3 : float, default=0.5
            Linear part of class_costs="tan". Must be a number in [0, 1].
        floor : float, default=0.1
            Least cost of class_costs="tan". Must be a number in (0, 1].
        warm_start : bool, default=False
            Whether ``fit`` begins with the members of the fit before, where that had ``warm_start=True`` as
            well, and adds those that a larger ``n_estimators`` asks for. Rows, labels, weights and all
            parameters but ``oob_score`` must be those of that fit; the model is then, to the last bit, the
            one that a fit from nothing gives. With ``random_state=None`` the first fit draws the seed of
            all.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies. The first round starts from these weights.
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
            Seed. Equal seeds give equal models whatever ``n_threads`` is; members get seeds of their own.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        verbose : int, default=0
            1 or more: a line on standard error says how far the fit is.
        """
        keep_arguments(self, locals())

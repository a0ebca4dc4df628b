# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``BoostedTreesClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["BoostedTreesParameters"]


class BoostedTreesParameters:
    """Parameters of :class:`BoostedTreesClassifier`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"warm_start"})

    def __init__(
        self,
        *,
        objective: Literal["log_loss", "balanced", "cost", "focal", "pairwise_auc", "smooth_ap"] = "log_loss",
        focal_gamma: float = 2.0,
        n_rounds: int | Literal["auto"] = "auto",
        max_rounds: int = 1000,
        stopping_score: Literal["log_loss", "average_precision"] = "log_loss",
        stopping_folds: int = 5,
        early_stopping_rounds: int = 30,
        early_stopping_min_delta: float = 0.0,
        learning_rate: float = 0.1,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int | float = 3,
        min_child_weight: float = 0.001,
        min_gain: float = 0.0,
        reg_lambda: float = 3.0,
        reg_alpha: float = 0.0,
        subsample: float = 0.7,
        sampling: Literal["uniform", "goss"] = "uniform",
        top_rate: float = 0.2,
        other_rate: float = 0.1,
        colsample_bytree: float = 0.7,
        dropout_rate: float = 0.0,
        skip_dropout: float = 0.0,
        level_smoothing: float = 10.0,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        interaction_cst: Sequence[Any] | Literal["pairwise", "no_interactions"] | None = None,
        max_bins: int = 255,
        missing: Literal["direction", "error"] = "direction",
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
        objective : {"log_loss", "balanced", "cost", "focal", "pairwise_auc", "smooth_ap"}, default="log_loss"
            What the rounds minimise: "log_loss" the logistic loss, of several classes the multinomial one;
            "balanced" the same with classes that weigh alike, which probabilities are brought back from
            exactly; "cost" the logistic loss of the cheaper decision of each row, weighted by the
            difference of the two decisions' costs, by costs or cost_matrix, of two classes, with the ratio
            of the costs divided out of probabilities; "focal" the focal loss of two classes, whose
            probabilities go through the exact map to those of the classes; "pairwise_auc" the logistic loss
            of pairs of a row of each of two classes, "smooth_ap" average precision by smooth ranks, whose
            scores become probabilities on rows that inner folds held out.
        focal_gamma : float, default=2.0
            How much the focal loss leaves rows out of account that are told well; 0 is the logistic loss.
            Must be a number in [0, 10].
        n_rounds : int or {"auto"}, default="auto"
            Rounds; each adds a tree, of more than two classes one a class. "auto": as many as are best on
            stratified inner folds.
        max_rounds : int, default=1000
            Most rounds of n_rounds="auto". Must be a whole number of at least 1.
        stopping_score : {"log_loss", "average_precision"}, default="log_loss"
            What n_rounds="auto" judges rounds by, on rows of the inner folds that did not train: the
            logarithmic loss of the probabilities, or the average precision of the positive class.
        stopping_folds : int, default=5
            Inner folds of n_rounds="auto". All of them are used unless fewer hold 500 rows of the smallest
            class. Must be a whole number of at least 2.
        early_stopping_rounds : int, default=30
            Rounds without a better score after which n_rounds="auto" looks no further. Must be a whole
            number of at least 1.
        early_stopping_min_delta : float, default=0.0
            By how much a score must be better than the best to count as better for n_rounds="auto". Must be
            a number of at least 0.
        learning_rate : float, default=0.1
            What the leaves of a tree are multiplied by; above 1 steps go beyond what is best for a round.
            Must be a number above 0 and at most 1e6.
        max_leaf_nodes : int or None, default=31
            Most leaves of a tree, which grows where the gain is largest. None: no limit, so that max_depth
            alone holds trees small. Must be a whole number of at least 2, or None.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_leaf : int or float, default=3
            Fewest rows on each side of a split. A whole number of at least 1, or a share of all rows, a
            float in (0, 1], which is rounded up to a number.
        min_child_weight : float, default=0.001
            Smallest sum of second derivatives on each side of a split. Must be a number of at least 0.
        min_gain : float, default=0.0
            What a split must gain more than. Must be a number of at least 0.
        reg_lambda : float, default=3.0
            Price of the squares of what leaves say (L2). Must be a number of at least 0.
        reg_alpha : float, default=0.0
            Price of their sizes (L1). Must be a number of at least 0.
        subsample : float, default=0.7
            Share of the rows that each round draws, without replacement, with sampling="uniform". Must be
            in (0, 1].
        sampling : {"uniform", "goss"}, default="uniform"
            What a round learns from: "uniform", a share of all rows; "goss", gradient-based one-side
            sampling: all rows of the rarest class, of the others those with the largest gradients, and some
            of the rest, which count for all of it.
        top_rate : float, default=0.2
            Share of the rows of other classes than the rarest that sampling="goss" keeps for their
            gradients. Must be in [0, 1).
        other_rate : float, default=0.1
            Share of them that sampling="goss" draws from the rest. Must be in (0, 1], with top_rate at most
            1.
        colsample_bytree : float, default=0.7
            Share of the features that each tree draws. Must be in (0, 1].
        dropout_rate : float, default=0.0
            How likely each earlier round is left out while a round is learnt, one at least (DART); what was
            left out and the new trees are then scaled down, so that together they say it once. 0: none is
            left out. Must be in [0, 1).
        skip_dropout : float, default=0.0
            How likely a round is learnt with all earlier ones, where dropout_rate is above 0. Must be in
            [0, 1].
        level_smoothing : float, default=10.0
            How much the levels of nominal features are held together where sets of them are split: added to
            the second derivatives that order the levels, and to the price of squares where such splits are
            compared. Must be a number of at least 0.
        monotonic_cst : list or dict or None, default=None
            Whether the probability of the positive class never falls (1) or never rises (-1) when a feature
            rises. Must be None, or a list of -1, 0 and 1, one a feature, or a dict of them by name, with
            two classes; 0 for nominal features.
        interaction_cst : list or {"pairwise", "no_interactions"} or None, default=None
            Sets of features: the splits on a way down a tree use those of one set only; features in no set
            make up one more. "pairwise": any two; "no_interactions": each by itself.
        max_bins : int, default=255
            Most bins of a numeric feature; cuts are sought between bins only. Must be a whole number from 2
            to 255.
        missing : {"direction", "error"}, default="direction"
            Missing values: sent to the side where they help most, or refused.
        warm_start : bool, default=False
            Whether ``fit`` begins with the rounds of the fit before, where that had ``warm_start=True`` as
            well, and adds those that a larger ``n_rounds`` asks for; after "auto" a number may be any,
            since what it begins with is found again. Rows, labels, weights and all parameters but those of
            the search for the number of rounds must be those of that fit; the model is then, to the last
            bit, the one that a fit from nothing gives. With ``random_state=None`` the first fit draws the
            seed of all.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies, and moves probabilities as ``objective="balanced"`` does not.
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
            Seed of the inner folds, and of the rows and features that are drawn. Equal seeds give equal
            models whatever ``n_threads`` is.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        verbose : int, default=0
            1 or more: a line on standard error says how far the fit is.
        """
        keep_arguments(self, locals())

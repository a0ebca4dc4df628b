# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``SVRTreeCV``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["SVRTreeCVParameters"]


class SVRTreeCVParameters:
    """Parameters of :class:`SVRTreeCV`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"cv", "penalties", "pooled", "scoring"})

    def __init__(
        self,
        *,
        minority_weight: float | Literal["auto"] = "auto",
        max_leaf_nodes: float | None = None,
        feature_selection: bool = False,
        new_feature_penalty: float = 4.0,
        pure_nodes: Literal["split", "freeze"] = "split",
        stop_rule: Literal["leaves", "dequeues"] = "leaves",
        scale: Literal["reference", "minmax", "none"] = "reference",
        regularizer: Literal["svr", "surface"] = "svr",
        penalised_classes: Sequence[Any] | Literal["minority", "all"] = "minority",
        probability: Literal["weighted", "unweighted"] = "weighted",
        missing: Literal["direction", "error"] = "direction",
        penalties: Any = "auto",
        cv: Any = 5,
        scoring: str | Callable[..., float] = "f1",
        pooled: bool = True,
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
        minority_weight : float or {"auto"}, default="auto"
            Weight of a row of every class but the largest; "auto": the largest whole number that leaves the
            class no heavier than the largest one. class_weight takes its place.
        max_leaf_nodes : float or None, default=None
            Most leaves, rounded up. None: twice the square root of the weight of the rows. Must be a number
            of at least 1, or None.
        feature_selection : bool, default=False
            Whether a feature that no split used so far must gain more than those in use.
        new_feature_penalty : float, default=4.0
            How much more, in penalties: c0 of the paper, whose authors call anything from 1 to 10
            reasonable. Must be a number of at least 0.
        pure_nodes : {"split", "freeze"}, default="split"
            Nodes of one class: "split" looks at them as at others, as the paper says, since a part of one
            may change its label; "freeze" leaves them alone, as the authors' program does.
        stop_rule : {"leaves", "dequeues"}, default="leaves"
            Whether max_leaf_nodes limits the leaves, as in the paper, or the nodes looked at, as in its
            program.
        scale : {"reference", "minmax", "none"}, default="reference"
            How features are brought to the unit cube in which surface and volume are measured: "reference"
            linearly with a margin of range / (weight - 1) on both sides, as in the authors' program;
            "minmax" without margin; "none" leaves them, and they must lie in [0, 1].
        regularizer : {"svr", "surface"}, default="svr"
            What is penalised: "svr", the surface-to-volume ratios of the penalised classes' regions;
            "surface", the surface between regions of different classes, for data whose classes are
            balanced.
        penalised_classes : list or {"minority", "all"}, default="minority"
            Classes whose surface-to-volume ratios are summed: all but the largest, all, or those listed.
        probability : {"weighted", "unweighted"}, default="weighted"
            Whether a leaf's probabilities are shares in the weight of the leaf or in its rows.
        missing : {"direction", "error"}, default="direction"
            Missing values: sent to the side where they help most, or refused.
        penalties : Any, default="auto"
            Penalties to try, at least 0. "auto" takes the 22 of the authors, from 0 to 1.024 divided by the
            cube root of the number of rows; the same in all folds.
        cv : Any, default=5
            Number of stratified folds, at least 2; or a splitter of scikit-learn; or pairs of training and
            test row positions.
        scoring : str or callable, default="f1"
            Name of a scorer of ``imbcore.metrics.scorer`` or of scikit-learn; or a scorer, called as
            ``scorer(estimator, rows, y)`` with the positions of the test rows. Larger is better. Names of
            scores of one class, such as "f1", mean the positive class.
        pooled : bool, default=True
            Whether the answers of all test parts are scored together, as in the paper; False takes the mean
            of the folds' scores. With few rare rows a fold, the score of all together is steadier.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``, in place of ``minority_weight``;
            "balanced" weighs the classes inversely to their frequencies.
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
            Not used: nothing is drawn. It is here because all estimators have it.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        verbose : int, default=0
            1 or more: a line on standard error says how far the fit is.
        """
        keep_arguments(self, locals())

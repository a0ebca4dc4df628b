# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``WeightedRandomForestClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["WeightedRandomForestParameters"]


class WeightedRandomForestParameters:
    """Parameters of :class:`WeightedRandomForestClassifier`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"warm_start"})

    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = 100,
        max_samples: int | float | None = None,
        bootstrap: bool = True,
        vote: Literal["soft", "hard"] = "soft",
        recalibrate: Literal["prior", "none"] = "none",
        oob_score: bool | str | Callable[..., float] = False,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = "sqrt",
        redraw: bool = True,
        cuts: Mapping[str, Any] | Literal["best", "random"] = "best",
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        zero_gain: bool = True,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "frequency",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "ovr",
        missing: Literal["error", "direction", "fraction", "value"] = "direction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: Literal["gini", "entropy", "error", "cost"] = "gini",
        max_bins: int | Literal["auto"] | None = None,
        exact_rows: int | Literal["auto"] = "auto",
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
        n_estimators : int or {"auto"}, default=100
            Trees. "auto": 50, doubled to at most 800 until that changes the average precision of the
            answers to rows by the trees that did not see them by less than 0.005.
        max_samples : int or float or None, default=None
            Rows drawn for each tree: a number or a share. None: as many as there are. Must be None, a whole
            number of at least 1, or a share in (0, 1].
        bootstrap : bool, default=True
            Whether rows are drawn with replacement. A draw without some class is repeated, up to 100 times.
        vote : {"soft", "hard"}, default="soft"
            Mean of the trees' probabilities, or share of the trees that are for a class.
        recalibrate : {"prior", "none"}, default="none"
            "prior": probabilities go back from the class shares that the trees saw, by weight or by
            drawing, to those of the data; answers stay those of the votes unless costs or a threshold are
            set. "none": the votes as they are.
        oob_score : bool or str or callable, default=False
            Whether each row is answered by the members that did not see it: True scores the answers by
            accuracy, the name of a score of ``imbcore.evaluate`` by that, a function by ``oob_score(y,
            answers)``, of the labels of the rows that have an answer and of their most probable labels by
            ``oob_decision_function_``.
        criterion : dict or {"gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"}, default="gini"
            Measure of a split; those with options also as a dict, such as ``{"name": "alpha", "alpha":
            0.5}``. Must be the name of a criterion, or a dict with its "name" and options.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int or float, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. A whole
            number of at least 2, or a share of all rows, a float in (0, 1], which is rounded up to a
            number.
        min_samples_leaf : int or float, default=1
            Fewest rows on each side of a split. A whole number of at least 1, or a share of all rows, a
            float in (0, 1], which is rounded up to a number.
        min_weight_leaf : float, default=0.0
            Smallest sum of weights on each side of a split. Must be a number of at least 0.
        min_weight_fraction_leaf : float, default=0.0
            Smallest share of the sum of all weights on each side of a split; in a forest of those of all
            rows. Must be a number in [0, 0.5].
        max_leaf_nodes : int or None, default=None
            Most leaves; when given, the best node is split first. None: no limit. Must be a whole number of
            at least 2, or None.
        order : {"gain", "entropy"}, default="gain"
            With max_leaf_nodes, the node that is split first: where the criterion falls most over the whole
            tree, or the entropy of the classes.
        max_features : int or float or {"sqrt", "log2"} or None, default="sqrt"
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it, unless redraw is False. None: all.
        redraw : bool, default=True
            Whether a node looks at further features where the max_features drawn first cannot split it;
            with False it becomes a leaf.
        cuts : dict or {"best", "random"}, default="best"
            Thresholds of numeric features: "best" tries one between any two neighbouring values; "random" a
            single one, drawn evenly between the smallest and the largest value in the node, and of a
            nominal feature one level or one set of levels, as ``nominal`` says; ``{"per_node": q}`` only q,
            equally spaced between those values, which is coarser and more random.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
        min_impurity_decrease : float, default=0.0
            Smallest fall of the criterion over the whole tree, of which a split of few rows brings little:
            its score times the share of the tree's weight that is in its node, and for "hellinger" what
            order="gain" orders by. Must be a number of at least 0.
        zero_gain : bool, default=True
            Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow
            until all leaves are pure.
        leaf : {"frequency", "laplace", "m_estimate"}, default="frequency"
            Estimate of class probabilities in a leaf.
        prior_weight : float, default=2.0
            Weight of the root's class shares in the m-estimate; its m. Must be a number above 0.
        nominal : {"ovr", "multiway", "ovr_multiway", "dummy", "subset"}, default="ovr"
            How a nominal column splits: "ovr", one level against the rest; "multiway", a branch a level;
            "ovr_multiway", a branch a level in the column whose best single level scores best; "dummy",
            each level a column of 0 and 1, which counts for max_features; "subset", a set of levels against
            the rest, the best one for two classes or up to 10 levels.
        missing : {"error", "direction", "fraction", "value"}, default="direction"
            Missing values: "error" refuses them in training; "direction" learns a side for them in each
            split; "fraction" sends a row to all branches in proportion to their weights; "value" makes them
            one more level of nominal columns, and is "direction" for the others.
        monotonic_cst : list or dict or None, default=None
            Whether the probability of the positive class never falls (1) or never rises (-1) when a feature
            rises. Must be None, or a list of -1, 0 and 1, one a feature, or a dict of them by name, with
            two classes; 0 for nominal features.
        ccp_alpha : float or None, default=None
            Price of a leaf in minimal cost-complexity pruning. None: not pruned; 0 prunes what does not
            lower the training risk. Must be a number of at least 0, infinity included, or None.
        ccp_risk : {"gini", "entropy", "error", "cost"}, default="gini"
            What cost-complexity pruning weighs against leaves; costs are 1 a mistake unless given.
        max_bins : int or {"auto"} or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. "auto": 255 where the table
            has 100,000 rows or is read in pieces, or where bins lose nothing, else None; the model says
            which.
        exact_rows : int or {"auto"}, default="auto"
            With max_bins, nodes of at most so many rows are grown from the values of their rows all the
            same. "auto": 1024, or 0 for a table that is read in pieces, of which bins alone are kept; the
            model says which.
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
            inversely to their frequencies. Weights enter the trees, not the drawing of rows.
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
            Seed. Equal seeds give equal models whatever ``n_threads`` is, and more trees leave the first
            ones as they are.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        verbose : int, default=0
            1 or more: a line on standard error says how far the fit is.
        """
        keep_arguments(self, locals())

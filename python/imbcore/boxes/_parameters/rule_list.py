# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``RuleListClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["RuleListParameters"]


class RuleListParameters:
    """Parameters of :class:`RuleListClassifier`."""

    def __init__(
        self,
        *,
        n_rules: int = 5,
        objective: Mapping[str, Any] | Literal["f1"] = "f1",
        n_estimators: int = 100,
        max_depth: int = 3,
        max_candidates: int = 50,
        time_limit: float | None = 60.0,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = "hellinger",
        min_samples_split: int = 2,
        min_samples_leaf: int = 3,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | Literal["sqrt", "log2"] | None = "sqrt",
        cuts: Mapping[str, Any] | Literal["best", "random"] = "best",
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "subset",
        max_bins: int | Literal["auto"] | None = None,
        exact_rows: int | Literal["auto"] = "auto",
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
        n_rules : int, default=5
            Most rules of the list. Must be a whole number of at least 1.
        objective : dict or {"f1"}, default="f1"
            What no other choice among the same rules is better at on the training rows: "f1" and
            ``{"f_beta": 2}``, the F-measure of the positive class, with f_beta above 0 and at most 64;
            ``{"precision": 0.5}``, recall with at least this precision; ``{"recall": 0.9}``, precision with
            at least this recall; both in (0, 1].
        n_estimators : int, default=100
            Trees of the forest whose rules are chosen from. Must be a whole number of at least 1.
        max_depth : int, default=3
            Most splits on the way to a rule; every node of a tree is one. Must be a whole number from 1 to
            3.
        max_candidates : int, default=50
            Most rules to choose from, after those are gone that another one is better than at any price;
            taken in turns by what they earn at different prices of a false positive. Must be a whole number
            of at least 1.
        time_limit : float or None, default=60.0
            Seconds of wall clock for the choice; a fit that they end depends on the speed of the machine,
            any other does not. Must be seconds above 0 and at most a year, or None.
        criterion : dict or {"gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"}, default="hellinger"
            Measure of a split; those with options also as a dict, such as ``{"name": "alpha", "alpha":
            0.5}``. Must be the name of a criterion, or a dict with its "name" and options.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=3
            Fewest rows on each side of a split. Must be a whole number of at least 1.
        min_weight_leaf : float, default=0.0
            Smallest sum of weights on each side of a split. Must be a number of at least 0.
        min_weight_fraction_leaf : float, default=0.0
            Smallest share of the sum of all weights on each side of a split; in a forest of those of all
            rows. Must be a number in [0, 0.5].
        max_features : int or float or {"sqrt", "log2"} or None, default="sqrt"
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it, unless redraw is False. None: all.
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
        nominal : {"ovr", "multiway", "ovr_multiway", "dummy", "subset"}, default="subset"
            How a nominal column splits: "ovr", one level against the rest; "multiway", a branch a level;
            "ovr_multiway", a branch a level in the column whose best single level scores best; "dummy",
            each level a column of 0 and 1, which counts for max_features; "subset", a set of levels against
            the rest, the best one for two classes or up to 10 levels.
        max_bins : int or {"auto"} or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. "auto": 255 where the table
            has 100,000 rows or is read in pieces, or where bins lose nothing, else None; the model says
            which.
        exact_rows : int or {"auto"}, default="auto"
            With max_bins, nodes of at most so many rows are grown from the values of their rows all the
            same. "auto": 1024, or 0 for a table that is read in pieces, of which bins alone are kept; the
            model says which.
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

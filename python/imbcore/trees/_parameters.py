# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructors of the estimators of this folder, and what their parameters mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from imbcore._input.options import keep_arguments

__all__ = ["AlphaTreeParameters", "C44Parameters", "C45Parameters", "CARTParameters", "CARTCVParameters", "HDDTParameters", "SVRTreeCVParameters", "SVRTreeParameters"]


class AlphaTreeParameters:
    """Parameters of :class:`AlphaTreeClassifier`."""

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        reference: Sequence[Any] | Literal["uniform", "flipped"] | None = None,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "frequency",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "dummy",
        missing: Literal["error", "direction", "fraction", "value"] = "direction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: Literal["gini", "entropy", "error", "cost"] = "gini",
        max_bins: int | None = None,
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
        alpha : float, default=1.0
            Order of the divergence: small values guard recall of the rare class, large ones its precision.
            Must be a number in (0, 2].
        reference : list or {"uniform", "flipped"} or None, default=None
            Law that the shares of the classes in the branches are compared with: "uniform" (with alpha=2
            the tree is that of Gini's index), "flipped", that of the node with the classes turned round, or
            a law of your own. None: branch and class are compared with their independence.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=1
            Fewest rows on each side of a split. Must be a whole number of at least 1.
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
        max_features : int or float or {"sqrt", "log2"} or None, default=None
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it. None: all.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
        zero_gain : bool, default=True
            Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow
            until all leaves are pure.
        leaf : {"frequency", "laplace", "m_estimate"}, default="frequency"
            Estimate of class probabilities in a leaf.
        prior_weight : float, default=2.0
            Weight of the root's class shares in the m-estimate; its m. Must be a number above 0.
        nominal : {"ovr", "multiway", "ovr_multiway", "dummy", "subset"}, default="dummy"
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
        max_bins : int or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. Must be a whole number from
            2 to 255, or None.
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


class C44Parameters:
    """Parameters of :class:`C44Classifier`."""

    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = "c45",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 2.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = False,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "laplace",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "multiway",
        missing: Literal["error", "direction", "fraction", "value"] = "fraction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: Literal["gini", "entropy", "error", "cost"] = "gini",
        max_bins: int | None = None,
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
        criterion : dict or {"gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"}, default="c45"
            Measure of a split; those with options also as a dict, such as ``{"name": "alpha", "alpha":
            0.5}``. Must be the name of a criterion, or a dict with its "name" and options.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=1
            Fewest rows on each side of a split. Must be a whole number of at least 1.
        min_weight_leaf : float, default=2.0
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
        max_features : int or float or {"sqrt", "log2"} or None, default=None
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it. None: all.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
        zero_gain : bool, default=False
            Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow
            until all leaves are pure.
        leaf : {"frequency", "laplace", "m_estimate"}, default="laplace"
            Estimate of class probabilities in a leaf.
        prior_weight : float, default=2.0
            Weight of the root's class shares in the m-estimate; its m. Must be a number above 0.
        nominal : {"ovr", "multiway", "ovr_multiway", "dummy", "subset"}, default="multiway"
            How a nominal column splits: "ovr", one level against the rest; "multiway", a branch a level;
            "ovr_multiway", a branch a level in the column whose best single level scores best; "dummy",
            each level a column of 0 and 1, which counts for max_features; "subset", a set of levels against
            the rest, the best one for two classes or up to 10 levels.
        missing : {"error", "direction", "fraction", "value"}, default="fraction"
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
        max_bins : int or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. Must be a whole number from
            2 to 255, or None.
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


class C45Parameters:
    """Parameters of :class:`C45Classifier`."""

    def __init__(
        self,
        *,
        confidence: float | None = 0.25,
        collapse: bool = True,
        subtree_raising: bool = False,
        average_gain: bool = True,
        mdl_penalty: bool = True,
        c45_min: bool = False,
        value_gap: float = 0.0,
        cut_value: Literal["midpoint", "data"] = "midpoint",
        quantile: Literal["exact", "table"] = "exact",
        floor: Literal["c45", "weka"] = "c45",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 2.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = False,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "frequency",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "multiway",
        missing: Literal["error", "direction", "fraction", "value"] = "fraction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        max_bins: int | None = None,
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
        confidence : float or None, default=0.25
            Confidence of the error limits; smaller values prune more. None: no pessimistic pruning. Must be
            a number in (0, 0.5], or None.
        collapse : bool, default=True
            Whether subtrees become leaves that make no fewer training errors than a leaf, before any other
            pruning.
        subtree_raising : bool, default=False
            Whether pruning may also replace a node by its largest branch, down which the other rows are
            sent.
        average_gain : bool, default=True
            Whether only features of at least average gain compete by gain ratio.
        mdl_penalty : bool, default=True
            Whether the gain of a numeric cut is lowered by log2(number of cuts) / n.
        c45_min : bool, default=False
            Whether numeric cuts leave at least a tenth of the mean class weight on each side, up to 25.
        value_gap : float, default=0.0
            Values that differ by no more are not cut apart (Weka: 1e-5). Must be a number of at least 0.
        cut_value : {"midpoint", "data"}, default="midpoint"
            Threshold of a cut: half way between two values, or lowered to a value of the training data.
        quantile : {"exact", "table"}, default="exact"
            Normal quantile in the error limits, their z: computed, or from the table in C4.5's source.
        floor : {"c45", "weka"}, default="c45"
            Extra errors of a leaf wrong almost everywhere: 0.67 (N - E), or N - E.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=1
            Fewest rows on each side of a split. Must be a whole number of at least 1.
        min_weight_leaf : float, default=2.0
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
        max_features : int or float or {"sqrt", "log2"} or None, default=None
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it. None: all.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
        zero_gain : bool, default=False
            Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow
            until all leaves are pure.
        leaf : {"frequency", "laplace", "m_estimate"}, default="frequency"
            Estimate of class probabilities in a leaf.
        prior_weight : float, default=2.0
            Weight of the root's class shares in the m-estimate; its m. Must be a number above 0.
        nominal : {"ovr", "multiway", "ovr_multiway", "dummy", "subset"}, default="multiway"
            How a nominal column splits: "ovr", one level against the rest; "multiway", a branch a level;
            "ovr_multiway", a branch a level in the column whose best single level scores best; "dummy",
            each level a column of 0 and 1, which counts for max_features; "subset", a set of levels against
            the rest, the best one for two classes or up to 10 levels.
        missing : {"error", "direction", "fraction", "value"}, default="fraction"
            Missing values: "error" refuses them in training; "direction" learns a side for them in each
            split; "fraction" sends a row to all branches in proportion to their weights; "value" makes them
            one more level of nominal columns, and is "direction" for the others.
        monotonic_cst : list or dict or None, default=None
            Whether the probability of the positive class never falls (1) or never rises (-1) when a feature
            rises. Must be None, or a list of -1, 0 and 1, one a feature, or a dict of them by name, with
            two classes; 0 for nominal features.
        max_bins : int or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. Must be a whole number from
            2 to 255, or None.
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


class CARTParameters:
    """Parameters of :class:`CARTClassifier`."""

    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "frequency",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "ovr",
        missing: Literal["error", "direction", "fraction", "value"] = "direction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: Literal["gini", "entropy", "error", "cost"] = "gini",
        max_bins: int | None = None,
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
        criterion : dict or {"gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"}, default="gini"
            Measure of a split; those with options also as a dict, such as ``{"name": "alpha", "alpha":
            0.5}``. Must be the name of a criterion, or a dict with its "name" and options.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=1
            Fewest rows on each side of a split. Must be a whole number of at least 1.
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
        max_features : int or float or {"sqrt", "log2"} or None, default=None
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it. None: all.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
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
        max_bins : int or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. Must be a whole number from
            2 to 255, or None.
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


class CARTCVParameters:
    """Parameters of :class:`CARTClassifierCV`."""

    _own_options: ClassVar[frozenset[str]] = frozenset({"cv", "rule", "scoring"})

    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "frequency",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "ovr",
        missing: Literal["error", "direction", "fraction", "value"] = "direction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        ccp_risk: Literal["gini", "entropy", "error", "cost"] = "gini",
        max_bins: int | None = None,
        cv: Any = 5,
        scoring: Any = "balanced_accuracy",
        rule: str = "min",
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
        criterion : dict or {"gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"}, default="gini"
            Measure of a split; those with options also as a dict, such as ``{"name": "alpha", "alpha":
            0.5}``. Must be the name of a criterion, or a dict with its "name" and options.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=1
            Fewest rows on each side of a split. Must be a whole number of at least 1.
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
        max_features : int or float or {"sqrt", "log2"} or None, default=None
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it. None: all.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
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
        ccp_risk : {"gini", "entropy", "error", "cost"}, default="gini"
            What cost-complexity pruning weighs against leaves; costs are 1 a mistake unless given.
        max_bins : int or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. Must be a whole number from
            2 to 255, or None.
        cv : Any, default=5
            Number of stratified folds, at least 2; or a splitter of scikit-learn; or pairs of training and
            test row positions.
        scoring : Any, default="balanced_accuracy"
            Name of a scorer of ``imbcore.metrics.scorer`` or of scikit-learn; or a scorer, called as
            ``scorer(estimator, rows, y)`` with the positions of the test rows. Larger is better. Scores of
            one class, such as "f1", mean the positive class.
        rule : str, default="min"
            "min" takes the tree with the least error, that is the best mean score; "1se" the smallest whose
            mean is within one standard error of that.
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


class HDDTParameters:
    """Parameters of :class:`HDDTClassifier`."""

    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = "hellinger",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: Literal["gain", "entropy"] = "gain",
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: Literal["frequency", "laplace", "m_estimate"] = "laplace",
        prior_weight: float = 2.0,
        nominal: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset"] = "ovr",
        missing: Literal["error", "direction", "fraction", "value"] = "direction",
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: Literal["gini", "entropy", "error", "cost"] = "gini",
        max_bins: int | None = None,
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
        criterion : dict or {"gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"}, default="hellinger"
            Measure of a split; those with options also as a dict, such as ``{"name": "alpha", "alpha":
            0.5}``. Must be the name of a criterion, or a dict with its "name" and options.
        max_depth : int or None, default=None
            Deepest level; the root has depth 0. None: no limit. Must be a whole number of at least 1, or
            None.
        min_samples_split : int, default=2
            Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. Must be a
            whole number of at least 2.
        min_samples_leaf : int, default=1
            Fewest rows on each side of a split. Must be a whole number of at least 1.
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
        max_features : int or float or {"sqrt", "log2"} or None, default=None
            Features looked at in each node, drawn at random: a number, a share, or a function of their
            number; more where these cannot split it. None: all.
        min_gain : float, default=0.0
            Smallest score of a split. Must be a number of at least 0.
        zero_gain : bool, default=True
            Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow
            until all leaves are pure.
        leaf : {"frequency", "laplace", "m_estimate"}, default="laplace"
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
        max_bins : int or None, default=None
            Most bins of a numeric feature, for many rows: cuts are sought between bins only, with
            thresholds set by the values next to them. None: every cut is tried. Must be a whole number from
            2 to 255, or None.
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
        scoring: Any = "f1",
        pooled: bool = True,
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
        minority_weight : float or {"auto"}, default="auto"
            Weight of a row of every class but the largest; "auto": the largest whole number that leaves the
            class no heavier than the largest one. class_weight takes its place.
        max_leaf_nodes : float or None, default=None
            Most leaves, rounded up. None: twice the square root of the number of rows. Must be a number of
            at least 1, or None.
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
            linearly with a margin of range / (rows - 1) on both sides, as in the authors' program; "minmax"
            without margin; "none" leaves them, and they must lie in [0, 1].
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
        scoring : Any, default="f1"
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
            Not used: nothing is drawn. It is here because all estimators have it.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())


class SVRTreeParameters:
    """Parameters of :class:`SVRTreeClassifier`."""

    def __init__(
        self,
        *,
        penalty: float | None = None,
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
        penalty : float or None, default=None
            Price of the surface-to-volume ratio; 0 grows a tree by the weighted Gini index alone. None:
            0.032 divided by the cube root of the number of rows. Must be a number in [0, 1e100], or None.
        minority_weight : float or {"auto"}, default="auto"
            Weight of a row of every class but the largest; "auto": the largest whole number that leaves the
            class no heavier than the largest one. class_weight takes its place.
        max_leaf_nodes : float or None, default=None
            Most leaves, rounded up. None: twice the square root of the number of rows. Must be a number of
            at least 1, or None.
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
            linearly with a margin of range / (rows - 1) on both sides, as in the authors' program; "minmax"
            without margin; "none" leaves them, and they must lie in [0, 1].
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
            Not used: nothing is drawn. It is here because all estimators have it.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        """
        keep_arguments(self, locals())

"""C4.5 trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.trees._base import TreeClassifier

__all__ = ["C45Classifier"]


class C45Classifier(TreeClassifier):
    """C4.5 decision tree, collapsed and pruned by pessimistic limits of its errors.

    Splits are those of ``C44Classifier``: the best gain ratio among the splits of at least average gain, one
    branch for each level of a nominal column, and rows with missing values divided over the branches. A
    subtree then becomes a leaf if it makes no fewer training errors (collapsing), or if the errors to
    expect of it at the given confidence are not below those of a leaf. Leaves answer with the shares of
    their classes.

    With a rare class the pruned tree is often a single leaf: look at ``C44Classifier`` or at the scores of
    ``CARTClassifierCV`` first.

    Parameters
    ----------
    confidence : float or None, default=0.25
        Confidence of the limits of errors in pessimistic pruning, in (0, 0.5]; smaller values prune more.
        None does not prune so.
    collapse : bool, default=True
        Whether subtrees become leaves that make no fewer training errors than a leaf, before any other
        pruning.
    subtree_raising : bool, default=False
        Whether pruning may also replace a node by its largest branch, down which the other rows are sent.
    average_gain : bool, default=True
        Whether only features of at least average gain compete by gain ratio.
    mdl_penalty : bool, default=True
        Whether the gain of a numeric cut is lowered by log2(number of cuts) / n.
    c45_min : bool, default=False
        Whether numeric cuts leave at least a tenth of the mean class weight on each side, up to 25.
    value_gap : float, default=0.0
        Values of a column that differ by no more are not cut apart; Weka has 1e-5.
    cut_value : str, default="midpoint"
        Threshold of a numeric cut: "midpoint" between two values, or "data", the largest training value up to
        there.
    quantile : str, default="exact"
        Normal quantile in the limits of errors: "exact", or from the "table" in C4.5's source.
    floor : str, default="c45"
        Extra errors of a leaf that is wrong almost everywhere: "c45" for 0.67 (N - E), "weka" for N - E.
    min_weight_leaf : float, default=2.0
        Smallest total weight of a leaf, at least 0; two rows as long as rows weigh 1 on average.
    monotonic_cst : list of int, dict or None, default=None
        One of 1, 0 and -1 for each feature, or a dict from names of features to them: with 1 the
        probability of the positive class never falls when the feature rises, with -1 it never rises. Two
        classes only; 0 for nominal columns, and not with ``subtree_raising``.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, rules and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns; only defined when ``X`` had names that are all text.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total gain of the splits.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Quinlan, "C4.5: Programs for Machine Learning", 1993: chapters 2 to 4.
    Quinlan, "Improved Use of Continuous Attributes in C4.5", 1996: the penalty of numeric cuts.

    Examples
    --------
    >>> from imbcore import C45Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = C45Classifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "c45"

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
        cut_value: str = "midpoint",
        quantile: str = "exact",
        floor: str = "c45",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 2.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: str = "gain",
        max_features: int | float | str | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = False,
        leaf: str = "frequency",
        prior_weight: float = 2.0,
        nominal: str = "multiway",
        missing: str = "fraction",
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        max_bins: int | None = None,
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        cost_matrix: Any = None,
        cost_strategy: str = "decision",
        threshold: float | str | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep_arguments(self, locals())

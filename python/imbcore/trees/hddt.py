"""Hellinger distance decision trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.trees._base import TreeClassifier

__all__ = ["HDDTClassifier"]


class HDDTClassifier(TreeClassifier):
    """Hellinger distance decision tree.

    A split is chosen by the Hellinger distance between the distributions of the classes over its
    branches, which does not depend on how rare a class is. With more than two classes it is the largest
    distance over all ways to merge the classes into two groups. The tree is not pruned, and leaves are
    smoothed by Laplace's rule.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies.
        With two classes the Hellinger distance ignores class weights; they still enter the leaves.

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
    Cieslak and Chawla, "Learning Decision Trees for Unbalanced Data", 2008: the Hellinger distance as a
    splitting criterion.
    Hoens, Qian, Chawla and Zhou, "Building Decision Trees for the Multi-class Imbalance Problem", 2012:
    eq. 1 (two classes) and Algorithm 1 (more classes).
    Provost and Domingos, "Tree Induction for Probability-Based Ranking", 2003: unpruned trees with
    Laplace leaves.

    Examples
    --------
    >>> from imbcore import HDDTClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = HDDTClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "hddt"

    def __init__(
        self,
        *,
        criterion: str | dict[str, Any] = "hellinger",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: str = "gain",
        max_features: int | float | str | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: str = "laplace",
        prior_weight: float = 2.0,
        nominal: str = "ovr",
        missing: str = "direction",
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: str = "gini",
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

"""C4.4 trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.trees._base import TreeClassifier

__all__ = ["C44Classifier"]


class C44Classifier(TreeClassifier):
    """C4.4 decision tree: C4.5 grown for good probabilities.

    Splits are those of C4.5: the best gain ratio among the splits of at least average gain, one branch for
    each level of a nominal column, and rows with missing values divided over the branches. The tree is
    neither pruned nor collapsed, and leaves are smoothed by Laplace's rule.

    Parameters
    ----------
    min_weight_leaf : float, default=2.0
        Smallest total weight of a leaf, at least 0; two rows as long as rows weigh 1 on average.

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
    Provost and Domingos, "Tree Induction for Probability-Based Ranking", 2003: C4.4.
    Quinlan, "C4.5: Programs for Machine Learning", 1993: gain ratio, average gain and missing values.

    Examples
    --------
    >>> from imbcore import C44Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = C44Classifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "c44"

    def __init__(
        self,
        *,
        criterion: str | dict[str, Any] = "c45",
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
        leaf: str = "laplace",
        prior_weight: float = 2.0,
        nominal: str = "multiway",
        missing: str = "fraction",
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

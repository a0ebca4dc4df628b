"""CART trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.trees._base import TreeClassifier

__all__ = ["CARTClassifier"]


class CARTClassifier(TreeClassifier):
    """CART decision tree: binary splits by the decrease of Gini's index, not pruned.

    The baseline to which trees made for rare classes are compared. On numbers without ties it grows the
    tree of scikit-learn's ``DecisionTreeClassifier``.

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
    Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984: the Gini decrease.

    Examples
    --------
    >>> from imbcore import CARTClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = CARTClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "cart"

    def __init__(
        self,
        *,
        criterion: str | dict[str, Any] = "gini",
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
        leaf: str = "frequency",
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

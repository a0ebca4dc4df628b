"""Alpha-trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.trees._base import TreeClassifier

__all__ = ["AlphaTreeClassifier"]


class AlphaTreeClassifier(TreeClassifier):
    """Alpha-tree: splits by the alpha-divergence between branch and class.

    The divergence is that of the joint law of branch and class from the product of its margins. It is a
    family of criteria: ``alpha`` moves it from splits that keep the frequent class pure to splits that make
    the rare class precise. The tree is fully grown, and leaves answer with the shares of their classes
    (``leaf="laplace"`` smooths them).

    Parameters
    ----------
    alpha : float, default=1.0
        Order of the divergence, in (0, 2]: 1 is the information gain, 2 half of Pearson's chi-square. Small
        values guard the purity of the frequent class, large ones the precision of the rare class.
    reference : str, list of float or None, default=None
        Law that the class shares of the branches are compared with: None for independence of branch and
        class; "uniform" (with ``alpha=2`` the tree is that of Gini's index), "flipped" (needs ``alpha``
        below 1; with 0.5 and two classes the tree is that of the Hellinger distance), or one share a class
        in sorted order.

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
    Park and Ghosh, "Compact Ensemble Trees for Imbalanced Data", 2012: definitions 1 and 2, and Figure 1 for
    the choice of alpha.

    Examples
    --------
    >>> from imbcore import AlphaTreeClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = AlphaTreeClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "alpha_tree"

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        reference: str | list[float] | None = None,
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
        nominal: str = "dummy",
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

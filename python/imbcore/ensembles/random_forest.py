"""Random forests with any criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.ensembles._base import ForestClassifier

__all__ = ["RandomForestClassifier"]


class RandomForestClassifier(ForestClassifier):
    """Random forest with any split criterion.

    Each tree sees a bootstrap sample of the rows, and each node a random choice of the columns; the trees are
    fully grown and their probabilities averaged. ``criterion="hellinger"`` makes it a Hellinger forest, whose
    splits do not depend on how rare a class is.

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
    estimators_ : sequence of imbcore.Model
        The trees, each of which predicts, and writes itself as text.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean over the trees of each feature's share in the total gain of the splits.
    oob_score_ : float
        Score of the rows that some tree did not see, each row counted once; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Answer for every training row of the trees that did not see it, NaN where all saw it; only with
        ``oob_score``.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Breiman, "Random Forests", Machine Learning 45, 2001.
    Cieslak, Hoens, Chawla and Kegelmeyer, "Hellinger Distance Decision Trees Are Robust and
    Skew-insensitive", Data Mining and Knowledge Discovery 24, 2012: ensembles of Hellinger trees.

    Examples
    --------
    >>> from imbcore import RandomForestClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "random_forest"

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int | float | None = None,
        bootstrap: bool = True,
        vote: str = "soft",
        oob_score: bool | str = False,
        criterion: str | dict[str, Any] = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        order: str = "gain",
        max_features: int | float | str | None = "sqrt",
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

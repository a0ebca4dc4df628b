"""Bayesian network classifier with a searched graph."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.bayes._base import SearchedBayesClassifier

__all__ = ["FullBayesClassifier"]


class FullBayesClassifier(SearchedBayesClassifier):
    """Bayesian network over all columns and the class, whose graph is searched for.

    Numeric columns are cut into bins, and a graph is sought in which every variable, the class among them,
    depends on few others. The answer is the law of the class given the row. Missing values need no filling:
    they are left out of the counts and summed out of the answers. Where a class is rare the graph may leave
    it alone, or its probability may never win: ``diagnose()`` says so, and what may help.

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

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Morán Jiménez, "Influence of imbalanced datasets in the induction of Full Bayesian Classifiers", 2018.
    Heckerman, Geiger and Chickering, "Learning Bayesian networks", 1995.

    Examples
    --------
    >>> from imbcore import FullBayesClassifier
    >>> X = [
    ...     ["sunny", 30.0],
    ...     ["sunny", 25.0],
    ...     ["rain", 12.0],
    ...     ["rain", None],
    ...     ["rain", 14.0],
    ...     ["sunny", 28.0],
    ... ]
    >>> y = ["out", "out", "in", "in", "in", "out"]
    >>> bayes = FullBayesClassifier(discretizer="equal_freq", n_bins=2, structure_score="aic").fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "full_bayes"

    def __init__(
        self,
        *,
        discretizer: str = "mdlp",
        n_bins: int = 5,
        r_compat: bool = False,
        missing: str = "available",
        unseen: str = "missing",
        structure_score: str = "bic",
        require_class_arc: bool = False,
        search: str = "tabu",
        structure_constant: float = 1.0,
        ess: float = 1.0,
        mle: str = "family",
        gaps: str = "node_average",
        max_parents: int | None = 4,
        tie_order: str = "entropy2",
        start: str | None = None,
        start_arcs: Any = None,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        class_role: str = "free",
        tabu: int = 10,
        max_tabu: int = 10,
        restarts: int = 0,
        perturb: int = 10,
        kick: str = "random",
        max_iters: int | None = None,
        max_without_improvement: int = 30,
        geom: float = 0.3,
        candidates: int = 25,
        time_limit: float | None = None,
        accept: str = "credit",
        density: float | None = None,
        rectify: str | None = None,
        phi: float = 0.5,
        rectify_on: str = "class",
        rectify_weights: str = "both",
        prior_weight: float | str = 1.0,
        prior_share: float | None = None,
        laplace: str | None = None,
        gamma: float = 0.0,
        rebalance: str = "inverse",
        local_priors: bool = False,
        nu0: float = 0.05,
        nu_max: float = 0.8,
        strength: float = 0.0,
        local_children: bool = False,
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

"""Naive Bayes."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.bayes._base import BayesClassifier

__all__ = ["NaiveBayesClassifier"]


class NaiveBayesClassifier(BayesClassifier):
    """Naive Bayes over discretised columns.

    The class is the only parent of every column. Numeric columns are cut into bins, nominal columns are
    taken as they are, and missing values need no filling: they are left out of the counts and summed out of
    the answers.

    Parameters
    ----------
    selective : bool, default=False
        Whether only columns are used whose BIC is better with the class as parent.
    structure_constant : float, default=1.0
        Factor of the penalty of that BIC, at least 0.

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
    Langley, Iba and Thompson, "An analysis of Bayesian classifiers", 1992. Langley and Sage, "Induction of
    selective Bayesian classifiers", 1994.

    Examples
    --------
    >>> from imbcore import NaiveBayesClassifier
    >>> X = [
    ...     ["sunny", 30.0],
    ...     ["sunny", 25.0],
    ...     ["rain", 12.0],
    ...     ["rain", None],
    ...     ["rain", 14.0],
    ...     ["sunny", 28.0],
    ... ]
    >>> y = ["out", "out", "in", "in", "in", "out"]
    >>> bayes = NaiveBayesClassifier(discretizer="equal_freq", n_bins=2).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "naive_bayes"

    def __init__(
        self,
        *,
        discretizer: str = "mdlp",
        n_bins: int = 5,
        r_compat: bool = False,
        missing: str = "available",
        unseen: str = "missing",
        selective: bool = False,
        structure_constant: float = 1.0,
        rectify: str | None = None,
        phi: float = 0.5,
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

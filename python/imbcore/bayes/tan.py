"""Tree-augmented naive Bayes."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.bayes._base import BayesClassifier

__all__ = ["TANClassifier"]


class TANClassifier(BayesClassifier):
    """Tree-augmented naive Bayes over discretised columns (TAN).

    Every column depends on the class and on at most one other column: the tree of columns that tell most of
    each other given the class. Missing values need no filling.

    Parameters
    ----------
    forest : bool, default=False
        Whether arcs between columns that do not raise the BIC are left out.

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
    Friedman, Geiger and Goldszmidt, "Bayesian network classifiers", 1997.

    Examples
    --------
    >>> from imbcore import TANClassifier
    >>> X = [
    ...     ["sunny", 30.0],
    ...     ["sunny", 25.0],
    ...     ["rain", 12.0],
    ...     ["rain", None],
    ...     ["rain", 14.0],
    ...     ["sunny", 28.0],
    ... ]
    >>> y = ["out", "out", "in", "in", "in", "out"]
    >>> bayes = TANClassifier(discretizer="equal_freq", n_bins=2).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "tan"

    def __init__(
        self,
        *,
        discretizer: str = "mdlp",
        n_bins: int = 5,
        r_compat: bool = False,
        missing: str = "available",
        unseen: str = "missing",
        forest: bool = False,
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

"""Ensemble of Bayesian network classifiers."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import BayesBaggingParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["BayesBaggingClassifier"]


class BayesBaggingClassifier(BayesBaggingParameters, BayesClassifier):
    """Average of Bayesian network classifiers fitted to bootstrap samples.

    Every network is fitted like ``FullBayesClassifier`` to a bootstrap sample of the size of the data.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Morán Jiménez, "Influence of imbalanced datasets in the induction of Full Bayesian Classifiers", 2018,
    section 5.4.3. Breiman, "Bagging predictors", 1996. Heckerman, "A tutorial on learning with Bayesian
    networks", 1996.

    Examples
    --------
    >>> from imbcore import BayesBaggingClassifier
    >>> from imbcore.discretization import EqualFrequencyDiscretizer
    >>> X = [
    ...     ["sunny", 30.0],
    ...     ["sunny", 25.0],
    ...     ["rain", 12.0],
    ...     ["rain", None],
    ...     ["rain", 14.0],
    ...     ["sunny", 28.0],
    ... ]
    >>> y = ["out", "out", "in", "in", "in", "out"]
    >>> halves = EqualFrequencyDiscretizer(n_bins=2)
    >>> bayes = BayesBaggingClassifier(
    ...     n_estimators=10, random_state=0, discretizer=halves, structure_score="aic", stratified=True
    ... ).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "bayes_bagging"

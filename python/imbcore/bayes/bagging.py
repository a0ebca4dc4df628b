"""Ensemble of Bayesian network classifiers."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import BayesBaggingParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["BayesBaggingClassifier"]


class BayesBaggingClassifier(BayesBaggingParameters, BayesClassifier):
    """Bayesian network classifiers on bootstrap samples, whose probabilities are averaged.

    Every network is learnt as by ``FullBayesClassifier`` from as many rows as there are, drawn with
    replacement.

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
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

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

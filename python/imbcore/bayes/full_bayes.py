"""Bayesian network classifier with a searched graph."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import FullBayesParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["FullBayesClassifier"]


class FullBayesClassifier(FullBayesParameters, BayesClassifier):
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
    Morán Jiménez, "Influence of imbalanced datasets in the induction of Full Bayesian Classifiers", 2018.
    Heckerman, Geiger and Chickering, "Learning Bayesian networks", 1995.

    Examples
    --------
    >>> from imbcore import FullBayesClassifier
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
    >>> bayes = FullBayesClassifier(
    ...     discretizer=EqualFrequencyDiscretizer(n_bins=2), structure_score="aic"
    ... ).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "full_bayes"

"""Naive Bayes."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import NaiveBayesParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["NaiveBayesClassifier"]


class NaiveBayesClassifier(NaiveBayesParameters, BayesClassifier):
    """Naive Bayes over discretised columns.

    The class is the only parent of every column. Numeric columns are cut into bins, nominal columns are
    taken as they are, and missing values need no filling: they are left out of the counts and summed out of
    the answers.

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
    Langley, Iba and Thompson, "An analysis of Bayesian classifiers", 1992. Langley and Sage, "Induction of
    selective Bayesian classifiers", 1994.

    Examples
    --------
    >>> from imbcore import NaiveBayesClassifier
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
    >>> bayes = NaiveBayesClassifier(discretizer=EqualFrequencyDiscretizer(n_bins=2)).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "naive_bayes"

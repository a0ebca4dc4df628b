"""Naive Bayes."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import NaiveBayesParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["NaiveBayesClassifier"]


class NaiveBayesClassifier(NaiveBayesParameters, BayesClassifier):
    """Naive Bayes over discretized columns.

    The class is the only parent of every column. Numeric columns are discretized and nominal columns are
    used as they are. Missing values need no imputation: they are left out of the counts and marginalized in
    predictions.

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

"""Averaged one-dependence estimators."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AODEParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["AODEClassifier"]


class AODEClassifier(AODEParameters, BayesClassifier):
    """Averaged one-dependence estimators over discretized columns (AODE).

    There is one network per column, in which this column (the super-parent) and the class are the parents of
    all other columns. The prediction comes from the mixture of their joint distributions: ``P(y | x)`` is
    proportional to ``sum_i P(y, x_i) prod_j P(x_j | y, x_i)`` (equation 5 of the paper). No graph is
    selected, which keeps the variance low. Rare super-parent values are smoothed by the prior; the paper
    drops such super-parents. Time and memory grow with the square of the number of columns;
    ``max_super_parents`` bounds it. Missing values need no imputation: every network marginalizes over them.

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
    Webb, Boughton and Wang, "Not so naive Bayes: aggregating one-dependence estimators", 2005.

    Examples
    --------
    >>> from imbcore import AODEClassifier
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
    >>> bayes = AODEClassifier(discretizer=EqualFrequencyDiscretizer(n_bins=2)).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "aode"

"""Averaged one-dependence estimators."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AODEParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["AODEClassifier"]


class AODEClassifier(AODEParameters, BayesClassifier):
    """Averaged one-dependence estimators over discretised columns (AODE).

    A network for each column, in which that column, the super-parent, and the class are the parents of all
    others; the answer is that of the mixture of their joint laws, ``P(y | x)`` in proportion to
    ``sum_i P(y, x_i) prod_j P(x_j | y, x_i)`` (equation 5 of the paper). No graph is chosen, so that little
    varies with the rows that train. Where a super-parent's value is rare the prior smooths; the paper leaves
    such super-parents out. Time and memory grow with the square of the number of columns, which
    ``max_super_parents`` bounds. Missing values need no filling: they are summed out, in every network.

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

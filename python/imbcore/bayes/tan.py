"""Tree-augmented naive Bayes."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import TANParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["TANClassifier"]


class TANClassifier(TANParameters, BayesClassifier):
    """Tree-augmented naive Bayes over discretised columns (TAN).

    Every column depends on the class and on at most one other column: the tree of columns that tell most of
    each other given the class. Missing values need no filling.

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
    Friedman, Geiger and Goldszmidt, "Bayesian network classifiers", 1997.

    Examples
    --------
    >>> from imbcore import TANClassifier
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
    >>> bayes = TANClassifier(discretizer=EqualFrequencyDiscretizer(n_bins=2)).fit(X, y)
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "tan"

"""Tree-augmented naive Bayes."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import TANParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["TANClassifier"]


class TANClassifier(TANParameters, BayesClassifier):
    """Tree-augmented naive Bayes over discretized columns (TAN).

    Every column depends on the class and on at most one other column. These arcs form the tree with the
    largest total mutual information given the class. Missing values need no imputation.

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

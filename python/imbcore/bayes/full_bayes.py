"""Bayesian network classifier with a searched graph."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import FullBayesParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["FullBayesClassifier"]


class FullBayesClassifier(FullBayesParameters, BayesClassifier):
    """Bayesian network over all columns and the class, with a learned graph.

    Numeric columns are discretized. A graph search chooses a few parents for every variable, including the
    class. The prediction is the conditional distribution of the class given the row. Missing values need no
    imputation: they are left out of the counts and marginalized in predictions. If a class is rare, it may
    have no arc in the graph, or its probability may never be the largest: ``diagnose()`` reports this and
    possible remedies.

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

"""Bayesian network classifiers."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import (
    AODEParameters,
    BayesBaggingParameters,
    FullBayesParameters,
    KDBParameters,
    NaiveBayesParameters,
    TANParameters,
)
from imbcore.bayes._base import BayesClassifier

__all__ = [
    "AODEClassifier",
    "BayesBaggingClassifier",
    "FullBayesClassifier",
    "KDBClassifier",
    "NaiveBayesClassifier",
    "TANClassifier",
]


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


class KDBClassifier(KDBParameters, BayesClassifier):
    """k-dependence Bayesian classifier over discretized columns (KDB).

    Columns are processed by decreasing mutual information with the class. Each column depends on the class
    and on at most ``max_feature_parents`` earlier columns with the highest mutual information given the
    class. Missing values need no imputation.

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
    Sahami, "Learning limited dependence Bayesian classifiers", 1996.

    Examples
    --------
    >>> from imbcore import KDBClassifier
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
    >>> bayes = KDBClassifier(max_feature_parents=1, discretizer=EqualFrequencyDiscretizer(n_bins=2)).fit(
    ...     X, y
    ... )
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "kdb"


class AODEClassifier(AODEParameters, BayesClassifier):
    """Averaged one-dependence estimators over discretized columns (AODE).

    There is one network per column, in which this column (the super-parent) and the class are the parents of
    all other columns. The prediction comes from the mixture of their joint distributions: ``P(y | x)`` is
    proportional to ``sum_i P(y, x_i) prod_j P(x_j | y, x_i)`` (equation 5 of the paper). No graph is
    selected, which keeps the variance low. Rare super-parent values are smoothed by the prior; the paper
    drops such super-parents. Time and memory grow with the square of the number of columns;
    ``max_super_parents`` limits both. Missing values need no imputation: every network marginalizes over
    them.

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


class FullBayesClassifier(FullBayesParameters, BayesClassifier):
    """Bayesian network over all columns and the class, with a learned graph.

    Numeric columns are discretized. A graph search chooses a few parents for every variable, including the
    class. The prediction is the conditional distribution of the class given the row. Missing values need no
    imputation: they are left out of the counts and marginalized in predictions. If a class is rare, the class
    variable may have no arc in the graph, or the rare class may never be the most probable class;
    ``diagnose()`` reports both cases and possible remedies.

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

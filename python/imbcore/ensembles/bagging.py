"""Bagging, and its variants that balance the classes of every bag."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import (
    BaggingParameters,
    OverBaggingParameters,
    SMOTEBaggingParameters,
    UnderBaggingParameters,
    UnderOverBaggingParameters,
)
from imbcore.ensembles._generic import GenericEnsemble

__all__ = [
    "BaggingClassifier",
    "OverBaggingClassifier",
    "SMOTEBaggingClassifier",
    "UnderBaggingClassifier",
    "UnderOverBaggingClassifier",
]


class _BaggingEnsemble(GenericEnsemble):
    """Base class of ensembles whose members are fitted to bags of rows.

    Attributes
    ----------
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimators_samples_ : list of ndarray
        Indices of the training rows of each member, in ascending order; a row drawn twice appears twice.
    estimators_features_ : list of ndarray
        Columns used by each member.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Voting weight of each member; always 1.
    oob_score_ : float
        Score of ``oob_decision_function_``; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows; only if ``oob_score`` is set. NaN for rows that are in
        the samples of all members, and for rows of weight 0.
    """


class BaggingClassifier(BaggingParameters, _BaggingEnsemble):
    """Bagging: average of members fitted to bootstrap samples.

    The samples have about the class proportions of the data, so this method is the baseline for ensembles
    that balance the classes.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Breiman, "Bagging Predictors", 1996.

    Examples
    --------
    >>> from imbcore import BaggingClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = BaggingClassifier("hddt", random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "bagging"


class UnderBaggingClassifier(UnderBaggingParameters, _BaggingEnsemble):
    """Bagging whose bags hold equal numbers of rows of all classes, by under-sampling.

    Every bag has all rows of the smallest class, and an equal number of random rows of every other class. If
    ``groups`` are given, only the rows of randomly drawn groups are available to a bag. Bags are small, so
    fits are fast for any size of the majority. The members, and ``predict``, assume balanced classes;
    probabilities are corrected to the class proportions of the data (``prior_correction``).

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Barandela, Valdovinos and Sanchez, "New Applications of Ensembles of Classifiers", 2003.
    Wang and Yao, "Diversity Analysis on Imbalanced Data Sets by Using Ensemble Models", 2009.

    Examples
    --------
    >>> from imbcore import UnderBaggingClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = UnderBaggingClassifier("hddt", n_estimators=10, random_state=0).fit(X, y)
    >>> [len(rows) for rows in model.estimators_samples_[:3]]
    [10, 10, 10]
    """

    _method: ClassVar[str] = "under_bagging"


class OverBaggingClassifier(OverBaggingParameters, _BaggingEnsemble):
    """Bagging whose bags hold equal numbers of rows of all classes, by over-sampling.

    A bag has a bootstrap sample of each class, with as many rows as the largest class.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Wang and Yao, "Diversity Analysis on Imbalanced Data Sets by Using Ensemble Models", 2009.

    Examples
    --------
    >>> from imbcore import OverBaggingClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = OverBaggingClassifier("hddt", n_estimators=10, random_state=0).fit(X, y)
    >>> [len(rows) for rows in model.estimators_samples_[:3]]
    [30, 30, 30]
    """

    _method: ClassVar[str] = "over_bagging"


class UnderOverBaggingClassifier(UnderOverBaggingParameters, _BaggingEnsemble):
    """Bagging with balanced bags of increasing size, from under-sampling to over-sampling.

    Each bag has the same number of rows of every class. This number grows in ten steps from a tenth of the
    rows of the largest class to all of them; ``percent_schedule`` assigns the steps to the bags.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Wang and Yao, "Diversity Analysis on Imbalanced Data Sets by Using Ensemble Models", 2009.

    Examples
    --------
    >>> from imbcore import UnderOverBaggingClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = UnderOverBaggingClassifier("hddt", n_estimators=10, random_state=0).fit(X, y)
    >>> [len(rows) for rows in model.estimators_samples_]
    [4, 6, 8, 12, 16, 18, 20, 24, 28, 30]
    """

    _method: ClassVar[str] = "under_over_bagging"


class SMOTEBaggingClassifier(SMOTEBaggingParameters, _BaggingEnsemble):
    """Bagging whose bags are balanced by sampled rows and synthetic SMOTE rows.

    A bag has a bootstrap sample of the largest class. Every other class gets the same number of rows: some
    are sampled, and SMOTE generates the rest between neighbors among all rows of the class. The sampled
    fraction differs between bags (``percent_schedule``). If there are nominal columns, synthetic rows follow
    SMOTE-NC. Missing values are not supported.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Wang and Yao, "Diversity Analysis on Imbalanced Data Sets by Using Ensemble Models", 2009.
    Chawla, Bowyer, Hall and Kegelmeyer, "SMOTE: Synthetic Minority Over-sampling Technique", 2002.

    Examples
    --------
    >>> from imbcore import SMOTEBaggingClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = SMOTEBaggingClassifier("hddt", n_estimators=10, random_state=0).fit(X, y)
    >>> [len(rows) for rows in model.estimators_samples_][::3]
    [17, 21, 25, 30]
    """

    _method: ClassVar[str] = "smote_bagging"
    _makes_rows: ClassVar[bool] = True

"""Bagging over rows that SMOTE fills up."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SMOTEBaggingParameters
from imbcore.ensembles._committee import CommitteeClassifier

__all__ = ["SMOTEBaggingClassifier"]


class SMOTEBaggingClassifier(SMOTEBaggingParameters, CommitteeClassifier):
    """Bagging whose bags are balanced by drawn rows and rows that SMOTE makes.

    A bag has a bootstrap sample of the largest class. Of every other class it has so many rows, a part of
    them drawn and the rest made by SMOTE between neighbours of the whole class; the part grows from bag to
    bag. With nominal columns made rows follow SMOTE-NC. Columns must not lack values.


    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn. Not there where the members are no models of imbcore.
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimators_samples_ : list of ndarray
        Rows of ``X`` in the bag of each member, ascending; a row drawn twice stands there twice.
    estimators_features_ : list of ndarray
        Columns that each member sees.
    estimator_weights_ : ndarray of shape (n_estimators,)
        What each member counts: 1.
    oob_score_ : float
        Score of ``oob_decision_function_``; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Probabilities of every training row by the members that did not see it, NaN where all saw it; only
        with ``oob_score``.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the members' importances by what they count; only where members have any.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold`` and scores speak of.
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

"""Bagging with under-sampled bags."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import UnderBaggingParameters
from imbcore.ensembles._generic import GenericEnsemble

__all__ = ["UnderBaggingClassifier"]


class UnderBaggingClassifier(UnderBaggingParameters, GenericEnsemble):
    """Bagging whose bags hold equal numbers of rows of all classes, by under-sampling.

    Every bag has all rows of the smallest class, and an equal number of random rows of every other class.
    Bags are small, so fits are fast for any size of the majority. The members, and ``predict``, assume
    balanced classes; probabilities are corrected to the class proportions of the data (``recalibrate``).


    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn. Absent if the members are not imbcore models.
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending; a row drawn twice appears twice.
    estimators_features_ : list of ndarray
        Columns used by each member.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Voting weight of each member; always 1.
    oob_score_ : float
        Score of ``oob_decision_function_``; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows, NaN for rows that every member saw; only
        with ``oob_score``.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the members' importances, weighted by their votes; only if members have importances.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold`` and scores refer.
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

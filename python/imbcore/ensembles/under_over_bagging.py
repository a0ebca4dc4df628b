"""Bagging with balanced bags of increasing size."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import UnderOverBaggingParameters
from imbcore.ensembles._generic import GenericEnsemble

__all__ = ["UnderOverBaggingClassifier"]


class UnderOverBaggingClassifier(UnderOverBaggingParameters, GenericEnsemble):
    """Bagging with balanced bags of increasing size, from under-sampling to over-sampling.

    In the first bags each class has a tenth as many rows as the largest class, in the last bags as many as
    the largest class.


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

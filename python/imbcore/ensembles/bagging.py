"""Bagging with any base method."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import BaggingParameters
from imbcore.ensembles._generic import GenericEnsemble

__all__ = ["BaggingClassifier"]


class BaggingClassifier(BaggingParameters, GenericEnsemble):
    """Bagging: average of members fitted to bootstrap samples.

    The samples keep the class proportions, so this is the baseline for the ensembles that balance classes.


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

"""Boosting on many balanced samples."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import EasyEnsembleParameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["EasyEnsembleClassifier"]


class EasyEnsembleClassifier(EasyEnsembleParameters, BoostingClassifier):
    """EasyEnsemble: AdaBoost on many balanced samples, whose members all vote together.

    Each of ``n_estimators`` samples has all rows of the smallest class and as many of each other, and
    ``n_boost`` members are boosted on it. As in the paper the members of all samples vote together
    (``combine="sum"``); ``combine="proba"`` takes the mean of the samples' probabilities, as
    imbalanced-learn does, whose AdaBoosts have 50 members instead of 10. ``predict`` answers as in a
    balanced world; probabilities are brought back to the class shares of the data (``recalibrate``).

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn. Not there where the members are no models of imbcore.
    estimators_ : sequence
        The members of all samples, one after the other: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        The vote of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Its error by the weights of its round.
    estimators_samples_ : list of ndarray
        Rows of ``X`` in the sample of each member, ascending; the members of a sample have the same.
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
        From ``fit`` and ``predict``, when the data cannot be used, and when no member is better than chance.

    References
    ----------
    Liu, Wu and Zhou, "Exploratory Undersampling for Class-Imbalance Learning", 2009: figure 3.

    Examples
    --------
    >>> from imbcore import EasyEnsembleClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = EasyEnsembleClassifier(n_estimators=4, random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "easy_ensemble"

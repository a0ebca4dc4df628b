"""Boosting with rows made by SMOTE."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SMOTEBoostParameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["SMOTEBoostClassifier"]


class SMOTEBoostClassifier(SMOTEBoostParameters, BoostingClassifier):
    """SMOTEBoost: boosting whose members also learn from rows made by SMOTE, anew in every round.

    Made rows count in their round only: error and weights are those of the rows of the data. Neighbours are
    looked up once. Probabilities stay what the members say unless ``recalibrate="prior"``: what made rows
    do to probabilities is more than a change of class shares, and cannot be undone exactly.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn. Not there where the members are no models of imbcore.
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        The vote of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Its error by the weights of its round.
    estimators_samples_ : list of ndarray
        Rows of ``X`` from which each member learnt, ascending; all that have weight, besides the made ones.
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
    Chawla, Lazarevic, Hall and Bowyer, "SMOTEBoost: Improving Prediction of the Minority Class in Boosting",
    2003.

    Examples
    --------
    >>> from imbcore import SMOTEBoostClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = SMOTEBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "smoteboost"
    _makes_rows: ClassVar[bool] = True

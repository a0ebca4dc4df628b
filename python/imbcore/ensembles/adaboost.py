"""AdaBoost over any method."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AdaBoostParameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["AdaBoostClassifier"]


class AdaBoostClassifier(AdaBoostParameters, BoostingClassifier):
    """AdaBoost: each member learns from weights that the mistakes of those before it raise.

    A member's vote grows with the share of the weight that it gets right. ``predict`` is the class with
    most of the votes; probabilities follow from the votes as in scikit-learn, with which the votes agree
    given the same members. By default the members are stumps. All members learn from all rows.

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
        Rows of ``X`` from which each member learnt, ascending; all that have weight, or with
        ``resample=True`` those drawn.
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
    Freund and Schapire, "A Decision-Theoretic Generalization of On-Line Learning and an Application to
    Boosting", 1997.
    Zhu, Zou, Rosset and Hastie, "Multi-class AdaBoost", 2009.

    Examples
    --------
    >>> from imbcore import AdaBoostClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "adaboost"

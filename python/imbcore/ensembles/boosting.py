"""AdaBoost, and its variants that resample in every round."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AdaBoostParameters, RUSBoostParameters, SMOTEBoostParameters
from imbcore.ensembles._generic import BoostingClassifier

__all__ = ["AdaBoostClassifier", "RUSBoostClassifier", "SMOTEBoostClassifier"]


class AdaBoostClassifier(AdaBoostParameters, BoostingClassifier):
    """AdaBoost: the row weights of each member grow with the errors of earlier members.

    The voting weight of a member grows with its weighted accuracy. ``predict`` returns the class with the
    largest vote; probabilities are derived from the votes as in scikit-learn, and the votes are equal to
    those of scikit-learn if the members are equal. The default members are decision stumps.

    Attributes
    ----------
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted training error of each member in its round.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending: all rows of positive weight, or the drawn rows if
        ``resample`` is True or the members do not support weights.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid or no member is better than chance.

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


class RUSBoostClassifier(RUSBoostParameters, BoostingClassifier):
    """RUSBoost: boosting on balanced samples, drawn anew in every round.

    Each round draws a balanced sample of the rows and fits a member to the weighted rows of the sample. The
    weights of all rows are then updated from the predictions of the member. If no sample of a round gives a
    member better than chance, the weights are reset to the initial weights (``restarts``). ``loss="m2"`` is
    the loss of the paper; ``loss="samme"`` is the loss of imbalanced-learn. The members, and ``predict``,
    assume balanced classes; probabilities are corrected to the class proportions of the data
    (``prior_correction``).

    Attributes
    ----------
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted training error of each member in its round.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid or no member is better than chance.

    References
    ----------
    Seiffert, Khoshgoftaar, Van Hulse and Napolitano, "RUSBoost: A Hybrid Approach to Alleviating Class
    Imbalance", 2010.

    Examples
    --------
    >>> from imbcore import RUSBoostClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = RUSBoostClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "rusboost"


class SMOTEBoostClassifier(SMOTEBoostParameters, BoostingClassifier):
    """SMOTEBoost: boosting whose members also use new synthetic SMOTE rows in every round.

    Synthetic rows are used only to fit the member of their round. Errors and weights are computed from the
    rows of the data. Probabilities are not corrected unless ``prior_correction="prior"``: the
    effect of synthetic rows on probabilities is more than a shift of class proportions, and cannot be
    inverted exactly.

    Attributes
    ----------
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted training error of each member in its round.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending, without synthetic rows: all rows of positive weight, or rows
        drawn by weight if the members do not support weights.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid or no member is better than chance.

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

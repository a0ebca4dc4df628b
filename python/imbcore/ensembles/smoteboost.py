"""Boosting with synthetic rows from SMOTE."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SMOTEBoostParameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["SMOTEBoostClassifier"]


class SMOTEBoostClassifier(SMOTEBoostParameters, BoostingClassifier):
    """SMOTEBoost: boosting whose members also use new synthetic SMOTE rows in every round.

    Synthetic rows are used in their round only: error and weights are those of the rows of the data.
    Neighbors are searched once. Probabilities are not corrected unless ``prior_correction="prior"``:
    synthetic rows change probabilities by more than a shift of class proportions, which cannot be inverted
    exactly.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn. Absent if the members are not imbcore models.
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted training error of each member in its round.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending: all rows of positive weight, without synthetic ones.
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

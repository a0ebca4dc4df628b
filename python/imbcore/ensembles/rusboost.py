"""Boosting on random under-samples."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import RUSBoostParameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["RUSBoostClassifier"]


class RUSBoostClassifier(RUSBoostParameters, BoostingClassifier):
    """RUSBoost: boosting whose members learn from balanced samples, drawn anew in every round.

    Each round under-samples the rows, has a member fitted to them with their weights, and weighs all rows
    anew by what the member says of them. Where no sample gives a member better than chance, the weights go
    back to those of the start, so that all rounds are fitted. ``loss="m2"`` is the paper's; ``loss="samme"``
    is the form of imbalanced-learn, which goes wrong after a round or two where 1 % of the rows are rare. The
    members answer as in a balanced world, and so does ``predict``; probabilities are brought back to the
    class shares of the data (``recalibrate``).

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
        Rows of ``X`` in the sample of each member, ascending.
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

"""Boosting on balanced samples from which easy negatives go."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._signatures import BalanceCascadeParameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["BalanceCascadeClassifier"]


class BalanceCascadeClassifier(BalanceCascadeParameters, BoostingClassifier):
    """BalanceCascade: AdaBoost on balanced samples, from stage to stage without the negatives that were easy.

    Each stage boosts ``n_boost`` members on all rows of the smaller class and as many of those of the
    larger that are left, sets its threshold so that a fixed share of these counts as positive, and takes
    the others away, so that the last stage is left with as many of both. A row is positive where the sum of
    the stages' scores exceeds that of their thresholds (``decision="sum"``), or where every stage says so
    (``"all"``). The last stage sets its threshold by the same share. ``predict`` answers as the stages do;
    probabilities are brought back to the class shares of the data (``recalibrate``).

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn. Not there where the members are no models of imbcore.
    estimators_ : sequence
        The members of all stages, one after the other: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        The vote of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Its error by the weights of its round.
    estimators_samples_ : list of ndarray
        Rows of ``X`` in the sample of each member, ascending; the members of a stage have the same.
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
        From ``fit`` and ``predict``, when the data cannot be used, and when no member is better than chance,
        or there are more than two classes.

    References
    ----------
    Liu, Wu and Zhou, "Exploratory Undersampling for Class-Imbalance Learning", 2009: figure 4.

    Examples
    --------
    >>> from imbcore import BalanceCascadeClassifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = BalanceCascadeClassifier(n_estimators=3, random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "balance_cascade"

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

"""Boosting with costs in the exponent and before it."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._signatures import AdaC3Parameters
from imbcore.ensembles._boosting import BoostingClassifier

__all__ = ["AdaC3Classifier"]


class AdaC3Classifier(AdaC3Parameters, BoostingClassifier):
    """AdaC3: boosting by what mistakes cost, the costs in the exponent and before it of the weights.

    Mistakes in the rare class cost 1, and those in the other less: how much less is chosen by
    cross-validation (``class_costs="grid"``), follows from how rare the class is (``"tan"``, ``"ratio"``), or
    is given.

    In AdaC3 the cost multiplies the weights in **every** round: a ratio of ``q`` is one of ``q ** t`` after
    ``t`` rounds, and very uneven costs leave nothing of the cheap class within a few. Keep costs near 1
    (0.3 to 0.7 did best where 1 % of the rows were positive); a ratio as extreme as the class shares
    belongs to weighting once, ``class_weight``.

    Parameters
    ----------
    class_costs : {"grid", "tan", "ratio"}, pair of floats, dict or function, default="grid"
        What mistakes cost; only the ratio counts. Two numbers: in the positive class, and in the other; a
        dict: by label, 1 where a label is not in it. "tan" and "ratio": 1 in the smallest class, and in the
        others by how much larger they are, by the tangent of ``theta`` and ``b3`` or in proportion. A
        function: 1 in the smallest class, and in each larger class the number above 0 that it returns for the
        imbalance ratio, the weight of the smallest class divided by that of the larger one. "grid": what of
        ``grid`` does best by cross-validation, which costs as many fits as costs times folds.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn. Not there where the members are no models of imbcore.
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        The vote of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Share of the costs, by the weights of its round, in the rows that it gets wrong.
    estimators_samples_ : list of ndarray
        Rows of ``X`` from which each member learnt, ascending; all that have weight.
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
    Sun, Kamel, Wong and Wang, "Cost-Sensitive Boosting for Classification of Imbalanced Data", 2007.
    Moran Jimenez, doctoral thesis, 2018, section 3.3, for the tangent.

    Examples
    --------
    >>> from imbcore import AdaC3Classifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = AdaC3Classifier(n_estimators=10, class_costs=(1.0, 0.5), random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "adac3"

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

"""Boosting with misclassification costs: AdaC1, AdaC2 and AdaC3."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AdaC1Parameters, AdaC2Parameters, AdaC3Parameters
from imbcore.ensembles._generic import BoostingClassifier

__all__ = ["AdaC1Classifier", "AdaC2Classifier", "AdaC3Classifier"]


class _CostBoostingClassifier(BoostingClassifier):
    """Base class of AdaC1, AdaC2 and AdaC3.

    Parameters
    ----------
    class_costs : {"grid", "tan", "ratio"}, pair of floats, dict or function, default="grid"
        Costs of errors; only the ratio of the costs matters. Two numbers: cost of errors in the positive
        class, and in the other class. A dict: costs by label; labels that are not given have cost 1. The
        imbalance ratio of a class is the weight of the smallest class divided by the weight of the class.
        "ratio": the imbalance ratio of each class, so 1 for the smallest class. "tan": 1 for the smallest
        class, and for larger classes a tangent function of the imbalance ratio, with ``theta`` and ``b3``. A
        function: 1 for the smallest class; for a larger class, the function gets its imbalance ratio and
        returns its cost, a number above 0. "grid": the best entry of ``grid`` in cross-validation, which
        takes (number of costs) times (number of folds) fits.

    Attributes
    ----------
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        For each member, the sum of weight times cost over the misclassified rows, divided by the sum over all
        rows, with the row weights of its round.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending: all rows of positive weight, or rows drawn by weight if the
        members do not support weights.
    """


class AdaC1Classifier(AdaC1Parameters, _CostBoostingClassifier):
    """AdaC1: cost-sensitive boosting with the costs inside the exponent of the weight update.

    Errors in the rare class cost 1, and errors in the other class less. The lower cost is selected by
    cross-validation (``class_costs="grid"``), derived from the class frequencies (``"tan"``, ``"ratio"``), or
    given.

    The costs apply in **every** round. With very unequal costs, the voting weights soon approach 0, as if
    the members guessed at random. Keep costs near 1; for a cost ratio as extreme as the class
    proportions use ``class_weight``, which is applied only once.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid, no member is better than chance, or there are
        more than two classes.

    References
    ----------
    Sun, Kamel, Wong and Wang, "Cost-Sensitive Boosting for Classification of Imbalanced Data", 2007.
    Moran Jimenez, doctoral thesis, 2018, section 3.3, for the tangent.

    Examples
    --------
    >>> from imbcore import AdaC1Classifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = AdaC1Classifier(n_estimators=10, class_costs=(1.0, 0.5), random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "adac1"
    _multi_class: ClassVar[bool] = False


class AdaC2Classifier(AdaC2Parameters, _CostBoostingClassifier):
    """AdaC2: cost-sensitive boosting with the costs outside the exponent of the weight update.

    Errors in the rare class cost 1, and errors in the other class less. The lower cost is selected by
    cross-validation (``class_costs="grid"``), derived from the class frequencies (``"tan"``, ``"ratio"``), or
    given.

    In AdaC2 the cost multiplies the weights in **every** round: a cost ratio of ``q`` becomes ``q ** t``
    after ``t`` rounds, and very unequal costs remove the class with the lower cost within a few rounds. Use
    costs near 1 (with 1 % positive rows, 0.3 to 0.7 gave the best results); for a cost ratio as extreme as
    the class proportions use ``class_weight``, which is applied only once.

    More than two classes use the vote of SAMME; the lower cost then applies to all classes but the smallest.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid or no member is better than chance.

    References
    ----------
    Sun, Kamel, Wong and Wang, "Cost-Sensitive Boosting for Classification of Imbalanced Data", 2007.
    Moran Jimenez, doctoral thesis, 2018, section 3.3, for the tangent.

    Examples
    --------
    >>> from imbcore import AdaC2Classifier
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = AdaC2Classifier(n_estimators=10, class_costs=(1.0, 0.5), random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    """

    _method: ClassVar[str] = "adac2"


class AdaC3Classifier(AdaC3Parameters, _CostBoostingClassifier):
    """AdaC3: cost-sensitive boosting with the costs both inside and outside the exponent.

    Errors in the rare class cost 1, and errors in the other class less. The lower cost is selected by
    cross-validation (``class_costs="grid"``), derived from the class frequencies (``"tan"``, ``"ratio"``), or
    given.

    In AdaC3 the cost multiplies the weights in **every** round: a cost ratio of ``q`` becomes ``q ** t``
    after ``t`` rounds, and very unequal costs remove the class with the lower cost within a few rounds. Use
    costs near 1 (with 1 % positive rows, 0.3 to 0.7 gave the best results); for a cost ratio as extreme as
    the class proportions use ``class_weight``, which is applied only once.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid, no member is better than chance, or there are
        more than two classes.

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
    _multi_class: ClassVar[bool] = False

"""Ensembles of AdaBoost on balanced subsets of the rows."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import BalanceCascadeParameters, EasyEnsembleParameters
from imbcore.ensembles._generic import BoostingClassifier

__all__ = ["BalanceCascadeClassifier", "EasyEnsembleClassifier"]


class EasyEnsembleClassifier(EasyEnsembleParameters, BoostingClassifier):
    """EasyEnsemble: AdaBoost on each of many balanced samples; all members vote together.

    Each of ``n_estimators`` samples has all rows of the smallest class and an equal number of rows of every
    other class. If ``groups`` are given, only the rows of randomly drawn groups are available to a sample.
    AdaBoost fits ``n_rounds_per_subset`` members to each sample. As in the paper, the members of all samples
    vote together (``combine="sum"``). ``combine="proba"`` averages the probabilities of the samples, as in
    imbalanced-learn; there, AdaBoost has 50 members by default, here 10. ``predict`` assumes balanced
    classes; probabilities are corrected to the class proportions of the data (``prior_correction``).

    Attributes
    ----------
    estimators_ : sequence
        The members of all samples, concatenated: imbcore models, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted training error of each member in its round.
    estimators_samples_ : list of ndarray
        Indices of the training rows of each member, ascending. Members trained on the same under-sample have
        the same indices if they support weights; otherwise the rows of a member are drawn from the sample.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid or no member is better than chance.

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


class BalanceCascadeClassifier(BalanceCascadeParameters, BoostingClassifier):
    """BalanceCascade: AdaBoost on balanced samples, removing easy negatives between stages.

    Each stage boosts ``n_rounds_per_subset`` members on all rows of the smaller class (the positives) and an
    equal number of the remaining rows of the larger class (the negatives). The stage then keeps a fixed
    fraction of the remaining negatives, those with the highest scores, and removes the others; its threshold
    lies between the scores of both. The fraction is chosen so that the last stage has about equal numbers of
    rows of both classes. The last stage uses the same fraction for its threshold. A new row is predicted
    positive if the sum of the stages' scores exceeds the sum of their thresholds (``decision="sum"``), or if
    every stage predicts positive (``"all"``). ``predict`` returns this decision; probabilities are corrected
    to the class proportions of the data (``prior_correction``).

    Attributes
    ----------
    estimators_ : sequence
        The members of all stages, concatenated: imbcore models, or fitted clones of ``estimator``.
    estimator_weights_ : ndarray of shape (n_members,)
        Voting weight of each member.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted training error of each member in its round.
    estimators_samples_ : list of ndarray
        Training rows of each member, ascending. All members of a stage have the same rows if they support
        weights; otherwise the rows of a member are drawn from those of the stage.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid, no member is better than chance, or there are
        more than two classes.

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
    _multi_class: ClassVar[bool] = False

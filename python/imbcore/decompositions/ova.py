"""One class against all others."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import OVAParameters
from imbcore.decompositions._base import DecompositionClassifier

__all__ = ["OVAClassifier"]


class OVAClassifier(OVAParameters, DecompositionClassifier):
    """One class against all others: a member a class.

    Member ``k`` learns whether a row is of class ``k``. Where a class is rare its member faces an even rarer
    positive side, for which the Hellinger distance is made.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Classifier of two classes, of imbcore, scikit-learn or alike, with ``predict_proba`` or else
        ``decision_function`` (whose scores then go through the logistic function). None is
        ``HDDTClassifier()``.

    Attributes
    ----------
    estimators_ : list
        Fitted members, one a column of the code book; a ``ConstantMember`` where training had one side
        only.
    code_book_ : ndarray of shape (n_classes, n_members)
        1 where a class is positive for a member, 0 where it is negative.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, rules and scores speak of.
    n_features_in_ : int
        Number of features, where the members tell it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, where the members keep them.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Rifkin and Klautau, "In Defense of One-Vs-All Classification", 2004.
    Hoens, Qian, Chawla and Zhou, "Building Decision Trees for the Multi-class Imbalance Problem", 2012:
    section 2.1.

    Examples
    --------
    >>> from imbcore import CARTClassifier, OVAClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> model = OVAClassifier(CARTClassifier(), random_state=0).fit(X, y)
    >>> model.predict([[1.5], [3.5], [5.5]]).tolist()
    ['a', 'b', 'c']
    """

    _method: ClassVar[str] = "ova"

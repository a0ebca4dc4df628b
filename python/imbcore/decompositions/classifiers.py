"""Decompositions of several classes into pairs of classes."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import ECOCParameters, OVAParameters, OVOParameters
from imbcore.decompositions._base import DecompositionClassifier

__all__ = ["ECOCClassifier", "OVAClassifier", "OVOClassifier"]


class OVAClassifier(OVAParameters, DecompositionClassifier):
    """One class against all others: one member per class.

    Member ``k`` predicts whether a row is of class ``k``. A rare class is even rarer compared with all other
    classes together; the Hellinger distance of the default member does not depend on this proportion.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Binary classifier of imbcore, scikit-learn or a compatible library, with ``predict_proba`` or else
        ``decision_function`` (whose scores pass through the logistic function). None: ``HDDTClassifier()``.

    Attributes
    ----------
    estimators_ : list
        Fitted members, one per column of the code book. A member is a ``ConstantMember`` if all of its
        training rows belong to only one of the two groups of classes that it separates.
    code_book_ : ndarray of shape (n_classes, n_members)
        1 if a class is positive for a member, 0 if it is negative.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features, if the members report it.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the members store them.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

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


class OVOClassifier(OVOParameters, DecompositionClassifier):
    """One class against one other: one member per pair of classes.

    The member of classes ``i < j`` is fitted to the rows of these two classes and predicts whether a row is
    of class ``j``.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Binary classifier of imbcore, scikit-learn or a compatible library, with ``predict_proba`` or else
        ``decision_function`` (whose scores pass through the logistic function). None: ``HDDTClassifier()``.

    Attributes
    ----------
    estimators_ : list
        Fitted members, one per column of the code book. A member is a ``ConstantMember`` if all of its
        training rows belong to only one of the two groups of classes that it separates.
    code_book_ : ndarray of shape (n_classes, n_members)
        1 if a class is positive for a member, 0 if it is negative, -1 if it is left out.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features, if the members report it.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the members store them.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Hastie and Tibshirani, "Classification by Pairwise Coupling", 1998.
    Wu, Lin and Weng, "Probability Estimates for Multi-class Classification by Pairwise Coupling", 2004:
    section 4.2.

    Examples
    --------
    >>> from imbcore import CARTClassifier, OVOClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> model = OVOClassifier(CARTClassifier(), random_state=0).fit(X, y)
    >>> model.predict([[1.5], [3.5], [5.5]]).tolist()
    ['a', 'b', 'c']
    """

    _method: ClassVar[str] = "ovo"


class ECOCClassifier(ECOCParameters, DecompositionClassifier):
    """Error-correcting output codes: one member per column of a code book.

    Every column of the code book splits the classes into two groups; the member of the column predicts the
    group of a row. A row is assigned to the class whose code word is closest to the members' predictions.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Binary classifier of imbcore, scikit-learn or a compatible library, with ``predict_proba`` or else
        ``decision_function`` (whose scores pass through the logistic function). None: ``HDDTClassifier()``.

    Attributes
    ----------
    estimators_ : list
        Fitted members, one per column of the code book. A member is a ``ConstantMember`` if all of its
        training rows belong to only one of the two groups of classes that it separates.
    code_book_ : ndarray of shape (n_classes, n_members)
        1 if a class is positive for a member, 0 if it is negative.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features, if the members report it.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the members store them.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Dietterich and Bakiri, "Solving Multiclass Learning Problems via Error-Correcting Output Codes", 1995.
    Hoens, Qian, Chawla and Zhou, "Building Decision Trees for the Multi-class Imbalance Problem", 2012:
    section 2.1.

    Examples
    --------
    >>> from imbcore import CARTClassifier, ECOCClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> model = ECOCClassifier(CARTClassifier(), random_state=0).fit(X, y)
    >>> model.predict([[1.5], [3.5], [5.5]]).tolist()
    ['a', 'b', 'c']
    """

    _method: ClassVar[str] = "ecoc"

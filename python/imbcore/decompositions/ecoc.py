"""Error-correcting output codes."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import ECOCParameters
from imbcore.decompositions._base import DecompositionClassifier

__all__ = ["ECOCClassifier"]


class ECOCClassifier(ECOCParameters, DecompositionClassifier):
    """Error-correcting output codes: a member a column of a code book.

    Every column of the code book divides the classes in two groups, and its member learns to tell them
    apart. A row is given to the class whose code word the members' answers resemble most.

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

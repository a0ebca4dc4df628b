"""One class against one other."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import OVOParameters
from imbcore.decompositions._base import DecompositionClassifier

__all__ = ["OVOClassifier"]


class OVOClassifier(OVOParameters, DecompositionClassifier):
    """One class against one other: a member a pair of classes.

    The member of classes ``i < j`` sees the rows of these two only and learns whether a row is of class
    ``j``.

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
        1 where a class is positive for a member, 0 where it is negative, -1 where it is left out.
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

"""One class against one other."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.decompositions._base import DecompositionClassifier

__all__ = ["OVOClassifier"]


class OVOClassifier(DecompositionClassifier):
    """One class against one other: a member a pair of classes.

    The member of classes ``i < j`` sees the rows of these two only and learns whether a row is of class
    ``j``.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Classifier of two classes, of imbcore, scikit-learn or alike, with ``predict_proba`` or else
        ``decision_function`` (whose scores then go through the logistic function). None is
        ``HDDTClassifier()``.
    decoding : str, default="coupling"
        "coupling" finds the class probabilities that fit the pairs best (Wu, Lin and Weng 2004); "vote" takes
        the share of pairs that a class wins, a draw being half a win.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies. The estimator must take sample weights.
    cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or None, default=None
        Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in sorted
        order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are finite
        and at least 0. "balanced" makes the errors of a class cost inversely to its frequency.
    cost_strategy : str, default="decision"
        "decision" answers the class of least expected cost and leaves the training alone; "reweight"
        trains with the class weights that stand for the costs (Ting 2002).
    threshold : float or None, default=None
        Two classes only: answer the positive class when its probability is at least this, in [0, 1]. None
        answers the most probable class.
    positive : label or None, default=None
        Class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and 1, -1 and 1 or
        False and True; else the rarer class, of equals the greater label. See "The positive class" in the
        documentation.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed from which every member gets its own. None leaves the members as they are.
    n_jobs : int or None, default=None
        Members fitted or asked at a time, as joblib counts; None is 1. Members of imbcore are parallel
        anyway.

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
    feature_names_in_ : ndarray of shape (n_features_in_,)
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

    def __init__(
        self,
        estimator: Any = None,
        *,
        decoding: str = "coupling",
        class_weight: dict[Any, float] | str | None = None,
        cost_matrix: Any = None,
        cost_strategy: str = "decision",
        threshold: float | str | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        keep_arguments(self, locals())

"""Instance weighting by misclassification costs, for any classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.costs import build_cost_matrix
from imbcore._bindings.training import validate_sample_weights
from imbcore._estimators.row_arguments import supports_weights
from imbcore._validation.labelled import match_rows_by_index, order_values_by_class
from imbcore._validation.labels import Target
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_number_array
from imbcore.decisions._around import WrapperClassifier
from imbcore.exceptions import DataError, ParameterError


class InstanceWeightingClassifier(WrapperClassifier):
    """Wrapper that weights training rows by the cost of errors on their class.

    The weight of class ``k`` is ``w_k = C_k n / sum_i C_i n_i`` (Ting 2002), where ``C_k`` is the cost of an
    error on class ``k``, ``n_i`` is the number of rows of class ``i``, and ``n`` is the number of all rows.
    The weights of all rows add up to ``n``. With ``sample_weight``, sums of weights replace numbers of rows.
    Methods of imbcore need no wrapper: they support ``cost_strategy="reweight"``.

    Parameters
    ----------
    estimator : classifier
        Classifier with the scikit-learn API, ``predict_proba`` and ``sample_weight`` in ``fit``. If the
        classifier does not support weights, wrap it in :class:`imbcore.BaggingClassifier`, which samples rows
        by weight. The classifier is cloned.
    cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or "imbalance", default="balanced"
        Row ``k``, column ``j`` is the cost of predicting class ``j`` for a row of class ``k``, as in
        :func:`imbcore.fit`, with zeros on the diagonal. None if ``class_cost`` is given.
    class_cost : sequence of shape (n_classes,) or dict, default=None
        Cost of an error on each class, in the order of ``classes_`` or by label, instead of ``cost_matrix``.
    cost_aggregation : {"sum", "max"}, default="sum"
        Cost of an error on a class if there are more than two classes: the sum of the costs of its wrong
        predictions ("sum"), or the largest of these costs ("max").
    predict_mode : {"vote", "min_cost"}, default="vote"
        "vote": predictions and probabilities of the estimator; the probabilities refer to the class
        proportions of the weighted rows. "min_cost": each probability is divided by the weight of its class,
        which corrects it to the class proportions of the unweighted rows. The class of minimum expected cost
        is then predicted.

    Attributes
    ----------
    estimator_ : classifier
        The fitted estimator.
    class_weight_ : ndarray of shape (n_classes,)
        Weight of every class.
    cost_matrix_ : ndarray of shape (n_classes, n_classes)
        Cost matrix. If ``class_cost`` is given, all errors on a class have the cost of this class.
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.

    References
    ----------
    Ting, "An Instance-Weighting Method to Induce Cost-Sensitive Trees", 2002.

    Examples
    --------
    >>> from imbcore.decisions import InstanceWeightingClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "no", "yes"]
    >>> tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    >>> InstanceWeightingClassifier(tree, {("yes", "no"): 9, ("no", "yes"): 1}).fit(X, y).class_weight_
    array([0.33333333, 3.        ])
    """

    _kept = ("class_weight_", "cost_matrix_")

    def __init__(
        self,
        estimator: Any,
        cost_matrix: Any = "balanced",
        *,
        class_cost: Any = None,
        cost_aggregation: str = "sum",
        predict_mode: str = "vote",
    ) -> None:
        self.estimator = estimator
        self.cost_matrix = cost_matrix
        self.class_cost = class_cost
        self.cost_aggregation = cost_aggregation
        self.predict_mode = predict_mode

    @match_rows_by_index
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Self:
        """Compute the weights, and fit the estimator.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.
        y : sequence of shape (n_rows,)
            Labels.
        sample_weight : sequence of shape (n_rows,), default=None
            Row weights, multiplied with the class weights.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range, costs by label have other labels, or the estimator lacks a
            required method.
        DataError
            The cost matrix has another shape or an invalid number, or its diagonal is not zero.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        for name, allowed in (("cost_aggregation", ("sum", "max")), ("predict_mode", ("vote", "min_cost"))):
            given = getattr(self, name)
            if given not in allowed:
                words = " or ".join(f'"{word}"' for word in allowed)
                raise ParameterError(
                    f"InstanceWeightingClassifier: parameter `{name}` must be {words}, "
                    f"got {value_text(given)}"
                )
        if not supports_weights(self.estimator):
            raise ParameterError(
                f"InstanceWeightingClassifier: {type(self.estimator).__name__}.fit does not support "
                "sample_weight; wrap it in BaggingClassifier(estimator, n_estimators=1), which samples rows "
                "by weight"
            )
        weights = validate_sample_weights(
            1.0 if weighted.weights is None else weighted.weights, len(target.codes)
        )
        if not weights.any():
            raise DataError("sample_weight is zero in all rows; at least one row needs a positive weight")
        self.cost_matrix_ = self._costs(target, weights, weighted.costs(self.cost_matrix))
        n_classes = len(target.classes)
        prices = self.cost_matrix_
        if self.cost_aggregation == "max":
            prices = _class_cost_matrix(prices.max(axis=1))
        self.class_weight_ = native.costs.ting_weights(prices, target.codes, n_classes, weights)
        rows = np.arange(len(target.codes))
        labels = target.classes[target.codes]
        self.estimator_ = self._fitted(
            X,
            labels,
            weights * self.class_weight_[target.codes],
            rows,
            dependence=weighted.dependence,
        )
        self.classes_ = target.classes
        return self

    def _costs(self, target: Target, weights: NDArray[np.float64], given: Any) -> NDArray[np.float64]:
        if self.class_cost is None:
            found = build_cost_matrix(given, target, weights, "InstanceWeightingClassifier")
            if found is not None:
                return found
        elif self.cost_matrix is None:
            of_classes = self.class_cost
            labels = target.classes.tolist()
            costs = to_number_array(order_values_by_class(of_classes, labels, "class_cost"), "class_cost")
            if costs.shape == (len(target.classes),):
                return _class_cost_matrix(costs)
            raise ParameterError(
                "InstanceWeightingClassifier: parameter `class_cost` must hold a cost for each of the "
                f"classes {labels}, got {value_text(of_classes)}"
            )
        raise ParameterError(
            "InstanceWeightingClassifier: cost_matrix and class_cost exclude each other; give one of "
            "them, and cost_matrix=None with class_cost"
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Compute probabilities.

        With ``predict_mode="min_cost"``, they refer to the class proportions of the unweighted rows.
        """
        check_is_fitted(self)
        proba: NDArray[np.float64] = np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)
        if self.predict_mode == "vote":
            return proba
        return native.decisions.reweigh(proba, self.class_weight_.tolist(), [1.0] * len(self.classes_))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict like the estimator, or the class of minimum expected cost (see ``predict_mode``)."""
        check_is_fitted(self)
        if self.predict_mode == "vote":
            return np.asarray(self.estimator_.predict(X))
        codes = native.costs.decide(self.predict_proba(X), self.cost_matrix_, None, 0)
        return self.classes_[codes]


def _class_cost_matrix(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Build a matrix in which every error on a class has the same cost."""
    return np.where(np.eye(len(costs), dtype=bool), 0.0, costs[:, None])

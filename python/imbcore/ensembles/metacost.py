"""MetaCost: makes any method cost-sensitive by relabeling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import ensembles, native
from imbcore._signatures import MetaCostParameters
from imbcore._validation.costs import costs_for_predict
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import encode_target_labels
from imbcore._validation.row_dependence import GivenDependence
from imbcore._validation.training_rows import PositiveWeightRows
from imbcore._validation.user_warnings import warn_user
from imbcore.ensembles._foreign import PythonBaseLearner, predict_with_member
from imbcore.ensembles._over_any import MetaClassifier

__all__ = ["MetaCostClassifier"]


class MetaCostClassifier(MetaCostParameters, MetaClassifier):
    """MetaCost: one cost-sensitive model, fitted to relabeled data.

    Models are fitted to bootstrap samples of the training rows. A training row is predicted by the models
    whose sample does not contain the row (``out_of_bag``). The new label of the row is the class with the
    lowest expected cost by the mean probabilities of these models. The final model is one model fitted to the
    new labels: its predictions account for the costs, and its probabilities refer to the new labels.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes
        inversely to their frequencies. After relabeling, the weight of the new label applies.
    cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or "imbalance", default="balanced"
        Entry ``[k, j]`` is the cost of predicting class ``j`` for a row of class ``k``; classes are in sorted
        order. Or a dict from pairs of labels ``(true, predicted)`` to costs; pairs that are not given cost 0.
        Costs are finite and non-negative. "balanced": the cost of an error on a row is inversely proportional
        to the frequency of its class. "imbalance": entry ``[k, j]`` is ``n_j / n_k`` (Domingos), where
        ``n_j`` is the number of rows of class ``j``. None: ``costs`` if given, otherwise "balanced".
    cost_strategy : str, default="decision"
        Must be "decision": the new labels of the training rows already account for the costs.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn. Absent if ``estimator`` is not an imbcore estimator.
    estimator_ : classifier
        The fitted clone of an ``estimator`` that is not an imbcore estimator.
    relabeled_ : ndarray of shape (n_rows,)
        The new labels used for the final fit; rows of weight 0 keep their own label.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    Warns
    -----
    DataWarning
        From ``fit``, if all rows get the same new label, which the model then always predicts.

    References
    ----------
    Domingos, "MetaCost: A General Method for Making Classifiers Cost-Sensitive", 1999: table 1.

    Examples
    --------
    >>> from imbcore import MetaCostClassifier
    >>> X = [[float(i)] for i in range(40)]
    >>> y = ["yes" if i in (25, 30, 33, 35, 37, 39) else "no" for i in range(40)]
    >>> costs = {("yes", "no"): 5.0, ("no", "yes"): 1.0}
    >>> model = MetaCostClassifier("c44", cost_matrix=costs, random_state=0).fit(X, y)
    >>> model.predict([[20.0], [34.0]]).tolist()
    ['no', 'yes']
    """

    _method: ClassVar[str] = "metacost"
    _defaults: ClassVar[Mapping[str, Any]] = {"cost_matrix": "balanced"}

    relabeled_: NDArray[Any]

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
        """Relabel the rows and fit the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit`` of the other estimators. If ``estimator`` is not an imbcore
            estimator, it receives rows in the container type of ``X``.
        y : sequence of shape (n_rows,)
            Class labels: text, integers, booleans or whole floats.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Non-negative weights, not all zero: a row of weight 2 counts as two rows.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid.
        """
        if self._base() is None:
            return self._fit_foreign_members(X, y, sample_weight, (groups, time, time_gap))
        super().fit(X, y, sample_weight, groups=groups, time=time, time_gap=time_gap)
        for name in ("estimator_", "_plan"):
            self.__dict__.pop(name, None)
        learned = self.model_._native.relabelled
        target = encode_target_labels(y, type(self).__name__)
        weighted = PositiveWeightRows.from_weights(sample_weight, len(target.codes))
        self.relabeled_ = self.classes_[
            weighted.expand_to_all_rows(learned, target.codes) if len(learned) else target.codes
        ]
        return self

    def _fit_foreign_members(self, X: Any, y: Any, sample_weight: Any, dependence: GivenDependence) -> Self:
        """Fit scikit-learn models on bags that the native method draws."""
        rows = self._prepare_foreign_rows(X, y, sample_weight, dependence)
        target = rows.target
        base_learner = PythonBaseLearner(self.estimator, rows.X, None, target.classes)
        parameters = self._parameters_of(target, rows.weighted.pick(y))
        plan = ensembles.relabel_to_cheapest_class(
            parameters,
            rows.parts,
            base_learner,
            sample_weight=rows.weights,
            dependence=rows.dependence,
            **self._options(**rows.weighted.cost_options(vars(self))),
        )
        learned, taken = plan.pop("classes"), plan.pop("rows")
        every = np.empty(0, dtype=np.uint32)
        final = base_learner.fit_to_bag(
            taken, None, learned[taken], plan.pop("weights"), every, plan.pop("seed")
        )
        self.__dict__.pop("model_", None)
        self.estimator_, self._plan = final, plan
        self.relabeled_ = target.classes[rows.weighted.expand_to_all_rows(learned, rows.whole.codes)]
        self._store_input_attributes(X, target)
        found = np.unique(learned[taken])
        if len(found) < 2 <= len(np.unique(target.codes)):
            label = target.classes.tolist()[found[0]]
            warn_user(f"all training rows are of class {label!r}: the model always predicts it")
        return self

    def predict(self, X: Any, *, cost_matrix: Any = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            Costs of errors, for all rows or per row. The probabilities of the relabeled classes already
            account for the costs of the fit; these costs apply in addition.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Predicted labels, of the same type as the labels given to ``fit``.
        """
        if not self._foreign_members():
            return super().predict(X, cost_matrix=cost_matrix)
        threshold = self._plan["threshold"]
        costs = costs_for_predict(None, threshold, cost_matrix, self.classes_)
        output = self._predict_member(X, choice=costs is None and threshold is None)
        return self.classes_[native.costs.decide(output, costs, threshold, self._plan["positive"])]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the relabeled classes for every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        return self._predict_member(X, choice=False) if self._foreign_members() else super().predict_proba(X)

    def _predict_member(self, X: Any, *, choice: bool) -> NDArray[np.float64]:
        return predict_with_member(self.estimator_, X, np.empty(0, dtype=np.uint32), self.classes_, choice)

    def _foreign_members(self) -> Sequence[Any]:
        return [self.estimator_] if "estimator_" in vars(self) else ()

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        if self._foreign_members():
            return self.classes_.tolist()[self._plan["positive"]]
        return super().positive_

    def __getattr__(self, name: str) -> Any:
        """Forward ``rules`` and ``plot`` to the final model if it has them."""
        if name in ("rules", "plot") and "model_" in vars(self):
            return getattr(self.model_, name)
        return super().__getattr__(name)

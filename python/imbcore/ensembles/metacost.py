"""MetaCost: any method made to mind costs by new labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore._border import committees, native
from imbcore._input.costs import overruled
from imbcore._input.labelled import rows_by_index
from imbcore._input.labels import encode
from imbcore._input.training_rows import Weighted
from imbcore._signatures import MetaCostParameters
from imbcore.ensembles._foreign import Teacher, heard
from imbcore.ensembles._over_any import OverAnyClassifier

__all__ = ["MetaCostClassifier"]


class MetaCostClassifier(MetaCostParameters, OverAnyClassifier):
    """One model of data relabelled to the cheapest class.

    Models of bootstrap samples judge every training row; the row gets the label that costs least by their
    mean probabilities, and one model is fitted to the new labels. Its answers mind the costs, and it can
    still be read. Its probabilities are about the new labels.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies. After relabelling, the weight of the new label counts.
    cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or "imbalance", default="balanced"
        Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in
        sorted order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are
        finite and at least 0. "balanced" makes the errors of a class cost inversely to its frequency;
        "imbalance" makes the error of answering ``j`` when ``k`` is true cost ``n_j / n_k`` (Domingos).
    cost_strategy : str, default="decision"
        Must stay "decision": the costs are in the new labels.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn. Not there where ``estimator`` is none of imbcore.
    estimator_ : classifier
        The fitted clone of an ``estimator`` that is none of imbcore.
    relabelled_ : ndarray of shape (n_rows,)
        The labels that the model learnt: the cheapest for every row; rows of weight 0 keep theirs.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, rules and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain or ``cost_matrix`` is None.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used, and when all rows get one label.

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

    relabelled_: NDArray[Any]

    @rows_by_index
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Relabel the rows, and fit the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As the other classes take it; an ``estimator`` that is none of imbcore gets rows of this very
            container.
        y : sequence of shape (n_rows,)
            Class labels: text, integers, booleans or whole floats.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Weights, none negative, not all zero: a row of weight 2 counts as two rows.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter leaves its domain.
        DataError
            The data cannot be used.
        """
        if self._base() is None:
            return self._fit_others(X, y, sample_weight)
        super().fit(X, y, sample_weight)
        for name in ("estimator_", "_plan"):
            self.__dict__.pop(name, None)
        learnt = self.model_._native.relabelled
        target = encode(y, type(self).__name__)
        weighted = Weighted.of(sample_weight, len(target.codes))
        self.relabelled_ = self.classes_[
            weighted.spread(learnt, target.codes) if len(learnt) else target.codes
        ]
        return self

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Have models fitted by scikit-learn's protocol, to bags that the native method draws."""
        rows = self._rows_of_others(X, y, sample_weight)
        target = rows.target
        teacher = Teacher(self.estimator, rows.X, None, target.classes)
        parameters = self._parameters_of(target, y)
        plan = committees.relabel(
            parameters, rows.parts, teacher, sample_weight=rows.weights, **self._options()
        )
        learnt, taken = plan.pop("classes"), plan.pop("rows")
        every = np.empty(0, dtype=np.uint32)
        final = teacher.teach(taken, None, learnt[taken], plan.pop("weights"), every, plan.pop("seed"))
        self.__dict__.pop("model_", None)
        self.estimator_, self._plan = final, plan
        self.relabelled_ = target.classes[rows.weighted.spread(learnt, rows.whole.codes)]
        self._keep_rows_of_others(X, target)
        return self

    def predict(self, X: Any, *, cost_matrix: Any = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``fit``.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            What errors cost here, for all rows or for each, beside the costs that are in the labels.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Labels in the type that ``y`` had.
        """
        if not self._of_others():
            return super().predict(X, cost_matrix=cost_matrix)
        threshold = self._plan["threshold"]
        costs = overruled(None, threshold, cost_matrix, self.classes_)
        said = self._said(X, choice=costs is None and threshold is None)
        answers: NDArray[Any] = self.classes_[
            native.costs.decide(said, costs, threshold, self._plan["positive"])
        ]
        return answers

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of every row, which speak of the new labels.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``fit``.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        return self._said(X, choice=False) if self._of_others() else super().predict_proba(X)

    def _said(self, X: Any, *, choice: bool) -> NDArray[np.float64]:
        return heard(self.estimator_, X, np.empty(0, dtype=np.uint32), self.classes_, choice)

    def _of_others(self) -> Sequence[Any]:
        return [self.estimator_] if "estimator_" in vars(self) else ()

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        if self._of_others():
            return self.classes_.tolist()[self._plan["positive"]]
        return super().positive_

    def __getattr__(self, name: str) -> Any:
        """Give ``rules`` and ``plot`` where the model that was fitted in the end has them."""
        if name in ("rules", "plot") and "model_" in vars(self):
            return getattr(self.model_, name)
        return super().__getattr__(name)

"""Ensemble members fitted from Python: any classifier with the scikit-learn API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import _safe_indexing

from imbcore._estimators.row_arguments import fit_arguments, supports_weights
from imbcore._validation.frame import NativeFrame
from imbcore._validation.row_dependence import INDEPENDENT_ROWS
from imbcore._validation.rows import (
    append_synthetic_rows,
    select_table_rows,
    shape_and_names,
    synthetic_columns,
)
from imbcore.exceptions import DataError

Rows = NDArray[np.uint32]
Outputs = NDArray[np.float64]


class PythonBaseLearner:
    """Fits clones of an estimator to bags of a table, and predicts rows with them.

    Parameters
    ----------
    estimator : classifier
        Estimator to clone.
    X : table
        The rows, in the user's own container.
    frame : list or ndarray or None
        The same in native form, if synthetic rows are generated from it; else None.
    classes : ndarray of shape (n_classes,)
        Labels of the class codes.
    """

    def __init__(self, estimator: Any, X: Any, frame: NativeFrame | None, classes: NDArray[Any]) -> None:
        self.estimator = estimator
        self.X = X
        self.frame = frame
        self.classes = classes
        self.takes_weights = supports_weights(estimator)

    def fit_to_bag(
        self,
        rows: Rows,
        made: Mapping[str, Any] | None,
        classes: Rows,
        weights: Outputs | None,
        columns: Rows,
        seed: int,
    ) -> Any:
        """Fit one member to a bag.

        Parameters
        ----------
        rows : ndarray of shape (n_drawn,)
            Rows of the table.
        made : dict or None
            Synthetic rows: ``sources``, ``numbers`` and ``codes`` in the form of the native module.
        classes : ndarray of shape (n_drawn + n_made,)
            Class codes.
        weights : ndarray of shape (n_drawn + n_made,) or None
            Weights.
        columns : ndarray
            Columns used by the member; empty for all.
        seed : int
            Seed of the member.

        Returns
        -------
        member : object
            The fitted clone; a constant classifier for a bag of one class.
        """
        y = self.classes[classes]
        if len(np.unique(classes)) < 2:
            return DummyClassifier(strategy="most_frequent").fit(np.zeros((len(y), 1)), y)
        X = pick_columns(self._table(rows.astype(np.int64), made), columns)
        member = clone(self.estimator)
        names = [name for name in member.get_params() if name.split("__")[-1] == "random_state"]
        member.set_params(**dict.fromkeys(names, seed))
        return member.fit(X, y, **fit_arguments(member, INDEPENDENT_ROWS, weights=weights))

    def _table(self, rows: NDArray[np.int64], made: Mapping[str, Any] | None) -> Any:
        if made is None:
            return select_table_rows(self.X, rows, fresh_index=True)
        sources = made["sources"]
        if made["numbers"] is None:
            return select_table_rows(self.X, np.concatenate([rows, sources]), fresh_index=True)
        columns = synthetic_columns(self.frame, sources, made["numbers"], made["codes"])
        behind = append_synthetic_rows(self.X, sources, columns)
        made_rows = shape_and_names(self.X)[0] + np.arange(len(sources))
        return select_table_rows(behind, np.concatenate([rows, made_rows]), fresh_index=True)

    def member_output(self, member: Any, rows: Rows | None, columns: Rows, choice: bool) -> Outputs:
        """Predict rows of the table with a member.

        Parameters
        ----------
        member : object
            Result of :meth:`fit_to_bag`.
        rows : ndarray of shape (n_rows,) or None
            Rows of the table; None for all.
        columns : ndarray
            Columns used by the member; empty for all.
        choice : bool
            Whether to use predicted labels instead of probabilities.

        Returns
        -------
        outputs : ndarray of shape (n_rows, n_classes)
            Probability, or vote, for every class.
        """
        X = self.X if rows is None else self._table(rows.astype(np.int64), None)
        return predict_with_member(member, X, columns, self.classes, choice)


def pick_columns(X: Any, columns: Rows) -> Any:
    """Select columns of any container; an empty selection means all."""
    if len(columns) == 0:
        return X
    if isinstance(X, Mapping):
        names = list(X)
        return {names[column]: X[names[column]] for column in columns}
    if isinstance(X, list):
        return [[row[column] for column in columns] for row in X]
    return _safe_indexing(X, columns.astype(np.int64), axis=1)


def predict_with_member(member: Any, X: Any, columns: Rows, classes: NDArray[Any], choice: bool) -> Outputs:
    """Predict rows with a member, for all classes; a label without probabilities counts as 1."""
    X = pick_columns(X, columns)
    if isinstance(X, Mapping) and isinstance(member, DummyClassifier):
        # It would take the number of columns for the number of rows.
        X = np.zeros((shape_and_names(X)[0], 1))
    code = {label: at for at, label in enumerate(classes.tolist())}
    if choice or not hasattr(member, "predict_proba"):
        answers = _encode_predicted_labels(member, np.asarray(member.predict(X)), code)
        outputs = np.zeros((len(answers), len(classes)))
        outputs[np.arange(len(answers)), answers] = 1.0
        return outputs
    proba = np.asarray(member.predict_proba(X), dtype=np.float64)
    outputs = np.zeros((len(proba), len(classes)))
    outputs[:, _encode_predicted_labels(member, np.asarray(member.classes_), code)] = proba
    return outputs


def _encode_predicted_labels(member: Any, labels: NDArray[Any], code: Mapping[Any, int]) -> list[int]:
    """Look up the codes of labels that a member predicts."""
    found = labels.ravel().tolist()
    unknown = next((label for label in found if label not in code), None)
    if unknown is not None:
        raise DataError(
            f"parameter `estimator` must be a classifier: {type(member).__name__} predicted {unknown!r}, "
            f"which is not one of the labels {list(code)}"
        )
    return [code[label] for label in found]

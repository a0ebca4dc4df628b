"""Scores of a fitted model on labeled rows: every metric of an evaluation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.training import validate_sample_weights
from imbcore._bindings.trials import NativeEvaluationPlan, Rows, create_splits
from imbcore._validation.alert_budget import parse_alert_budget
from imbcore._validation.costs import cost_matrix_by_class, cost_matrix_of_goal
from imbcore._validation.frame import n_frame_rows
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.options import pop_fit_options
from imbcore._validation.schema import Feature, Schema
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.metadata import ColumnRoles, name_column_in_errors, read_batches
from imbcore.streaming.readers.source import Source


@dataclass(frozen=True)
class LabeledRows:
    """Labeled rows for a model: features, class codes, and weights."""

    X: Any
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    @classmethod
    def from_labels(cls, model: Any, X: Any, labels: Any, weights: Any) -> LabeledRows:
        """Encode labels with the classes of a model.

        Raises
        ------
        DataError
            A row has no label, or one that is not a class of the model.
        """
        codes, shape = encode_by_model_classes(model, labels), getattr(X, "shape", None)
        if shape == () or (shape is None and not hasattr(X, "__len__")):
            raise DataError(f"X must be a table, got {value_text(X)}")
        # The length of a dict of columns is the number of columns.
        columns = isinstance(X, Mapping)
        n_rows = n_frame_rows(model._frame(X)) if columns else len(X) if shape is None else shape[0]
        if n_rows != len(codes):
            raise DataError(f"X has {n_rows} rows and y has {len(codes)} labels; give one for each row")
        return cls(X, codes, validate_sample_weights(weights, len(codes)))

    @classmethod
    def read(cls, model: Any, source: Source, take: Any) -> None:
        """Pass the labeled rows of a source to ``take`` in chunks; errors give the position."""
        roles = ColumnRoles(str(source.target), source.weight, source.features, {})

        def encode_and_pass_chunk(_start: int, piece: Any) -> None:
            with name_column_in_errors(roles.target):
                codes = encode_by_model_classes(model, piece[roles.target])
            with name_column_in_errors(roles.weight):
                weights = roles.weights_of(piece)
            take(cls(piece.select(roles.features), codes, weights))

        read_batches(source, roles, roles.all, encode_and_pass_chunk)


def encode_by_model_classes(model: Any, labels: Any) -> NDArray[np.uint32]:
    """Encode labels with the classes of a model."""
    target = encode_target_labels(labels, model.method)
    known = {label: code for code, label in enumerate(model.classes_.tolist())}
    strange = [label for label in target.classes.tolist() if label not in known]
    if strange:
        raise DataError(
            f"the label {strange[0]!r} is not a class of the model, {list(known)}; leave such rows "
            "out, or fit a model to them"
        )
    codes = np.array([known[label] for label in target.classes.tolist()], dtype=np.uint32)[target.codes]
    return np.asarray(codes, dtype=np.uint32)


class ScoreAccumulator:
    """Accumulated predictions of a model on labeled rows, and their metrics."""

    def __init__(self, model: Any, n_rows: int, n_threads: int | None, cost_matrix: Any) -> None:
        self._model, self._n_threads = model, n_threads
        self._costs = _costs_for_metrics(model, cost_matrix)
        self._truth = np.empty(n_rows, dtype=np.uint32)
        self._answers = np.empty(n_rows, dtype=np.uint32)
        self._proba = np.empty((n_rows, len(model.classes_)))
        self._weights: list[NDArray[np.float64]] = []
        self._done = 0

    def add(self, rows: LabeledRows) -> None:
        """Predict more rows."""
        at = slice(self._done, self._done + len(rows.codes))
        self._truth[at] = rows.codes
        self._answers[at] = encode_by_model_classes(
            self._model, self._model.predict(rows.X, n_threads=self._n_threads)
        )
        self._proba[at] = self._model.predict_proba(rows.X, n_threads=self._n_threads)
        if rows.weights is not None:
            self._weights.append(rows.weights)
        self._done = at.stop

    def metrics(self, alerts: Any) -> dict[str, float]:
        """Compute the metrics of all rows."""
        weights = np.concatenate(self._weights) if self._weights else None
        budget = parse_alert_budget(alerts, timed=False)
        if budget is not None and budget[1] is None:
            budget = (budget[0], float(self._done if weights is None else np.sum(weights)))
        trial = _native_evaluator(self._model, budget, self._costs)
        numbers = np.broadcast_to(np.int64(0), self._done)
        n_classes = self._proba.shape[1]
        values = trial.metric_values(
            numbers, self._truth, self._answers, n_classes, self._proba, None, weights
        )
        return dict(zip(trial.names, values.tolist(), strict=True))


def _costs_for_metrics(model: Any, cost_matrix: Any) -> Any:
    """Return the given costs, or else those that decide the predictions of the model."""
    classes = model.classes_
    if isinstance(cost_matrix, str):
        raise ParameterError(f"cost_matrix must be a matrix of costs, got {value_text(cost_matrix)}")
    if cost_matrix is None:
        found = model.cost_matrix
        return cost_matrix_of_goal(model.decision_.get("goal"), classes) if found is None else found
    found = cost_matrix_by_class(cost_matrix, classes)
    if found.shape != (len(classes),) * 2:
        raise ParameterError(
            f"cost_matrix must have one row and one column for each of {classes.tolist()}, got an array of "
            f"shape {found.shape}"
        )
    return found


def _native_evaluator(model: Any, budget: tuple[float, float | None] | None, costs: Any) -> Any:
    """Create a native evaluator for the classes of a model, its positive class and costs."""
    classes = model.classes_
    # The evaluator needs only the classes, so two rows per class are sufficient here.
    codes = np.tile(np.arange(len(classes), dtype=np.uint32), 2)
    schema = Schema([Feature("rows", ["all"])], True, classes)
    rows: Rows = [(np.zeros(len(codes), dtype=np.uint32), 1)], Target(codes, classes, False), schema
    options = pop_fit_options({"positive": model.positive_, "cost_matrix": costs, "random_state": 0})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return create_splits(rows, NativeEvaluationPlan(2, 1, None, None, 0, None, budget), options)

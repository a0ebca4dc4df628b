"""Predictions of a model for rows that may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.table import Role
from imbcore._model.scoring import LabeledRows, ScoreAccumulator
from imbcore._validation.columns import decode_arrow_dictionary
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.table import table_writer
from imbcore._validation.text_format import TextFormat
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.fit import is_source
from imbcore.streaming.readers import CHUNK_ROWS, open_source
from imbcore.streaming.readers.source import Source

Tell = Callable[[str, int, int], object]


def roles_of_features(names: Sequence[str], model: Any) -> dict[str, Role]:
    """Return the role of every column of a model: numbers, verbatim text, or codes."""
    roles: dict[str, Role] = {}
    for name, feature in zip(names, model._schema.features, strict=True):
        text = feature.levels is not None and any(isinstance(level, str) for level in feature.levels)
        roles[name] = "number" if feature.levels is None else "text" if text else "key"
    return roles


def open_feature_source(model: Any, source: Any, y: str | None = None, **options: Any) -> Source:
    """Open a source with the columns of a model; other columns are ignored.

    Additional columns of text files are verbatim text.

    Raises
    ------
    DataError
        A column of the model is missing, or the number of unnamed columns differs.
    """
    roles: dict[str, Role] = dict.fromkeys(options.get("additional", ()), "text")
    if hasattr(model, "feature_names_in_"):
        roles |= roles_of_features(model.feature_names, model)
        return open_source(source, y, columns=model.feature_names, roles=roles, **options)
    opened = open_source(source, y, roles=roles, **options)
    if len(opened.features) != model.n_features_in_:
        raise DataError(
            f"the model was fitted without column names and takes exactly {model.n_features_in_} columns, "
            f"but the source has {len(opened.features)}"
        )
    return opened


def names_to_keep(keep: Any, model: Any) -> list[str]:
    """Return the columns to keep that are not features of the model.

    Raises
    ------
    ParameterError
        ``keep`` is not a list of names.
    """
    names = validate_list("keep", keep)
    if isinstance(keep, str) or not all(isinstance(name, str) for name in names):
        raise ParameterError(f"keep must be a list of column names, got {value_text(keep)}")
    features = {*model.feature_names} if hasattr(model, "feature_names_in_") else set[str]()
    return [name for name in dict.fromkeys(names) if name not in features]


def join_kept_columns(kept: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the kept columns of a table, followed by the computed ones.

    Raises
    ------
    ParameterError
        A kept column has the name of a computed one.
    """
    for name in kept:
        if name in made:
            raise ParameterError(
                f"keep must not name {name!r}, because the output has a column of this name; rename the "
                "column in the table"
            )
    return {**kept, **made}


class SourcePredictor:
    """Model with predictions for sources of rows."""

    def predict_to_file(
        self,
        path: str | os.PathLike[str],
        source: Any,
        *,
        proba: bool = False,
        keep: Sequence[str] = (),
        batch_size: int = CHUNK_ROWS,
        n_threads: int | None = None,
        callback: Tell | None = None,
        **reading: Any,
    ) -> int:
        """Predict every row of a source, and write the predictions while rows are read.

        Parameters
        ----------
        path : path-like
            Table to write, with one row per row of the source in the same order: ``.parquet``, ``.csv``,
            ``.tsv``, also with ``.gz``. It is written atomically.
        source : source of rows
            As in :func:`imbcore.fit`; columns that are not features of the model are not read.
        proba : bool, default=False
            Whether to write the probability of every class, too.
        keep : sequence of str, default=()
            Columns of the source that are written before the predictions, such as keys; those of text files
            are written as they are. Their names differ from those of the predictions: ``prediction`` and,
            with ``proba``, ``proba_`` plus a label.
        batch_size : int, default=131072
            Number of rows read at a time.
        n_threads : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.
        callback : callable or None, default=None
            Called as ``callback(stage, done, total)``; an exception stops the call, and nothing is written.
        **reading
            Format of text files, as in :func:`imbcore.fit`: ``separator``, ``decimal``, ``thousands``,
            ``na_values``, ``encoding``, ``dates``, ``date_format``.

        Returns
        -------
        int
            Number of rows.

        Raises
        ------
        DataError
            A file is damaged, or lacks a column; the message names file, row group and column.
        OSError
            The file cannot be written.
        """
        model: Any = self
        kept, text_format = (
            names_to_keep(keep, model),
            TextFormat.from_options(reading, self.predict_to_file, "Model"),
        )
        options: dict[str, Any] = {"batch_size": batch_size, "callback": callback}
        options["text_format"] = text_format
        opened = open_feature_source(model, source, additional=kept, **options)
        read = [*opened.features, *kept]
        with table_writer(path) as put, closing(opened.batches(read)) as pieces:
            for _, piece in pieces:
                columns = {name: decode_arrow_dictionary(piece[name]) for name in validate_list("keep", keep)}
                features = piece.select(opened.features)
                made = {"prediction": model.predict(features, n_threads=n_threads)}
                if proba:
                    table = model.predict_proba(features, n_threads=n_threads)
                    made |= {f"proba_{label}": table[:, k] for k, label in enumerate(model.classes_)}
                put(join_kept_columns(columns, made))
        return opened.n_rows

    def decision_scores(
        self,
        source: Any,
        y: str,
        *,
        batch_size: int = CHUNK_ROWS,
        n_threads: int | None = None,
        callback: Tell | None = None,
        **reading: Any,
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Score the labeled rows of a source, for the functions of :mod:`imbcore.metrics`.

        The result needs nine bytes per row; exact areas under curves sort it, which temporarily takes sixteen
        more.

        Parameters
        ----------
        source : source of rows
            As in :meth:`predict_to_file`.
        y : str
            Label column.
        batch_size, n_threads, callback, **reading
            As in :meth:`predict_to_file`.

        Returns
        -------
        truth : ndarray of bool of shape (n_rows,)
            Whether the row is of the positive class, ``positive_``.
        score : ndarray of float of shape (n_rows,)
            Its probability.

        Raises
        ------
        DataError
            As for :meth:`predict_to_file`; or a row has no label, or one that is not a class of the model.
        """
        model: Any = self
        text_format = TextFormat.from_options(reading, self.decision_scores, "Model")
        opened = open_feature_source(
            model, source, y, batch_size=batch_size, callback=callback, text_format=text_format
        )
        truth, score = np.empty(opened.n_rows, dtype=np.bool_), np.empty(opened.n_rows)
        positive = model.classes_.tolist().index(model.positive_)
        done = 0

        def answer(rows: LabeledRows) -> None:
            nonlocal done
            at = slice(done, done + len(rows.codes))
            truth[at] = rows.codes == positive
            score[at] = model.predict_proba(rows.X, n_threads=n_threads)[:, positive]
            done = at.stop

        LabeledRows.read(model, opened, answer)
        return truth, score

    @match_rows_by_index
    def score_metrics(
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        alerts: Any = None,
        cost_matrix: Any = None,
        batch_size: int = CHUNK_ROWS,
        n_threads: int | None = None,
        callback: Tell | None = None,
        **reading: Any,
    ) -> dict[str, float]:
        """Compute every metric of :func:`imbcore.evaluate` on labeled rows.

        Rows of a source are read once, in chunks; their predictions, probabilities, labels and weights are
        stored: 24 bytes per row for two classes, 8 more with weights, and about 60 more during the
        computation of the metrics.

        Parameters
        ----------
        X, y
            As in :func:`imbcore.fit`: a table and its labels, or a source of rows that may be larger than
            memory and the name of the label column. The rows must not be training rows.
        sample_weight : sequence of shape (n_rows,), str or None, default=None
            Row weights; for a source the name of their column.
        alerts : float or dict, default=None
            Alert budget for precision and recall, as in :func:`imbcore.evaluate`.
        cost_matrix : array or dict, default=None
            Costs for ``"expected_cost"``, as a matrix or a dict of pairs of labels as in :func:`imbcore.fit`;
            they do not change the predictions. None: the costs of the model, or of its threshold rule.
        batch_size, n_threads, callback, **reading
            As in :meth:`predict_to_file`.

        Returns
        -------
        dict of str to float
            Names as in ``Evaluation.metrics``: ``"accuracy"``, ``"precision"``, ``"recall"``,
            ``"specificity"``, ``"npv"``, ``"f1"``, ``"g_mean"``, ``"balanced_accuracy"``, ``"mcc"``,
            ``"roc_auc"``, ``"average_precision"``, ``"log_loss"``, ``"brier"``, ``"calibration_slope"``,
            ``"calibration_intercept"``; with costs ``"expected_cost"``, and with ``alerts``
            ``"precision_at_alerts"`` and ``"recall_at_alerts"``. They refer to the positive class of the
            model. NaN if a metric is undefined on these rows.

        Raises
        ------
        DataError
            As for :meth:`predict_to_file`; or a row has no label or weight, or a label that is not a class of
            the model.

        Examples
        --------
        >>> import imbcore
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1]
        >>> found = imbcore.fit(X, y, method="cart").score_metrics([[0.5], [2.9], [3.5]], [0, 0, 1])
        >>> found["precision"], found["recall"]
        (0.5, 1.0)
        """
        model: Any = self
        text_format = TextFormat.from_options(reading, self.score_metrics, "Model")
        if not is_source(X, y):
            text_format.reject_unsupported_options("a table in memory")
            rows = LabeledRows.from_labels(model, X, y, sample_weight)
            judged = ScoreAccumulator(model, len(rows.codes), n_threads, cost_matrix)
            judged.add(rows)
            return judged.metrics(alerts)
        options: dict[str, Any] = {"sample_weight": sample_weight, "batch_size": batch_size}
        options["callback"] = callback
        options["text_format"] = text_format
        opened = open_feature_source(model, X, y, **options)
        judged = ScoreAccumulator(model, opened.n_rows, n_threads, cost_matrix)
        LabeledRows.read(model, opened, judged.add)
        return judged.metrics(alerts)

"""Evaluation on sources larger than memory: folds of row numbers, streaming fits."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_threads
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.trials import Rows as NativeRows
from imbcore._bindings.trials import placeholder_rows
from imbcore._model.model import Model
from imbcore._validation.frame import to_prediction_frame, to_training_data
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.text_format import TextFormat
from imbcore._validation.values import validate_whole_number
from imbcore.evaluation._cross_validation import cross_validate, name_training_rows_in_errors
from imbcore.evaluation._dependence import Splits
from imbcore.evaluation._entries import MethodToEvaluate
from imbcore.evaluation._fold_fits import FoldFit, Rows
from imbcore.evaluation._predictions import Predictions
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError
from imbcore.streaming.fit import fit_batches, fit_sample, load_all
from imbcore.streaming.metadata import NO_ROWS, SourceSummary
from imbcore.streaming.readers import open_source
from imbcore.streaming.readers.source import Source
from imbcore.streaming.request import FitRequest

__all__ = ["SourceTable"]

# Options that need all rows before they are split.
_OF_ALL = ("class_weight", "sample_weight")


@dataclass
class SourceTable:
    """Rows of an evaluation from a source, after the first pass."""

    source: Source
    summary: SourceSummary
    nominal: Any
    # Maximum number of sampled rows per class in a fit; None uses all rows.
    sample: int | None
    _table: tuple[Any, NativeRows] | None = None

    @classmethod
    def open(
        cls,
        rows: Any,
        y: str,
        additional: tuple[Any, ...],
        options: Mapping[str, Any],
        columns: Any,
        *,
        batch_size: int,
        sample: Any,
        text_format: TextFormat,
    ) -> SourceTable:
        """Open a source and read its target.

        Parameters
        ----------
        rows, y
            As in :func:`imbcore.fit`.
        additional
            Columns of groups and times: names, or other values.
        options
            Options shared by all methods.
        columns, batch_size, sample
            As in :func:`evaluate`.
        text_format
            Format of text files.
        """
        if options["costs"] is not None or options["feature_names"] is not None:
            what = "costs" if options["costs"] is not None else "feature_names"
            raise UnsupportedError(f"{what}= needs a table in memory; a source has column names")
        sample = None if sample is None else validate_whole_number("sample", sample, 1)
        if sample is not None and (needed := [name for name in _OF_ALL if options[name] is not None]):
            raise ParameterError(f"sample= changes the class proportions; leave out {needed[0]}")
        with progress_callback("evaluate", options["verbose"], options["callback"]) as callback:
            source = open_source(
                rows,
                y,
                columns=columns,
                additional=[name for name in additional if isinstance(name, str)],
                sample_weight=options["sample_weight"],
                batch_size=batch_size,
                callback=callback,
                text_format=text_format,
                nominal=options["categorical_features"],
            )
            summary = SourceSummary.from_source(source, "evaluate", options)
        return cls(
            source.with_callback(options["callback"]), summary, options["categorical_features"], sample
        )

    @property
    def placeholder_rows(self) -> NativeRows:
        """Minimal rows with the correct classes, sufficient for splitting."""
        return placeholder_rows(self.summary.codes.astype(np.uint32), self.summary.schema.classes)

    def column(self, given: Any) -> Any:
        """Return the values of a named column; other values are returned unchanged."""
        return self.source.column(given) if isinstance(given, str) else given

    def weights(self) -> Any:
        """Return the weights of all rows, or None."""
        return self.column(self.source.weight)

    def load_all_rows(self, why: UnsupportedError, who: str) -> tuple[Any, NativeRows]:
        """Load all rows into memory for a method that needs them.

        Raises
        ------
        UnsupportedError
            They do not fit into memory.
        """
        if self._table is None:
            table = load_all(self.source, why, {who})
            X = table.select(self.source.features)
            rows = to_training_data(X, table[self.source.target], self.nominal, None, who, constant=False)
            self._table = X, rows
        return self._table

    def evaluate(
        self,
        entry: MethodToEvaluate,
        splits: Splits,
        given: Mapping[str, Any],
        parameters: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Cross-validate a method in chunks; the result equals that in memory.

        Raises
        ------
        UnsupportedError
            The method needs all rows in memory.
        """
        needs = [name for name in _OF_ALL if given[name] is not None]
        if not entry.is_named_method or needs:
            raise UnsupportedError(f"{' with '.join([entry.name, *needs])} needs all rows in memory")
        with progress_callback(entry.name, given["verbose"], given["callback"]) as callback:
            columns = {"categorical_features": self.nominal, "feature_names": None}
            quiet = {**given, **columns, "verbose": 0, "callback": None}
            codes, n_classes = self.summary.codes.astype(np.uint32), len(self.summary.schema.classes)

            def predict_test_rows(fit: FoldFit, at: tuple[int, int], part: str) -> Predictions:
                train, test, _ = fit
                with name_training_rows_in_errors(part, DataError):
                    related = splits.row_dependence.pick(train)
                    model = self._fit(entry.what, train, {**quiet, "fold": at}, parameters, related)
                labels, proba = self._predict(model, test, entry.what, given)
                return Predictions(codes[test], n_classes, splits.trial.positive, labels, None, proba, {})

            return cross_validate(splits, codes, n_classes, predict_test_rows, callback=callback)

    def _fit(
        self,
        method: str,
        train: Rows,
        given: Mapping[str, Any],
        parameters: Mapping[str, Any],
        dependence: RowGroupsAndTimes,
    ) -> native.models.Model:
        codes = self.summary.codes[train]
        no_rows = [NO_ROWS] * len(self.summary.facts)
        facts = native.models.update_class_stats(no_rows, codes.astype(np.uint32), None)
        source = self.source.select_rows(train)
        summary = replace(self.summary, facts=facts, codes=codes)
        request = FitRequest(method, parameters, given, summary, dependence)
        with warnings.catch_warnings():
            # Warnings about columns would be repeated in every fold.
            warnings.simplefilter("ignore", DataWarning)
            if self.sample is None:
                return fit_batches(source, request)
            (fitted, schema), (rows, shares) = fit_sample(source, request, self.sample)
            return Model(fitted, schema).correct_prior(rows, prior=shares)._native

    def _predict(
        self, model: native.models.Model, test: Rows, method: str, given: Mapping[str, Any]
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        schema = self.summary.schema
        threads = resolve_threads(given["n_threads"], given["n_jobs"])
        labels, proba = [], []
        with closing(self.source.select_rows(test).batches(schema.names)) as batches:
            for _, batch in batches:
                frame = to_prediction_frame(batch, schema, method, unseen="error")
                labels.append(model.predict(frame, threads))
                proba.append(model.predict_proba(frame, threads))
        return np.concatenate(labels), np.concatenate(proba)

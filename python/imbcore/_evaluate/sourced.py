"""Evaluation on sources larger than memory: folds of row numbers, streaming fits."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import resolve_threads
from imbcore._border.progress import told
from imbcore._border.trials import Rows
from imbcore._evaluate.entries import Entry
from imbcore._input.frame import predict_frame, training_data
from imbcore._input.labels import Target
from imbcore._input.schema import Feature, Schema
from imbcore._input.values import whole_number
from imbcore._model.model import Model
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError
from imbcore.streaming.fit import fit_batches, fit_sample, load_all
from imbcore.streaming.metadata import NO_ROWS, SourceSummary
from imbcore.streaming.readers import open_source
from imbcore.streaming.readers.arrow import pyarrow
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
    _table: tuple[Any, Rows] | None = None

    @classmethod
    def of(
        cls,
        rows: Any,
        y: str,
        beside: tuple[Any, ...],
        options: Mapping[str, Any],
        asked: Mapping[str, Any],
    ) -> SourceTable:
        """Open a source and read its target.

        Parameters
        ----------
        rows, y
            As in :func:`imbcore.fit`.
        beside
            Columns of groups and times, by name, or None.
        options
            Options shared by all methods.
        asked
            ``columns``, ``batch_size`` and ``sample``.
        """
        if options["costs"] is not None or options["feature_names"] is not None:
            what = "costs" if options["costs"] is not None else "feature_names"
            raise UnsupportedError(f"{what}= needs a table in memory; a source has column names")
        sample = None if asked["sample"] is None else whole_number("sample", asked["sample"], 1)
        if sample is not None and (needed := [name for name in _OF_ALL if options[name] is not None]):
            raise ParameterError(f"sample= changes the class proportions; leave out {needed[0]}")
        with told("evaluate", options["verbose"], options["callback"]) as callback:
            source = open_source(
                rows,
                y,
                columns=asked["columns"],
                beside=[name for name in beside if isinstance(name, str)],
                sample_weight=options["sample_weight"],
                batch_size=asked["batch_size"],
                callback=callback,
                text_format=asked["text_format"],
                nominal=options["categorical_features"],
            )
            summary = SourceSummary.from_source(source, "evaluate", options)
        return cls(
            source.with_callback(options["callback"]), summary, options["categorical_features"], sample
        )

    @property
    def stand_in(self) -> Rows:
        """Minimal rows with the correct classes, sufficient for splitting."""
        codes = self.summary.codes.astype(np.uint32)
        schema = Schema([Feature("rows", ["all"])], True, self.summary.schema.classes)
        target = Target(codes, schema.classes, False)
        return [(np.zeros(len(codes), dtype=np.uint32), 1)], target, schema

    def column(self, given: Any) -> Any:
        """Return the values of a named column; other values are returned unchanged."""
        if not isinstance(given, str):
            return given
        with closing(self.source.batches([given])) as pieces:
            parts = [piece[given].combine_chunks() for _, piece in pieces]
        return pyarrow("a column").chunked_array(parts).to_numpy()

    def weights(self) -> Any:
        """Return the weights of all rows, or None."""
        return self.column(self.source.weight)

    def loaded(self, why: UnsupportedError, who: str) -> tuple[Any, Rows]:
        """Load all rows into memory for a method that needs them.

        Raises
        ------
        UnsupportedError
            They do not fit into memory.
        """
        if self._table is None:
            table = load_all(self.source, why, {who})
            X = table.select(self.source.features)
            rows = training_data(X, table[self.source.target], self.nominal, None, who, constant=False)
            self._table = X, rows
        return self._table

    def evaluated(
        self,
        entry: Entry,
        trial: native.models.Trial,
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
        if not entry.is_method or needs:
            raise UnsupportedError(f"{' with '.join([entry.name, *needs])} needs all rows in memory")
        with told(entry.name, given["verbose"], given["callback"]) as callback:
            columns = {"categorical_features": self.nominal, "feature_names": None}
            quiet = {**given, **columns, "verbose": 0, "callback": None}
            return self._tested(entry, trial, quiet, parameters, callback)

    def _tested(
        self,
        entry: Entry,
        trial: native.models.Trial,
        given: Mapping[str, Any],
        parameters: Mapping[str, Any],
        callback: Callable[[str, int, int], object] | None,
    ) -> dict[str, Any]:
        codes, n_classes = self.summary.codes, len(self.summary.schema.classes)
        proba = np.full((len(codes), n_classes), np.nan)
        predicted = np.zeros(len(codes), dtype=np.uint32)
        values = []
        for done, (repeat, fold) in enumerate(tests := trial.tests):
            train, test = trial.rows(repeat, fold)
            try:
                of_fold = {**given, "fold": (repeat, fold)}
                model = self._fitted(entry.what, train, of_fold, parameters, trial.advice)
            except DataError as error:
                raise DataError(f"training part of fold {fold}: {error}", error.column) from error
            answers, law = self._answers(model, test, entry.what, given)
            truth = codes[test].astype(np.uint32)
            values.append(trial.judge(test, truth, answers, n_classes, law, None, None))
            if repeat == 0:
                predicted[test], proba[test] = answers, law
            if callback is not None:
                callback("folds", done + 1, len(tests))
        return {"values": np.array(values), "proba": proba, "predicted": predicted}

    def _fitted(
        self,
        method: str,
        train: NDArray[np.int64],
        given: Mapping[str, Any],
        parameters: Mapping[str, Any],
        advice: str,
    ) -> native.models.Model:
        codes = self.summary.codes[train]
        no_rows = [NO_ROWS] * len(self.summary.facts)
        facts = native.models.add_facts(no_rows, codes.astype(np.uint32), None)
        if sum(of_class[1] > 0 for of_class in facts) < 2:
            raise DataError(f"y has only one class; at least two classes are needed{advice}")
        part = self.source.select_rows(train)
        summary = replace(self.summary, facts=facts, codes=codes)
        asked = FitRequest(method, parameters, given, summary)
        with warnings.catch_warnings():
            # Warnings about columns would be repeated in every fold.
            warnings.simplefilter("ignore", DataWarning)
            if self.sample is None:
                return fit_batches(part, asked)
            (fitted, schema), (rows, shares) = fit_sample(part, asked, self.sample)
            return Model(fitted, schema).correct_prior(rows, prior=shares)._native

    def _answers(
        self, model: native.models.Model, test: NDArray[np.int64], who: str, given: Mapping[str, Any]
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        schema = self.summary.schema
        threads = resolve_threads(given["n_threads"], given["n_jobs"])
        answers, laws = [], []
        with closing(self.source.select_rows(test).batches(schema.names)) as pieces:
            for _, piece in pieces:
                frame = predict_frame(piece, schema, who, unseen="error")
                answers.append(model.predict(frame, threads))
                laws.append(model.predict_proba(frame, threads))
        return np.concatenate(answers), np.concatenate(laws)

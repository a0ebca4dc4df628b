"""Models that are functions of counts: Bayesian networks and naive Bayes.

The states of the columns are learned from the values of each column and class, then the rows are counted by
their states. The model has the same bytes however the rows are divided, because counts are integers.

A local fit feeds batches to the native counter, which needs memory for one column at a time, or only for the
rows of the rare classes. On a cluster, passes count the different values of all columns and the different
rows of states, which are few; one worker then feeds the counter with rows rebuilt from these counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore._validation.columns import MISSING
from imbcore._validation.frame import NativeFrame, n_frame_rows
from imbcore._validation.schema import Schema
from imbcore.exceptions import UnsupportedError
from imbcore.streaming.local import LocalExecutor
from imbcore.streaming.memory import release_memory
from imbcore.streaming.passes import Batch, Executor, FitPlan, Pass, RowRange
from imbcore.streaming.request import FitRequest
from imbcore.streaming.rows import (
    StateWithSize,
    feature_arrays,
    make_training_contiguous,
    refuse_infinity,
    to_native_column,
    to_native_frame,
)

# Rows are counted with 31 bits.
_MAX_ROWS = 2**31
# Rows rebuilt from counts at a time.
_REBUILT_ROWS = 1 << 20
# Beginnings of the names of parameters that define the states of columns.
_STATE_PARAMETERS = ("discretizer", "missing", "handle_unknown")

# Takes features of some rows and their class codes.
TakeRows = Callable[[NativeFrame, NDArray[np.uint32]], object]


@dataclass(frozen=True)
class DistinctValueCounts(StateWithSize):
    """Distinct values or rows of state codes, ascending, and the number of rows of each."""

    values: NDArray[Any]
    rows: NDArray[np.uint32]

    @classmethod
    def from_values(cls, values: NDArray[Any]) -> DistinctValueCounts:
        """Count the rows of each value."""
        values, rows = np.unique(values, return_counts=True)
        # Fewer bytes to send, if they hold the same numbers.
        narrow = values.astype(np.float32) if values.dtype == np.float64 else values
        same = narrow is not values and np.array_equal(narrow.astype(np.float64), values, equal_nan=True)
        return cls(narrow if same else values, rows.astype(np.uint32))

    @classmethod
    def merge(cls, parts: Sequence[DistinctValueCounts]) -> DistinctValueCounts:
        """Add counts of different rows."""
        values, places = np.unique(np.concatenate([part.values for part in parts]), return_inverse=True)
        rows = np.bincount(places, np.concatenate([part.rows for part in parts]), len(values))
        return cls(values, rows.astype(np.uint32))

    def rebuild_rows(self) -> Iterator[NDArray[Any]]:
        """Yield the value of each row, for a limited number of rows at a time."""
        ends = np.cumsum(self.rows, dtype=np.int64)
        n_rows = int(ends[-1]) if len(ends) else 0
        for start in range(0, n_rows, _REBUILT_ROWS):
            rows = np.arange(start, min(start + _REBUILT_ROWS, n_rows))
            yield self.values[np.searchsorted(ends, rows, side="right")]


@dataclass(frozen=True)
class ColumnDiscretizers:
    """Discretization of columns with several states: native text, and a value for each state."""

    text: str
    columns: list[int]
    # The last value of each column is the missing value.
    values: list[NDArray[Any]]

    @property
    def _state_code_dtype(self) -> Any:
        """Smallest type for the state codes."""
        return np.min_scalar_type(max(map(len, self.values)) - 1)

    def encode(self, frame: NativeFrame, n_threads: int) -> NDArray[Any]:
        """Convert columns into rows of state codes; each row is one value of type void."""
        found = native.discretization.discretizer_encode(self.text, frame, n_threads)
        codes = np.empty((n_frame_rows(frame), len(self.columns)), self._state_code_dtype)
        for at, (column, values) in enumerate(zip(found, self.values, strict=True)):
            codes[:, at] = np.where(np.isnan(column), len(values) - 1, column)
        return codes.view(np.dtype((np.void, codes.itemsize * len(self.columns)))).ravel()

    def decode(self, rows: NDArray[Any]) -> list[NDArray[Any]]:
        """Convert rows of state codes into columns of values with these states."""
        codes = rows.view(self._state_code_dtype).reshape(len(rows), len(self.columns))
        return [values[codes[:, at]] for at, values in enumerate(self.values)]


@dataclass
class CountTable(StateWithSize):
    """Counts for each column and class.

    With ``states``, the rows of state codes are the only column.
    """

    states: ColumnDiscretizers | None = None
    columns: list[list[DistinctValueCounts]] = field(default_factory=list)

    def merge(self, others: Sequence[list[list[DistinctValueCounts]]]) -> CountTable:
        """Add the counts of other rows to these."""
        tables = [columns for columns in (self.columns, *others) if columns]
        if len(tables) < 2:
            return CountTable(self.states, tables[0] if tables else [])
        merged = [
            [DistinctValueCounts.merge(parts) for parts in zip(*column, strict=True)]
            for column in zip(*tables, strict=True)
        ]
        return CountTable(self.states, merged)


@dataclass(frozen=True)
class CountFitPlan(FitPlan):
    """Plan of a fit to counts."""

    n_rows: int

    def new_counter(self) -> native.models.StreamingFit:
        """Create a native counter without a row.

        Raises
        ------
        UnsupportedError
            The method cannot be fitted to counts, or not with these parameters.
        """
        training = make_training_contiguous(self.training)
        return native.models.StreamingFit(self.method, self.parameters, training, self.options)

    def fit_stream(self, stream: BatchStream | RebuiltRows) -> native.models.Model:
        """Fit the model to rows that are read several times."""
        counter, options = self.new_counter(), self.options
        empty = set(self.numeric_feature_names())
        for columns in stream.groups(counter.counted_class):
            names = [self.schema.names[at] for at in columns]

            def count(frame: NativeFrame, codes: NDArray[np.uint32], names: list[str] = names) -> None:
                empty.difference_update(
                    [name for name in names if name in empty and _has_values(frame, names.index(name))]
                )
                counter.count_values(frame, codes, options)

            if counter.counted_class is not None:
                stream.read_values(
                    columns,
                    lambda frame, codes: counter.add_rare_rows(frame, codes, options),
                    counter.counted_class,
                )
            stream.read_values(columns, count)
            counter.fit_states(options)
        release_memory()

        def take(columns: list[int]) -> TakeRows:
            return lambda frame, codes: counter.encode(
                _place_columns_in_frame(frame, columns, self.schema), codes, self.n_rows, options
            )

        # A column that does not inform about the class is not read again.
        stream.read_states(counter.informative_columns or [0], take)
        release_memory()
        training = replace(make_training_contiguous(self.training), schema=self.schema_to_json(sorted(empty)))
        return counter.fit(self.method, self.parameters, training, options)

    def fit(
        self, _trees: None, counts: CountTable, states: ColumnDiscretizers, rows: CountTable
    ) -> native.models.Model:
        """Fit the model to the counts of a cluster."""
        return self.fit_stream(RebuiltRows(self, counts, states, rows))

    def learn_states(self, values: CountTable) -> ColumnDiscretizers:
        """Learn the states of all columns; the weight of a value is its number of rows."""
        given = json.loads(self.parameters)
        own = json.dumps({name: given[name] for name in given if name.startswith(_STATE_PARAMETERS)})
        found = [
            json.loads(self._learn_column_states(at, own, *column))
            for at, column in enumerate(values.columns)
        ]
        rules = [column["columns"][0] for column in found]
        examples = [_example_value_per_state(rule) for rule in rules]
        # Missing values can be one more state.
        several = [at for at, rule in enumerate(rules) if len(examples[at]) - 1 + rule["gap_state"] > 1] or [
            0
        ]
        text = json.dumps({**found[0], "columns": [rules[at] for at in several]})
        return ColumnDiscretizers(text, several, [examples[at] for at in several])

    def _learn_column_states(self, at: int, parameters: str, *classes: DistinctValueCounts) -> str:
        codes = np.arange(len(classes), dtype=np.uint32)
        labels = np.repeat(codes, [len(part.values) for part in classes]), len(classes)
        values = np.concatenate([part.values for part in classes])
        column = to_native_column(self.schema.features[at], values)
        weights = np.concatenate([part.rows for part in classes]).astype(np.float64)
        with name_native_columns_in_errors([self.schema.names[at]]):
            fit_column = native.discretization.discretizer_fit
            return fit_column(self.method, parameters, [column], labels, weights, self.options.n_threads)


def _has_values(frame: NativeFrame, at: int) -> bool:
    """Whether a numeric column has a value that is not missing."""
    column = frame[at] if isinstance(frame, list) else frame[:, at]
    return isinstance(column, tuple) or not np.isnan(column).all()


def _place_columns_in_frame(part: NativeFrame, columns: Sequence[int], schema: Schema) -> NativeFrame:
    """Place columns among all features; the others get filler values that are never read."""
    numbers, codes = np.zeros(n_frame_rows(part)), np.zeros(n_frame_rows(part), dtype=np.uint32)
    frame: NativeFrame = [
        numbers if feature.levels is None else (codes, len(feature.levels)) for feature in schema.features
    ]
    for at, column in zip(columns, part if isinstance(part, list) else part.T, strict=True):
        frame[at] = column
    return frame


def _example_value_per_state(rule: dict[str, Any]) -> NDArray[Any]:
    """Choose a value for each state of a column, and last the missing value."""
    cuts = rule["values"].get("cuts")
    if cuts is None:
        return np.array([*range(len(rule["values"]["levels"])), MISSING], dtype=np.uint32)
    # A cut point belongs to the state below it.
    return np.array([*cuts, np.nextafter(cuts[-1], np.inf) if cuts else 0.0, np.nan])


@dataclass
class BatchStream:
    """Rows of a source, read in batches."""

    executor: LocalExecutor
    plan: CountFitPlan
    done: int = 0
    total: int = 0

    def groups(self, common: int | None) -> list[list[int]]:
        """Divide the columns into groups that are read together, given the code of a common class.

        All columns are read at once if a class is common, as only values of the others need memory.
        """
        columns = list(range(len(self.plan.schema.features)))
        self.total = (2 if common is None else 3) * self.plan.n_rows * len(columns)
        return [[at] for at in columns] if common is None else [columns]

    def read_values(self, columns: list[int], take: TakeRows, without: int | None = None) -> None:
        """Read some columns, of all rows or without the rows of one class."""
        self._read(columns, take, len(columns), without)

    def read_states(self, informative: list[int], take: Callable[[list[int]], TakeRows]) -> None:
        """Read columns that inform about the class; progress counts all of them."""
        self._read(informative, take(informative), len(self.plan.schema.features), None)

    def _read(self, columns: list[int], take: TakeRows, values_per_row: int, without: int | None) -> None:
        plan, callback = self.plan, self.plan.options.callback
        schema = Schema([plan.schema.features[at] for at in columns], True, plan.schema.classes)

        def convert(table: Any, codes: NDArray[np.uint32]) -> None:
            n_rows = len(table)
            if without is not None:
                table, codes = table.filter(codes != without), codes[codes != without]
            if len(table):
                with name_native_columns_in_errors(schema.names):
                    take(to_native_frame(table, schema, plan.method), codes)
            self.done += n_rows * values_per_row
            if callback is not None:
                callback("values", self.done, self.total)

        self.executor.read(schema.names, convert, quiet=True)


@dataclass(frozen=True)
class RebuiltRows:
    """Rows rebuilt from counts, one class after the other."""

    plan: CountFitPlan
    counts: CountTable
    states: ColumnDiscretizers
    rows: CountTable

    def groups(self, common: int | None) -> list[list[int]]:
        """Rebuild each column by itself."""
        return [[at] for at in range(len(self.plan.schema.features))]

    def read_values(self, columns: list[int], take: TakeRows, without: int | None = None) -> None:
        """Rebuild a column."""
        (at,) = columns
        for values, codes in _rebuild_rows(self.counts.columns[at], without):
            with name_native_columns_in_errors([self.plan.schema.names[at]]):
                take([to_native_column(self.plan.schema.features[at], values)], codes)

    def read_states(self, informative: list[int], take: Callable[[list[int]], TakeRows]) -> None:
        """Rebuild rows whose values may be replaced by others with the same state."""
        columns, features = self.states.columns, self.plan.schema.features
        for rows, codes in _rebuild_rows(self.rows.columns[0]):
            pairs = zip(columns, self.states.decode(rows), strict=True)
            take(columns)([to_native_column(features[at], values) for at, values in pairs], codes)


def _rebuild_rows(
    classes: list[DistinctValueCounts], without: int | None = None
) -> Iterator[tuple[NDArray[Any], NDArray[np.uint32]]]:
    for code, counts in enumerate(classes):
        if code != without:
            for values in counts.rebuild_rows():
                yield values, np.full(len(values), code, dtype=np.uint32)


@dataclass(frozen=True)
class CountPass(Pass[CountTable]):
    """Pass that counts the values of each column, or the rows by their states."""

    plan: CountFitPlan

    def start(self, _rows: RowRange, *inputs: Any) -> CountTable:
        """Count no rows."""
        return CountTable(*inputs)

    def scan(self, state: CountTable, batch: Batch) -> None:
        """Count the rows of a batch."""
        schema = self.plan.schema
        columns = feature_arrays(batch.table, schema, self.plan.method)
        refuse_infinity(schema.names, columns)
        if state.states is not None:
            frame = [to_native_column(schema.features[at], columns[at]) for at in state.states.columns]
            columns = [state.states.encode(frame, self.plan.options.n_threads)]
        classes = [np.flatnonzero(batch.codes == code) for code in range(len(schema.classes))]
        counts = [[DistinctValueCounts.from_values(column[rows]) for rows in classes] for column in columns]
        state.columns = state.merge([counts]).columns

    def merge(self, states: Sequence[CountTable]) -> CountTable:
        """Add the counts."""
        return states[0].merge([state.columns for state in states[1:]])


def fit(executor: Executor, request: FitRequest) -> native.models.Model:
    """Fit a method that learns from counts.

    Raises
    ------
    UnsupportedError
        The method needs the rows themselves, or there are too many rows.
    """
    method, text, summary = request.method, request.parameters_as_json, request.summary
    n_rows = int(summary.class_counts.sum())
    if n_rows >= _MAX_ROWS:
        raise UnsupportedError(f"{method} counts fewer than {_MAX_ROWS:,} rows, got {n_rows:,}")
    request.refuse_row_options()
    with request.training_arguments() as (training, options):
        task_options = executor.task_options(options)
        plan = CountFitPlan(method, text, training, task_options, summary.roles, summary.schema, n_rows)
        if isinstance(executor, LocalExecutor):
            return plan.fit_stream(BatchStream(executor, plan))
        # Raises UnsupportedError before the rows are read.
        plan.new_counter()
        counts = executor.reduce(CountPass(plan))
        states = executor.call(plan.learn_states, counts)
        rows = executor.reduce(CountPass(plan), states)
        return executor.grow(plan.fit, None, options.callback, counts, states, rows)

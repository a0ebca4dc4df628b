"""Trees and forests that are fitted to the bins of all rows.

The second pass sketches the values of each column, from which its bins are made. The third pass encodes all
rows with one byte per value. The local executor writes the codes to a temporary file, which is deleted at the
end of the process at the latest; trees grow on that file.
"""

from __future__ import annotations

import copy
import copyreg
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import BinnedTable, name_native_columns_in_errors
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore._validation.schema import Schema
from imbcore.streaming.code_store import BinCodeArrays, BinCodeFile
from imbcore.streaming.passes import Batch, Executor, FitPlan, Pass, RowRange
from imbcore.streaming.request import FitRequest
from imbcore.streaming.rows import (
    StateWithSize,
    make_contiguous,
    make_dependence_contiguous,
    make_training_contiguous,
    to_native_frame,
)
from imbcore.streaming.sampled import count_trees

# Largest number of levels of a nominal column that a byte can encode together with missing values.
_MAX_BYTE_LEVELS = 255


def _restore_binning(*parts: Any) -> native.models.Binning:
    return native.models.Binning.from_parts(*parts)


# Bins are copied, and sent to workers, as arrays.
copyreg.pickle(native.models.Binning, lambda binning: (_restore_binning, binning.to_parts()))


@dataclass
class BinSketch(StateWithSize):
    """Sketch of the values, class codes and weights of the rows so far."""

    binning: native.models.Binning
    # Number of the next row.
    next_row: int
    # Numeric features without a value so far.
    without_values: list[str]
    # Of each batch, in the smallest integer type.
    codes: list[NDArray[Any]] = field(default_factory=list)
    weights: list[NDArray[np.float64]] = field(default_factory=list)

    def __sizeof__(self) -> int:
        """Add the bytes of the bins."""
        return super().__sizeof__() + sum(map(sys.getsizeof, self.binning.to_parts()))


@dataclass
class LearnedBins(StateWithSize):
    """Bins of all columns, class codes and weights of all rows."""

    binning: native.models.Binning
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None
    without_values: list[str]


@dataclass
class BinnedRows(StateWithSize):
    """Bin codes of the rows so far.

    ``binning`` has the smallest and the largest value in each bin.
    """

    binning: native.models.Binning
    store: BinCodeFile | BinCodeArrays
    n_rows: int = 0


@dataclass(frozen=True)
class BinnedFitPlan(FitPlan):
    """Plan of a fit to bins."""

    # Groups and times of the rows of positive weight, which draw the bags and folds.
    dependence: RowGroupsAndTimes = INDEPENDENT_ROWS

    @property
    def nominal(self) -> list[bool]:
        """Whether each feature is nominal."""
        return [feature.levels is not None for feature in self.schema.features]

    def new_binning(self) -> native.models.Binning:
        """Create empty bins.

        Raises
        ------
        UnsupportedError
            The method cannot be fitted to bins, or not with these parameters.
        """
        training = make_training_contiguous(self.training)
        return native.models.Binning(self.method, self.parameters, training, self.nominal)

    def make_bins(self, sketch: BinSketch) -> LearnedBins:
        """Make the bins of all columns."""
        codes = np.concatenate([np.empty(0, np.uint32), *sketch.codes]).astype(np.uint32)
        weights = np.concatenate(sketch.weights) if sketch.weights else None
        labels = replace(
            make_training_contiguous(self.training),
            frame=[(codes, len(self.schema.classes))],
            codes=codes,
            sample_weight=weights,
        )
        sketch.binning.fit(self.method, self.parameters, labels, self.options)
        return LearnedBins(sketch.binning, codes, weights, sketch.without_values)

    def fit(
        self, trees: tuple[int, int] | None, rows: BinnedRows, labels: LearnedBins
    ) -> native.models.Model:
        """Fit the model, or the trees of a range."""
        in_bins, levels = make_contiguous(rows.store.read())
        codes, weights = make_contiguous((labels.codes, labels.weights))
        training = replace(
            make_training_contiguous(self.training),
            frame=_build_binned_table(self.schema, rows.binning, in_bins, levels),
            codes=codes,
            sample_weight=weights,
            schema=self.schema_to_json(labels.without_values),
            dependence=make_dependence_contiguous(self.dependence),
        )
        return native.models.fit(
            self.method, self.parameters, training, (False, None, trees or False), self.options
        )


def _build_binned_table(
    schema: Schema, binning: native.models.Binning, codes: NDArray[np.uint8], levels: list[NDArray[np.uint32]]
) -> BinnedTable:
    nominal = iter(levels)
    pairs = zip(schema.features, binning.edges(), strict=True)
    return BinnedTable(
        codes, [edges or (next(nominal), len(feature.levels or ())) for feature, edges in pairs]
    )


@dataclass(frozen=True)
class SketchPass(Pass[BinSketch]):
    """Pass that sketches the values of each column."""

    plan: BinnedFitPlan

    def start(self, rows: RowRange, *_inputs: Any) -> BinSketch:
        """Create an empty sketch for a range of rows."""
        return BinSketch(self.plan.new_binning(), rows.first, self.plan.numeric_feature_names())

    def scan(self, state: BinSketch, batch: Batch) -> None:
        """Add a batch."""
        plan = self.plan
        state.without_values = batch.without_values(state.without_values)
        with name_native_columns_in_errors(plan.schema.names):
            frame = to_native_frame(batch.table, plan.schema, plan.method)
            state.binning.add_rows(frame, state.next_row, batch.weights, plan.options)
        state.next_row += len(batch.codes)
        state.codes.append(batch.codes.astype(np.min_scalar_type(len(plan.schema.classes))))
        if batch.weights is not None:
            state.weights.append(batch.weights)

    def merge(self, states: Sequence[BinSketch]) -> BinSketch:
        """Merge sketches."""
        binning = self.plan.new_binning()
        for state in states:
            binning.merge(state.binning)
        empty = set.intersection(*(set(state.without_values) for state in states))
        codes = [part for state in states for part in state.codes]
        weights = [part for state in states for part in state.weights]
        return BinSketch(binning, states[-1].next_row, sorted(empty), codes, weights)


@dataclass(frozen=True)
class CodePass(Pass[BinnedRows]):
    """Pass that encodes all rows; its input is the bins."""

    plan: BinnedFitPlan
    # ``Executor.open_code_store``, which creates the storage for the codes.
    open_store: Any
    merge_at_once = True

    def start(self, rows: RowRange, *inputs: Any) -> BinnedRows:
        """Create the storage for the codes of a range."""
        features = self.plan.schema.features
        width = sum(feature.levels is None or len(feature.levels) <= _MAX_BYTE_LEVELS for feature in features)
        return BinnedRows(inputs[0], self.open_store(rows.n_rows, width, sum(self.plan.nominal)))

    def scan(self, state: BinnedRows, batch: Batch) -> None:
        """Encode a batch."""
        frame = to_native_frame(batch.table, self.plan.schema, self.plan.method)
        codes = state.binning.encode(frame, batch.weights, self.plan.options)
        columns = frame if isinstance(frame, list) else []
        levels = [column[0] for column in columns if isinstance(column, tuple)]
        state.store.write(state.n_rows, codes, levels)
        state.n_rows += len(codes)

    def merge(self, states: Sequence[BinnedRows]) -> BinnedRows:
        """Concatenate the codes, and merge the value ranges of the bins."""
        merged = copy.copy(states[0].binning)
        for state in states[1:]:
            merged.merge(state.binning)
        store = BinCodeArrays.concatenate([state.store.read() for state in states])
        return BinnedRows(merged, store, sum(state.n_rows for state in states))


def fit(executor: Executor, request: FitRequest) -> native.models.Model:
    """Fit a tree or forest with ``max_bins``, or boosted trees.

    Raises
    ------
    OSError
        The disk has no room for the codes.
    """
    method, text, summary = request.method, request.parameters_as_json, request.summary
    with request.training_arguments() as (training, options):
        about = (executor.task_options(options), summary.roles, summary.schema)
        plan = BinnedFitPlan(method, text, training, *about)
        # Raises UnsupportedError before the rows are read.
        plan.new_binning()
        bins = executor.call(plan.make_bins, executor.reduce(SketchPass(plan)))
        # Only the bins are sent to the next pass; class codes and weights stay on their worker.
        binning = executor.call(attrgetter("binning"), bins)
        rows = executor.reduce(CodePass(plan, executor.open_code_store), binning)
        # Only the trees need groups and times, so the passes do not send them.
        plan = replace(plan, dependence=request.dependence)
        # A merged forest adds up the groups of its parts, so one task grows all trees of groups.
        n_trees = count_trees(method, text) if request.dependence.groups is None else None
        return executor.grow(plan.fit, n_trees, options.callback, rows, bins)

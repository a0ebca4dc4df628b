"""Interface between methods that are fitted to batches and executors that read the batches.

A method describes its reading as passes: ``start`` a state, ``scan`` batches into it, ``merge`` states. It
describes the end of the fit as functions of merged states. An executor calls these functions in this process
(``imbcore.streaming.local``) or on the workers of a cluster (``imbcore.streaming.dask``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import Callback, Options
from imbcore._bindings.training import NativeTrainingData
from imbcore._validation.schema import Schema
from imbcore.streaming.metadata import ColumnRoles, SourceSummary
from imbcore.streaming.readers.arrow import pyarrow

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive rows with positive weight: an Arrow table, class codes, and weights."""

    table: Any
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    @classmethod
    def from_table(cls, table: Any, codes: NDArray[np.uint32], roles: ColumnRoles) -> Batch:
        """Read the weights, and leave out the rows whose weight is 0."""
        weights = roles.weights_of(table)
        if weights is None or weights.all():
            return cls(table, codes, weights)
        kept = weights > 0
        return cls(table.filter(pyarrow("rows").array(kept)), codes[kept], weights[kept])

    def without_values(self, names: Sequence[str]) -> list[str]:
        """Select the columns, among these, all of whose values are missing."""
        return [name for name in names if _has_only_missing_values(self.table[name])]


def _has_only_missing_values(column: Any) -> bool:
    if column.null_count == len(column):
        return True
    if not pyarrow("rows").types.is_floating(column.type):
        return False
    from pyarrow import compute

    return bool(compute.all(compute.is_null(column, nan_is_null=True)).as_py())


@dataclass(frozen=True, slots=True)
class RowRange:
    """Consecutive rows with positive weight: for each class, the rows before and up to the end."""

    before: list[int]
    end: list[int]

    @classmethod
    def from_summary(cls, summary: SourceSummary) -> RowRange:
        """Describe all rows."""
        return cls([0] * len(summary.facts), [facts[1] for facts in summary.facts])

    @property
    def first(self) -> int:
        """Number of the first row."""
        return sum(self.before)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(self.end) - self.first


@dataclass(frozen=True)
class FitPlan:
    """A fit without its rows; ``training`` has one weighted row for each class."""

    method: str
    parameters: str
    training: NativeTrainingData
    options: Options
    roles: ColumnRoles
    schema: Schema

    def numeric_feature_names(self) -> list[str]:
        """Names of the numeric features that may turn out to have no value."""
        known = set(self.schema.without_values)
        pairs = enumerate(self.schema.features)
        return [feature.name for at, feature in pairs if feature.levels is None and at not in known]

    def schema_to_json(self, without_values: Sequence[str]) -> str:
        """Serialize the schema, given the names of numeric features without a value."""
        found = {*self.schema.without_values, *map(self.schema.names.index, without_values)}
        return replace(self.schema, without_values=sorted(found)).to_json()


class Pass(ABC, Generic[State]):
    """One pass over all rows.

    The merged state of consecutive ranges equals the state of one scan over all their rows, to the last bit.
    """

    plan: FitPlan
    # Whether the states of all ranges are merged in one step instead of in a tree.
    merge_at_once: ClassVar[bool] = False

    @abstractmethod
    def start(self, rows: RowRange, *inputs: Any) -> State:
        """Create the state before the first row of a range; it may keep and change the inputs."""

    @abstractmethod
    def scan(self, state: State, batch: Batch) -> None:
        """Add the next batch, which has at least one row."""

    @abstractmethod
    def merge(self, states: Sequence[State]) -> State:
        """Merge the states of consecutive ranges, and leave them unchanged."""


class Executor(Protocol):
    """Reads the rows of a fit and calls the functions of its method.

    States are handed around as handles, which only the executor resolves: the rows of a cluster stay there.
    """

    def task_options(self, options: Options) -> Options:
        """Choose threads and callback of the functions that the executor calls."""

    def open_code_store(self, n_rows: int, width: int, n_nominal: int) -> Any:
        """Create the storage for the bin codes of a range of rows."""

    def reduce(self, work: Pass[Any], *inputs: Any) -> Any:
        """Run a pass and return the merged state's handle; ``inputs`` are passed to ``work.start``."""

    def call(self, function: Callable[..., Any], *inputs: Any) -> Any:
        """Call a function of merged states, which may change them; the result is a handle."""

    def grow(
        self,
        function: Callable[..., native.models.Model],
        n_trees: int | None,
        callback: Callback | None,
        *inputs: Any,
    ) -> native.models.Model:
        """Call ``function(trees, *inputs)`` for all trees or for ranges, and merge the models."""

    def make_request_sender(
        self, plan: Any, callback: Callback | None
    ) -> Callable[[bytes, bool], list[bytes]]:
        """Create the function that sends a request to all rows of a `SummedFitPlan`."""

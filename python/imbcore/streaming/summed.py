"""Models that are functions of sums over blocks of rows: Fast Boxes.

The fit sends requests about all rows. The response to a sequential request depends on the rows before.
Requests and responses are bytes, so that any process that has the rows can respond. Sums are taken over
blocks of rows and added in the order of the rows, as for a table in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore.streaming.passes import Executor, FitPlan
from imbcore.streaming.request import FitRequest
from imbcore.streaming.rows import RowArrays, encode_labels, feature_arrays, refuse_infinity

# Rows of a sum.
BLOCK = 1 << 14

# Rows of a partition: its number, the first row, and the row behind the last.
Place = tuple[int, int, int]


@dataclass(frozen=True)
class PartitionBlockLayout:
    """Places of the blocks in partitions.

    Each group has the number of its first row, a multiple of :data:`BLOCK`, and the places of its rows, in
    order: one place of several whole blocks in the same partition, or several places of one block.
    """

    groups: list[tuple[int, list[Place]]]

    @classmethod
    def from_partition_starts(cls, starts: Sequence[int], n_rows: int) -> PartitionBlockLayout:
        """Build the layout from the number of the first row of each partition."""
        ends = [*starts[1:], n_rows]
        groups: dict[int, list[Place]] = {}
        for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
            head = min(-(-start // BLOCK) * BLOCK, end)
            # The last block of all may be shorter.
            tail = end if end == n_rows else max(end // BLOCK * BLOCK, head)
            for low, high in ((start, head), (head, tail), (tail, end)):
                if low < high:
                    first = low // BLOCK * BLOCK
                    groups.setdefault(first, []).append((at, low - start, high - start))
        return cls(list(groups.items()))


@dataclass(frozen=True)
class SummedFitPlan(FitPlan):
    """Plan of a fit that needs only sums over the rows, which are added up chunk by chunk."""

    def convert(self, table: Any, codes: NDArray[np.uint32]) -> RowArrays:
        """Convert consecutive rows of an Arrow table."""
        columns = feature_arrays(table, self.schema, self.method)
        # Checked here, so that the error names the place of the rows.
        refuse_infinity(self.schema.names, columns)
        return RowArrays(columns, codes, None)

    def split(
        self, table: Any, at: int, layout: PartitionBlockLayout, request: bytes | None
    ) -> dict[int, Any]:
        """Split a partition into groups of blocks; respond for groups that lie in it entirely."""
        found: dict[int, RowArrays | bytes] = {}
        for first, places in layout.groups:
            for _, low, high in (place for place in places if place[0] == at):
                part = table[low:high]
                codes = encode_labels(part[self.roles.target], self.schema.classes, self.method)
                rows = self.convert(part, codes)
                split = request is None or len(places) > 1
                found[first] = rows if split else self.respond_for_rows(request or b"", [rows], first, None)
        return found

    def respond_for_rows(
        self, request: bytes, parts: Sequence[RowArrays], first: int, before: bytes | None
    ) -> bytes:
        """Respond to a request for consecutive rows, of which the first has number ``first``."""
        rows = parts[0] if len(parts) == 1 else RowArrays.concatenate(parts, self.schema)
        rows = rows.make_contiguous()
        frame = rows.frame(self.schema)
        with name_native_columns_in_errors(self.schema.names):
            return native.models.respond_with_rows(request, frame, rows.codes, first, before, self.options)


def fit(executor: Executor, request: FitRequest) -> native.models.Model:
    """Fit a method that sends requests about all rows."""
    request.refuse_row_options()
    method, text, summary = request.method, request.parameters_as_json, request.summary
    with request.training_arguments() as (training, options):
        task_options = executor.task_options(options)
        plan = SummedFitPlan(method, text, training, task_options, summary.roles, summary.schema)
        send = executor.make_request_sender(plan, options.callback)
        return native.models.fit_remote_rows(method, text, training, send, options)

"""Executor in one process; batches are scanned in order, and states are plain values."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import Callback, Options
from imbcore.streaming.code_store import BinCodeFile
from imbcore.streaming.metadata import SourceSummary, read_batches
from imbcore.streaming.passes import Batch, Pass, RowRange
from imbcore.streaming.readers.source import Source
from imbcore.streaming.summed import BLOCK, SummedFitPlan


class LocalExecutor(ExitStack):
    """Executor of one process; files with codes are closed when its context ends."""

    def __init__(self, source: Source, summary: SourceSummary) -> None:
        super().__init__()
        self.source, self.summary = source, summary

    def task_options(self, options: Options) -> Options:
        """Use the options of the fit."""
        return options

    def open_code_store(self, n_rows: int, width: int, n_nominal: int) -> BinCodeFile:
        """Create a file for the codes."""
        return self.enter_context(BinCodeFile(n_rows, width, n_nominal))

    def reduce(self, work: Pass[Any], *inputs: Any) -> Any:
        """Scan all batches into one state."""
        state, roles = work.start(RowRange.from_summary(self.summary), *inputs), self.summary.roles

        def scan(table: Any, codes: NDArray[np.uint32]) -> None:
            batch = Batch.from_table(table, codes, roles)
            if len(batch.codes):
                work.scan(state, batch)

        self.read(roles.all, scan)
        return state

    def read(
        self,
        columns: list[str],
        take: Callable[[Any, NDArray[np.uint32]], object],
        *,
        batch_rows: int | None = None,
        quiet: bool = False,
    ) -> None:
        """Call ``take`` with each batch of some columns and its class codes."""
        source = self.source.with_callback(None) if quiet else self.source
        source = source if batch_rows is None else source.with_batch_rows(batch_rows)
        codes = self.summary.codes
        read_batches(
            source,
            self.summary.roles,
            columns,
            lambda start, table: take(table, codes[start : start + len(table)].astype(np.uint32)),
        )

    def make_request_sender(
        self, plan: SummedFitPlan, _callback: Callback | None
    ) -> Callable[[bytes, bool], list[bytes]]:
        """Create the function that reads all rows to respond to a request.

        The source reports progress.
        """
        batch_rows = max(1, self.source.batch_size // BLOCK) * BLOCK

        def send(request: bytes, sequential: bool) -> list[bytes]:
            responses: list[bytes] = []
            first = 0

            def add(table: Any, codes: NDArray[np.uint32]) -> None:
                nonlocal first
                before = responses.pop() if sequential and responses else None
                responses.append(plan.respond_for_rows(request, [plan.convert(table, codes)], first, before))
                first += len(codes)

            self.read(plan.schema.names, add, batch_rows=batch_rows)
            return responses

        return send

    def call(self, function: Callable[..., Any], *inputs: Any) -> Any:
        """Call a function."""
        return function(*inputs)

    def grow(
        self,
        function: Callable[..., native.models.Model],
        n_trees: int | None,
        callback: Callback | None,
        *inputs: Any,
    ) -> native.models.Model:
        """Fit the whole model in one call, which uses threads and reports progress itself."""
        return function(None, *inputs)

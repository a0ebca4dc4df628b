"""A fit by sums over blocks of rows that lie in parts: what is asked, who answers, which rows go together.

The fit asks about all rows at once, some times one after the other. What it asks and what it is told are
bytes; who holds rows needs nothing else, so that a scheduler may ask anybody, and again. Sums are of blocks
of so many rows, wherever those lie, and are added up in the order of the rows, as of a table in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.training import Training, named_columns
from imbcore._drawn.census import Roles
from imbcore._drawn.gather import Rows, codes_in, columns_in, refuse_infinity
from imbcore._input.schema import Schema
from imbcore._streamed.rows import BLOCK

__all__ = ["Lie", "SummedPlan"]

# Rows of a part: its number, the first of them, and the one behind the last.
Place = tuple[int, int, int]


@dataclass(frozen=True)
class Lie:
    """Where the rows lie: in parts of so many, and in blocks that are asked together.

    Blocks are given by the number of their first row, which is a multiple of :data:`BLOCK`, and the places of
    their rows in the order of the rows: one place of many blocks where a part holds them, else several places
    of one block.
    """

    blocks: list[tuple[int, list[Place]]]

    @classmethod
    def of(cls, starts: Sequence[int], n_rows: int) -> Lie:
        """Say it of parts before which so many rows lie."""
        ends = [*starts[1:], n_rows]
        together: dict[int, list[Place]] = {}
        for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
            head = min(-(-start // BLOCK) * BLOCK, end)
            # The last block of all is no whole one.
            tail = end if end == n_rows else max(end // BLOCK * BLOCK, head)
            for low, high in ((start, head), (head, tail), (tail, end)):
                if low < high:
                    first = low // BLOCK * BLOCK
                    together.setdefault(first, []).append((at, low - start, high - start))
        return cls(list(together.items()))


@dataclass(frozen=True)
class SummedPlan:
    """A fit by sums: everything but the rows."""

    method: str
    parameters: str
    training: Training
    options: Options
    roles: Roles
    schema: Schema

    def fitted(self, ask: Callable[[bytes, bool], Sequence[bytes]], options: Options) -> native.models.Model:
        """Fit the model; ``ask`` puts a question to all rows, in turn or not, and gives the answers."""
        return native.models.fit_asking(self.method, self.parameters, self.training, ask, options)

    def cut(self, part: Any, at: int, lie: Lie, question: bytes | None) -> dict[int, Rows | bytes]:
        """Cut the rows of a part into what is asked together; answer a question from what is all in it."""
        found: dict[int, Rows | bytes] = {}
        for first, places in lie.blocks:
            for _, low, high in (place for place in places if place[0] == at):
                rows = self._read(part[low:high])
                if question is None or len(places) > 1:
                    found[first] = rows
                else:
                    found[first] = self.answer(question, [rows], first, None)
        return found

    def _read(self, piece: Any) -> Rows:
        columns = columns_in(piece, self.schema, self.method)
        # Here it is known where the rows lie.
        refuse_infinity(self.schema.names, columns)
        return Rows(columns, codes_in(piece[self.roles.target], self.schema.classes, self.method), None)

    def answer(self, question: bytes, parts: Sequence[Rows], first: int, before: bytes | None) -> bytes:
        """Answer a question from rows of which it is known how many lie before them."""
        rows = (parts[0] if len(parts) == 1 else Rows.joined(parts, self.schema)).aligned()
        frame = rows.frame(self.schema)
        with named_columns(self.schema.names):
            return native.models.answer_rows(question, frame, rows.codes, first, before, self.options)

"""Report of an experiment: a document with errors of the paper and missing results."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imbcore.evaluation._document import Block, Cell, Document, Table

__all__ = ["Cell", "Report", "Table"]


@dataclass(frozen=True)
class _Heading:
    text: str

    def markdown(self) -> str:
        return f"## {self.text}"

    def html(self) -> str:
        return f"<h2>{html.escape(self.text)}</h2>"

    def plain(self) -> dict[str, Any]:
        return {"heading": self.text}


@dataclass(frozen=True)
class _QuickNote:
    text: str = "Quick: fewer replications or sets than in the paper."

    def markdown(self) -> str:
        return self.text

    def html(self) -> str:
        return f"<p><strong>{self.text}</strong></p>"

    def plain(self) -> dict[str, Any]:
        return {"text": self.text}


@dataclass(frozen=True)
class _Faults:
    faults: Sequence[str]
    title: str = "Errors in the paper, never used as targets:"

    def markdown(self) -> str:
        return f"{self.title}\n\n" + "\n".join(f"- {text}" for text in self.faults)

    def html(self) -> str:
        items = "".join(f"<li>{html.escape(text)}</li>" for text in self.faults)
        return f"<p>{self.title}</p><ul>{items}</ul>"

    def plain(self) -> dict[str, Any]:
        return {"text": self.title, "items": list(self.faults)}


class Report(Document):
    """Report on one experiment, built block by block.

    Parameters
    ----------
    name, title : str
        Name and title of the experiment.
    quick : bool, default=False
        Whether fewer replications were run than in the paper; the report then states this at its top.
    """

    def __init__(self, name: str, title: str, *, quick: bool = False) -> None:
        super().__init__(name, title)
        self.quick = quick
        self._faults: list[str] = []

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._blocks.append(_Heading(text))

    def no_data(self, missing: Mapping[str, str]) -> None:
        """List the missing sets; they are excluded from both ranks."""
        if missing:
            self.table("No data", ("set", "why"), list(missing.items()))

    def not_rerun(self, reasons: Mapping[str, str]) -> None:
        """List the results that cannot be rerun."""
        if reasons:
            self.table("Cannot be rerun", ("what", "why"), list(reasons.items()))

    def fault(self, text: str) -> None:
        """Add a footnote on an error in the paper, which is never used as a target."""
        self._faults.append(text)

    def fits(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Report the number of fits and their computing time, and list failed fits."""
        self.fact("fits", len(records))
        self.fact("seconds of CPU of all fits", round(sum(record["cpu_seconds"] or 0 for record in records)))
        failed = Counter(
            (record["dataset"], record["method"], record["failure"])
            for record in records
            if record["failure"] is not None
        )
        if failed:
            rows = [(*key, count) for key, count in failed.items()]
            self.table("Missing fits", ("set", "method", "why", "fits"), rows)

    def blocks(self) -> Sequence[Block]:
        """Return the blocks in the order of the page."""
        first = [_QuickNote()] if self.quick else []
        return [*first, *super().blocks(), *([_Faults(self._faults)] if self._faults else [])]

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**super().plain(), "quick": self.quick, "slips_of_print": self._faults}

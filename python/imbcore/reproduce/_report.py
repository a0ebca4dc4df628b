"""Report of an experiment: text, tables and figures, written as Markdown, CSV, HTML and JSON."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from imbcore._input.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Cell", "Report", "Table", "markdown_table"]

Cell = str | float | int | bool | None


@dataclass(frozen=True)
class _Words:
    text: str

    def markdown(self) -> str:
        return self.text

    def html(self) -> str:
        return f"<p>{html.escape(self.text)}</p>"

    def plain(self) -> dict[str, Any]:
        return {"text": self.text}


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
class Table:
    """A table of a report.

    Parameters
    ----------
    title : str
    header : tuple of str
    rows : tuple of tuple
        Text or numbers; None and NaN are shown as a dash.
    digits : int
        Decimals of floats.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3

    def markdown(self) -> str:
        """Return title and table."""
        return f"**{self.title}**\n\n{markdown_table(self.header, self.rows, self.digits)}"

    def html(self) -> str:
        """Return a table with its title as caption."""
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.header)
        body = "\n".join(
            "<tr>" + "".join(_html_cell(cell, self.digits) for cell in row) + "</tr>" for row in self.rows
        )
        return (
            f'<div class="wide"><table><caption>{html.escape(self.title)}</caption>'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
        )

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON; NaN becomes null."""
        rows = [[None if _missing(cell) else cell for cell in row] for row in self.rows]
        return {"table": self.title, "header": list(self.header), "rows": rows}

    def csv(self) -> str:
        """Return header and rows with all digits."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(["" if _missing(cell) else cell for cell in row] for row in self.rows)
        return file.getvalue()


@dataclass(frozen=True)
class _Picture:
    name: str
    caption: str
    image: bytes
    numbers: Table

    def markdown(self) -> str:
        return f"![{self.caption}]({self.name}.png)\n\n{self.caption} The numbers: `{self.name}.csv`."

    def html(self) -> str:
        data = base64.b64encode(self.image).decode()
        caption = html.escape(self.caption)
        return (
            f'<figure><img alt="{caption}" src="data:image/png;base64,{data}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def plain(self) -> dict[str, Any]:
        return {"figure": self.name, "caption": self.caption, "numbers": self.numbers.plain()}


Block = _Words | _Heading | Table | _Picture


class Report:
    """Report on one experiment, built block by block.

    Parameters
    ----------
    name, title : str
        Name and title of the experiment.
    quick : bool, default=False
        Whether fewer replications were run than in the paper; the report then states this at its top.
    """

    def __init__(self, name: str, title: str, *, quick: bool = False) -> None:
        self.name, self.title, self.quick = name, title, quick
        self.facts: dict[str, Cell] = {}
        self._blocks: list[Block] = []
        self._faults: list[str] = []

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in order."""
        return tuple(block for block in self._blocks if isinstance(block, Table))

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._blocks.append(_Heading(text))

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self._blocks.append(_Words(text))

    def table(
        self, title: str, header: Sequence[str], rows: Iterable[Sequence[Cell]], *, digits: int = 3
    ) -> None:
        """Add a table."""
        self._blocks.append(Table(title, tuple(header), tuple(map(tuple, rows)), digits))

    def figure(
        self,
        name: str,
        figure: Figure,
        caption: str,
        header: Sequence[str],
        rows: Iterable[Sequence[Cell]],
    ) -> None:
        """Add a figure with its numbers and close it; its files are ``name``.png and ``name``.csv."""
        from matplotlib import pyplot

        image = io.BytesIO()
        # No date and no version, so that equal numbers give equal bytes.
        figure.savefig(image, format="png", dpi=90, metadata={"Software": None})
        pyplot.close(figure)
        numbers = Table(caption, tuple(header), tuple(map(tuple, rows)))
        self._blocks.append(_Picture(name, caption, image.getvalue(), numbers))

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

    def fact(self, name: str, value: Cell) -> None:
        """Record a fact about the run, such as the seed or the machine."""
        self.facts[name] = value

    def markdown(self) -> str:
        """Return the report as text."""
        parts = [f"# {self.title}", *self._quick(), *(block.markdown() for block in self._blocks)]
        if self._faults:
            parts.append(
                "Errors in the paper, never used as targets:\n\n" + "\n".join(f"- {x}" for x in self._faults)
            )
        parts.append("\n".join(f"- {name}: {_cell(value, 3)}" for name, value in self.facts.items()))
        return "\n\n".join(part for part in parts if part) + "\n"

    def html(self) -> str:
        """Return the report as a single self-contained page."""
        page = resources.files("imbcore.reproduce").joinpath("page.html").read_text(encoding="utf-8")
        blocks = [f"<p><strong>{text}</strong></p>" for text in self._quick()]
        blocks += [block.html() for block in self._blocks]
        if self._faults:
            items = "".join(f"<li>{html.escape(text)}</li>" for text in self._faults)
            blocks.append(f"<p>Errors in the paper, never used as targets:</p><ul>{items}</ul>")
        facts = "".join(
            f"<li>{html.escape(name)}: {html.escape(_cell(value, 3))}</li>"
            for name, value in self.facts.items()
        )
        title = html.escape(self.title)
        return Template(page).substitute(title=title, body="\n".join(blocks), facts=facts)

    def json(self) -> str:
        """Return all numbers of the report."""
        document = {
            "name": self.name,
            "title": self.title,
            "quick": self.quick,
            "facts": self.facts,
            "blocks": [block.plain() for block in self._blocks],
            "slips_of_print": self._faults,
        }
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"

    def csv(self) -> str:
        """Return the first table."""
        return self.tables[0].csv() if self.tables else ""

    def write(self, folder: Path) -> None:
        """Write table.md, .html, .json and .csv (further tables: table-2.csv, ...), and every figure."""
        files = {"table.md": self.markdown(), "table.html": self.html(), "table.json": self.json()}
        for at, table in enumerate(self.tables, start=1):
            files["table.csv" if at == 1 else f"table-{at}.csv"] = table.csv()
        images = [block for block in self._blocks if isinstance(block, _Picture)]
        files |= {f"{image.name}.csv": image.numbers.csv() for image in images}
        contents = {name: text.encode() for name, text in files.items()}
        contents |= {f"{image.name}.png": image.image for image in images}
        for name, content in contents.items():
            with atomic_write(folder / name) as file:
                file.write(content)

    def _quick(self) -> list[str]:
        return ["Quick: fewer replications or sets than in the paper."] if self.quick else []


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Cell]], digits: int = 3) -> str:
    """Format a table in Markdown."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(_cell(cell, digits) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _missing(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and not math.isfinite(cell))


def _cell(cell: Cell, digits: int) -> str:
    if _missing(cell):
        return "-"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def _html_cell(cell: Cell, digits: int) -> str:
    kind = ' class="words"' if isinstance(cell, str) else ""
    return f"<td{kind}>{html.escape(_cell(cell, digits))}</td>"

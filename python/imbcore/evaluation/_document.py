"""Document of text, tables and figures, written as Markdown, CSV, HTML and JSON."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Protocol

from imbcore._explore.page import style_sheet
from imbcore._validation.files import atomic_write
from imbcore.evaluation._html import figure_to_svg, image_tag, score_on_two_lines_html

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BestCellText", "Block", "Cell", "Document", "Table", "format_cell", "markdown_table"]

Cell = str | float | int | bool | None
# Titles such as "p", "adjusted p" and "p of F".
_P_VALUE = re.compile(r"\bp\b")


class BestCellText(str):
    """Text of the best cells of a table: with a star in text, bold in HTML."""

    __slots__ = ()

    def starred(self) -> str:
        """Return the text with a star."""
        return f"*{self}"


class Block(Protocol):
    """Part of a document."""

    def markdown(self) -> str:
        """Return the block as Markdown."""

    def html(self) -> str:
        """Return the block as HTML."""

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON."""


@dataclass(frozen=True)
class _Paragraph:
    text: str
    headline: bool = False

    def markdown(self) -> str:
        return self.text

    def html(self) -> str:
        text = f"<p>{html.escape(self.text)}</p>"
        return f'<div class="verdict">{text}</div>' if self.headline else text

    def plain(self) -> dict[str, Any]:
        return {"text": self.text}


@dataclass(frozen=True)
class Table:
    """A table of a document.

    Parameters
    ----------
    title : str
    header : tuple of str
    rows : tuple of tuple
        Text or numbers; None, NaN and infinity are shown as a dash.
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
        """Return a section with the table."""
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.header)
        body = "\n".join(
            "<tr>"
            + "".join(_html_cell(*shown, self.digits) for shown in _mark_p_values(self.header, row))
            + "</tr>"
            for row in self.rows
        )
        return (
            f'<section>\n<h2>{html.escape(self.title)}</h2>\n<div class="wide"><table>'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n</section>"
        )

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON; NaN and infinity become null."""
        rows = [[None if _is_missing_cell(cell) else _add_star(cell) for cell in row] for row in self.rows]
        return {"table": self.title, "header": list(self.header), "rows": rows}

    def csv(self) -> str:
        """Return header and rows with all digits."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(
            ["" if _is_missing_cell(cell) else _add_star(cell) for cell in row] for row in self.rows
        )
        return file.getvalue()


@dataclass(frozen=True)
class _Picture:
    name: str
    caption: str
    image: bytes
    drawing: str
    numbers: Table

    def markdown(self) -> str:
        return f"![{self.caption}]({self.name}.png)\n\n{self.caption} The numbers: `{self.name}.csv`."

    def html(self) -> str:
        return f"<figure>{self.drawing}<figcaption>{html.escape(self.caption)}</figcaption></figure>"

    def plain(self) -> dict[str, Any]:
        return {"figure": self.name, "caption": self.caption, "numbers": self.numbers.plain()}


class Document:
    """Document that is built block by block.

    Parameters
    ----------
    name, title : str
        Name and title of the experiment or comparison.
    """

    def __init__(self, name: str, title: str) -> None:
        self.name, self.title = name, title
        self.facts: dict[str, Cell] = {}
        self._blocks: list[Block] = []

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in order."""
        return tuple(block for block in self._blocks if isinstance(block, Table))

    def text(self, text: str, *, headline: bool = False) -> None:
        """Add a paragraph; a headline is highlighted."""
        self._blocks.append(_Paragraph(text, headline))

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
        drawing = image_tag(figure_to_svg(figure), figure.get_size_inches().tolist(), caption)
        pyplot.close(figure)
        numbers = Table(caption, tuple(header), tuple(map(tuple, rows)))
        self._blocks.append(_Picture(name, caption, image.getvalue(), drawing, numbers))

    def fact(self, name: str, value: Cell) -> None:
        """Record a fact about the run, such as the seed or the machine."""
        self.facts[name] = value

    def markdown(self) -> str:
        """Return the document as text."""
        facts = "\n".join(f"- {name}: {format_cell(value, 3)}" for name, value in self.facts.items())
        parts = [f"# {self.title}", *(block.markdown() for block in self.blocks()), facts]
        return "\n\n".join(part for part in parts if part) + "\n"

    def html(self) -> str:
        """Return the document as a single self-contained page."""
        page = resources.files("imbcore.evaluation").joinpath("document.html").read_text(encoding="utf-8")
        facts = "".join(
            f"<li>{html.escape(name)}: {html.escape(format_cell(value, 3))}</li>"
            for name, value in self.facts.items()
        )
        parts = []
        # Neighboring pictures are placed side by side.
        for of_pictures, blocks in groupby(self.blocks(), lambda block: isinstance(block, _Picture)):
            text = "\n".join(block.html() for block in blocks)
            parts.append(f'<section class="pair">\n{text}\n</section>' if of_pictures else text)
        body = "\n".join(parts)
        return Template(page).substitute(
            title=html.escape(self.title), style=style_sheet(), body=body, facts=facts
        )

    def json(self) -> str:
        """Return all numbers of the document."""
        return json.dumps(self.plain(), indent=1, ensure_ascii=False) + "\n"

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        blocks = [block.plain() for block in self._blocks]
        return {"name": self.name, "title": self.title, "facts": self.facts, "blocks": blocks}

    def blocks(self) -> Sequence[Block]:
        """Return the blocks in the order of the page."""
        return self._blocks

    def csv(self) -> str:
        """Return the first table."""
        return self.tables[0].csv() if self.tables else ""

    def write(self, folder: Path) -> None:
        """Write table.md, table.html, table.json, table.csv and every figure.

        The CSV files of further tables are table-2.csv, table-3.csv and so on.
        """
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


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Cell]], digits: int = 3) -> str:
    """Format a table in Markdown."""
    lines = [_markdown_row(header), "|" + "---|" * len(header)]
    for row in rows:
        marked = _mark_p_values(header, row)
        lines.append(_markdown_row([format_cell(cell, digits, is_p_value=p) for cell, p in marked]))
    return "\n".join(lines)


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _mark_p_values(header: Sequence[str], row: Sequence[Cell]) -> list[tuple[Cell, bool]]:
    """Return the cells of a row, and whether the column or the row has p-values."""
    whole = bool(_P_VALUE.search(str(row[0])))
    return [(cell, whole or bool(_P_VALUE.search(title))) for title, cell in zip(header, row, strict=True)]


def _is_missing_cell(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and not math.isfinite(cell))


def format_cell(cell: Cell, digits: int, *, is_p_value: bool = False) -> str:
    """Format a number with these decimals, or another value as text.

    A p-value that rounds to zero is shown as below the smallest number with these decimals.
    """
    if _is_missing_cell(cell):
        return "-"
    if isinstance(cell, BestCellText):
        return cell.starred()
    if is_p_value and isinstance(cell, float) and cell < 0.5 * 10.0**-digits:
        return f"< {10.0**-digits:.{digits}f}"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def _html_cell(cell: Cell, is_p_value: bool, digits: int) -> str:
    if isinstance(cell, str):
        text = html.escape(cell)
        if " ± " not in text:
            return f'<td class="words">{text}</td>'
        kind = ' class="best"' if isinstance(cell, BestCellText) else ""
        return f"<td{kind}>{score_on_two_lines_html(text)}</td>"
    return f"<td>{html.escape(format_cell(cell, digits, is_p_value=is_p_value))}</td>"


def _add_star(cell: Cell) -> Cell:
    return cell.starred() if isinstance(cell, BestCellText) else cell

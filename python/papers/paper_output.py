"""What the reproductions of the papers share: their options, printed numbers, tables and figures."""

# ruff: noqa: T201  # a programme for people prints

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import datasets
from imbcore._input.columns import MISSING, Nominal
from imbcore._input.table import Table

REPOSITORY = Path(__file__).resolve().parents[2]


def options(
    description: str | None,
    *,
    seed: int = 0,
    sets: Sequence[str] = (),
    known: Sequence[str] = (),
    **counts: int,
) -> argparse.Namespace:
    """Read ``--output``, ``--seed``, ``--sets`` among ``known``, and a whole number a ``count``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", type=Path, default=Path("paper"), help="folder for tables and figures")
    parser.add_argument("--seed", type=int, default=seed, help=f"default {seed}")
    if known:
        text = f"of {', '.join(known)}; default {' '.join(sets)}"
        parser.add_argument(
            "--sets", nargs="+", choices=(*known, "all"), default=sets, metavar="SET", help=text
        )
    for name, count in counts.items():
        parser.add_argument(f"--{name}", type=int, default=count, help=f"default {count}")
    chosen = parser.parse_args()
    if known and "all" in chosen.sets:
        chosen.sets = known
    chosen.output.mkdir(parents=True, exist_ok=True)
    return chosen


def load(name: str) -> datasets.Dataset:
    """Load a set as ``imbcore.datasets`` does; without IMBCORE_DATA, ../shared/data is looked into."""
    folder = REPOSITORY.parent / "shared" / "data"
    beside = folder if "IMBCORE_DATA" not in os.environ and folder.is_dir() else None
    return datasets.load(name, folder=beside)


def dummy_coded(table: Table) -> Table:
    """Code nominal columns as 0/1: one column for two levels, one a level for more. Constant ones go."""
    columns: dict[str, Any] = {}
    for name, column in table.columns.items():
        if not isinstance(column, Nominal):
            columns[name] = column
            continue
        missing = column.codes == MISSING
        first = 0 if len(column.levels) > 2 else 1
        for code in range(first, len(column.levels)):
            columns[f"{name}={column.levels[code]}"] = np.where(missing, np.nan, column.codes == code)
    return Table({name: column for name, column in columns.items() if not np.isnan(column).all()})


def markdown(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table; numbers have three digits after the point."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def keep(output: Path, name: str, text: str) -> None:
    """Print a text and write it to ``output``."""
    print(text)
    (output / f"{name}.md").write_text(text + "\n", encoding="utf-8")


def keep_figure(output: Path, name: str, figure: Any) -> None:
    """Write a figure small enough for a page of text."""
    from matplotlib import pyplot

    figure.savefig(output / f"{name}.png", dpi=80)
    pyplot.close(figure)

"""Shared code of the reproductions: options, printed numbers, tables and figures."""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from imbcore import datasets
from imbcore.evaluation._document import markdown_table as markdown

__all__ = ["keep", "keep_figure", "load", "markdown", "options", "stored"]

REPOSITORY = Path(__file__).resolve().parents[2]


def options(
    description: str | None,
    *,
    seed: int = 0,
    sets: Sequence[str] = (),
    known: Sequence[str] = (),
    **counts: int,
) -> argparse.Namespace:
    """Parse ``--output``, ``--seed``, ``--sets`` among ``known``, and integer options."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", type=Path, default=Path("paper"), help="folder for tables and figures")
    parser.add_argument("--seed", type=int, default=seed, help=f"default {seed}")
    if known:
        text = f"one or more of {', '.join(known)}; default {' '.join(sets)}"
        parser.add_argument(
            "--sets", nargs="+", choices=(*known, "all"), default=sets, metavar="SET", help=text
        )
    for name, count in counts.items():
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=count, help=f"default {count}")
    chosen = parser.parse_args()
    if known and "all" in chosen.sets:
        chosen.sets = known
    chosen.output.mkdir(parents=True, exist_ok=True)
    return chosen


def load(name: str) -> datasets.Dataset:
    """Load a data set as ``imbcore.datasets`` does; the default folder is ../shared/data."""
    folder = REPOSITORY.parent / "shared" / "data"
    beside = folder if "IMBCORE_DATA" not in os.environ and folder.is_dir() else None
    return datasets.load(name, folder=beside)


def keep(output: Path, name: str, text: str) -> None:
    """Print a text and write it to ``output``."""
    print(text)
    (output / f"{name}.md").write_text(text + "\n", encoding="utf-8")


def keep_figure(output: Path, name: str, figure: Any) -> None:
    """Write a figure small enough for a documentation page."""
    from matplotlib import pyplot

    figure.savefig(output / f"{name}.png", dpi=80)
    pyplot.close(figure)


def stored(
    file: Path, tasks: Iterable[dict[str, Any]], work: Callable[[dict[str, Any]], dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """Compute the missing records of a file of JSON lines, and return all.

    Every record is written immediately, so that the next run continues an interrupted one. Without ``work``
    nothing is computed.
    """
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    # A killed process can leave an incomplete last line.
    whole = [line for line in lines if line.endswith("\n")]
    if work is not None and len(whole) < len(lines):
        file.write_text("".join(whole), encoding="utf-8")
    known = {json.dumps(found["task"]): found for found in map(json.loads, whole)}
    requested = {json.dumps(task): task for task in tasks}
    if work is not None:
        with file.open("a", encoding="utf-8") as out:
            for key, task in requested.items():
                if key not in known:
                    known[key] = {"task": task, **work(task)}
                    print(json.dumps(known[key]), file=out, flush=True)
    return [known[key] for key in requested if key in known]

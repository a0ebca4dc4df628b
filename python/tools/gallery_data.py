"""Examples of the gallery whose data sets are missing.

`make docs` shows their code and does not run them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from imbcore import datasets

GALLERY = Path(__file__).resolve().parents[1] / "examples" / "gallery"


def data_sets_of(example: Path) -> set[str]:
    """Names of the data sets that an example reads, as text in its code."""
    tree = ast.parse(example.read_text(encoding="utf-8"))
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return texts & set(datasets.names())


def examples_without_data(examples: Iterable[Path]) -> dict[Path, str]:
    """Find the examples without a data set, and the reason of each.

    A data set is missing if it is not stored and cannot be downloaded.
    """
    reasons: dict[str, str] = {}
    missing = {}
    for example in examples:
        for name in sorted(data_sets_of(example)):
            if name not in reasons:
                reasons[name] = _reason(name)
            if reasons[name]:
                missing[example] = f"data set {name} is not available ({reasons[name]})"
    return missing


def _reason(name: str) -> str:
    try:
        datasets.load(name)
    except (OSError, ValueError) as error:
        return str(error).splitlines()[0]
    return ""


def pattern_of_runs(folder: Path = GALLERY) -> str:
    """Write the pattern of the examples to run, and a line on standard error for each other one."""
    skipped = examples_without_data(sorted(folder.glob("*/*.py")))
    for example, reason in skipped.items():
        print(f"gallery: {example.parent.name}/{example.name} is not run: {reason}", file=sys.stderr)
    names = "|".join(re.escape(example.stem) for example in skipped)
    return rf"[\\/](?!(?:{names})\.py$)\w+\.py$" if names else r"\.py$"

"""Write the files that follow from the registry of methods: type stub, table of the README, code diagram.

``make generate`` writes the files, ``--check`` says which differ and changes nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from house import picture
from stub import stub

import imbcore.sampling
from imbcore._border import native
from imbcore._signatures import CHOICES, ESTIMATORS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "imbcore"


def generated() -> dict[Path, str]:
    """Compose the content of every file that follows from the registry."""
    methods = json.loads(native.models.methods())
    classes = [getattr(import_module(f"imbcore.{home}"), name) for name, home in ESTIMATORS.items()]
    samplers = [getattr(imbcore.sampling, name) for name in imbcore.sampling.__all__]
    samplers = [cls for cls in samplers if hasattr(cls, "_method")]
    choices = [getattr(import_module("imbcore._signatures"), name) for name in CHOICES]
    files = [PACKAGE / "_api.py", PACKAGE / "_evaluate" / "door.py"]
    text = stub(methods, [*classes, *samplers], choices, files)
    readme = ROOT / "README.md"
    table = _between(readme.read_text(encoding="utf-8"), "methods", _table(methods, classes))
    return {PACKAGE / "_signatures" / "__init__.pyi": text, readme: table}


def _table(methods: list[dict[str, Any]], classes: list[type]) -> str:
    rows = ["| method | estimator | what it is | source |", "|---|---|---|---|"]
    for method in methods:
        names = " ".join(f"`{cls.__name__}`" for cls in classes if cls._method == method["name"])
        rows.append(f"| `{method['name']}` | {names} | {method['title']} | {method['source']} |")
    return "\n".join(rows)


def drawn() -> dict[Path, str]:
    """Compose the pages that show the code, the generated part of it too."""
    page = ROOT / "python" / "docs" / "the-house.md"
    return {page: _between(page.read_text(encoding="utf-8"), "house", picture(PACKAGE, ROOT / "crates"))}


def _between(page: str, mark: str, text: str) -> str:
    """Put a text between its marks on a page."""
    marks = rf"(<!-- {mark}: `make generate` [^\n]*-->\n).*?(<!-- end of {mark} -->)"
    return re.sub(marks, lambda found: f"{found[1]}{text}\n{found[2]}", page, flags=re.DOTALL)


def _written(files: dict[Path, str], *, check: bool) -> list[Path]:
    """Write the files that differ, or only name them."""
    different = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in different:
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
        print(f"{'differs' if check else 'written'}: {path.relative_to(ROOT)}")
    return different


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which files differ")
    check = parser.parse_args().check
    different = _written(generated(), check=check)
    different += _written(drawn(), check=check)
    if check and different:
        print("run `make generate`", file=sys.stderr)
    return int(check and bool(different))


if __name__ == "__main__":
    sys.exit(main())

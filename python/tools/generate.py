"""Write the files generated from the registry: type stub, table of methods, code diagram.

``make generate`` writes the files; ``--check`` lists those that differ and changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from architecture import diagram
from stub import stub

import imbcore.sampling
from imbcore._bindings import native
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
    files = [PACKAGE / "_api.py", PACKAGE / "evaluation" / "_evaluate.py"]
    text = stub(methods, [*classes, *samplers], choices, files)
    page = ROOT / "python" / "docs" / "methods.md"
    table = _between(page.read_text(encoding="utf-8"), "methods", _table(methods, classes))
    return {PACKAGE / "_signatures" / "__init__.pyi": text, page: table}


def completed() -> dict[Path, str]:
    """Complete the lists of public names by the classes that the modules of the families define."""
    files, homes = {}, {}
    for folder in sorted({*(PACKAGE / home for home in ESTIMATORS.values()), PACKAGE / "sampling"}):
        exports, classes = _exports(folder)
        files[folder / "__init__.py"] = exports
        homes |= dict.fromkeys(classes, folder.name) if folder.name != "sampling" else {}
    names = PACKAGE / "_signatures" / "names.py"
    entries = "".join(f'    "{name}": "{home}",\n' for name, home in sorted(homes.items()))
    text = names.read_text(encoding="utf-8")
    files[names] = re.sub(r"(?<=\nESTIMATORS = \{\n).*?(?=\}\n)", entries, text, flags=re.DOTALL)
    return files


def _exports(folder: Path) -> tuple[str, list[str]]:
    """Compose the ``__init__`` of a folder, which exports the names of its modules."""
    purpose = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    modules = {
        "_signatures": [name for name, (_, package) in CHOICES.items() if package == f"imbcore.{folder.name}"]
    }
    classes = []
    for path in sorted(folder.glob("[a-z]*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        listed = (
            node.value
            for node in body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        )
        modules[f"{folder.name}.{path.stem}"] = ast.literal_eval(next(listed))
        classes += [node.name for node in body if isinstance(node, ast.ClassDef) and _has_method(node)]
    lines = []
    for module, own in modules.items():
        names = sorted(own, key=_by_type)
        line = f"from imbcore.{module} import {', '.join(names)}"
        wrapped = "".join(f"    {name},\n" for name in names)
        if own:
            lines.append(line if len(line) <= 110 else f"from imbcore.{module} import (\n{wrapped})")
    every = sorted((name for own in modules.values() for name in own), key=_by_type)
    listed_names = "".join(f'    "{name}",\n' for name in every)
    return f'"""{purpose}"""\n\n' + "\n".join(lines) + f"\n\n__all__ = [\n{listed_names}]\n", classes


def _has_method(node: ast.ClassDef) -> bool:
    return any(base.id.endswith("Parameters") for base in node.bases if isinstance(base, ast.Name))


def _by_type(name: str) -> tuple[bool, str]:
    """Order names like linters: names in capitals first."""
    return not name.isupper(), name


def _table(methods: list[dict[str, Any]], classes: list[type]) -> str:
    rows = ["| method | estimator | description | source |", "|---|---|---|---|"]
    for method in methods:
        names = " ".join(f"`{cls.__name__}`" for cls in classes if cls._method == method["name"])
        rows.append(f"| `{method['name']}` | {names} | {method['title']} | {method['source']} |")
    return "\n".join(rows)


def diagram_page() -> dict[Path, str]:
    """Compose the page that shows the code structure, including generated files."""
    page = ROOT / "python" / "docs" / "architecture.md"
    text = diagram(PACKAGE, ROOT / "crates")
    return {page: _between(page.read_text(encoding="utf-8"), "architecture", text)}


def _between(page: str, mark: str, text: str) -> str:
    """Replace the text between the marks on a page."""
    marks = rf"(<!-- {mark}: `make generate` [^\n]*-->\n).*?(<!-- end of {mark} -->)"
    return re.sub(marks, lambda found: f"{found[1]}{text}\n{found[2]}", page, flags=re.DOTALL)


def _written(files: dict[Path, str], *, check: bool) -> list[Path]:
    """Write the files that differ, or only list them."""
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
    parser.add_argument("--check", action="store_true", help="only list the files that differ")
    check = parser.parse_args().check
    different = _written(completed(), check=check)
    if different and not check:
        print("the lists of public names were completed; run this once more")
        return 0
    different = different or _written(generated(), check=check)
    different += _written(diagram_page(), check=check)
    if check and different:
        print("run `make generate`", file=sys.stderr)
    return int(check and bool(different))


if __name__ == "__main__":
    sys.exit(main())

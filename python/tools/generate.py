"""Write what follows from the registry of methods: constructors, the types of the doors, and tables.

``make generate`` writes the files, ``--check`` says which differ and changes nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from classes import EstimatorClass, estimator_classes
from constructors import constructors, parameters_of
from doors import method_names, stub

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "imbcore"
OF_DISCRETIZERS = ("categorical_features", "n_threads", "n_jobs")


def options() -> list[dict[str, Any]]:
    """Read the options of all methods from the table that the package itself reads."""
    path = PACKAGE / "_input" / "options.py"
    spec = importlib.util.spec_from_file_location("options", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["options"] = module
    spec.loader.exec_module(module)
    return [vars(option) for option in module.OPTIONS]


def generated(methods: list[dict[str, Any]]) -> dict[Path, str]:
    """Compose the content of every generated file."""
    known = {method["name"]: method for method in methods}
    every = options()
    of_estimators = [option for option in every if not option["door_only"]]
    names = {option["name"] for option in of_estimators}
    classes = estimator_classes(PACKAGE)
    files = {}
    for folder, members in groupby(classes, key=lambda cls: cls.folder):
        described = []
        for cls in members:
            specs, taken = _registered(cls, known), of_estimators
            if cls.method not in known:
                taken = [option for option in taken if option["name"] in OF_DISCRETIZERS]
            parameters = parameters_of(cls, specs, taken)
            own = {name for name, *_ in parameters} - {spec["name"] for spec in specs} - names
            described.append((cls, parameters, frozenset(own)))
        files[folder / "_parameters.py"] = constructors(described)
    files[PACKAGE / "_signatures.py"] = method_names(methods)
    files[PACKAGE / "_signatures.pyi"] = stub(methods, every, PACKAGE / "_api.py")
    readme = ROOT / "README.md"
    files[readme] = _with_table(readme.read_text(encoding="utf-8"), _table(methods, classes))
    return files


def _registered(cls: EstimatorClass, known: dict[str, Any]) -> list[dict[str, Any]]:
    """List the parameters of the method of a class; discretisers have some of those of their classifiers."""
    if cls.method in known:
        return list(known[cls.method]["params"])
    return [spec for spec in known["full_bayes"]["params"] if spec["name"] in cls.own | {"unseen"}]


def _table(methods: list[dict[str, Any]], classes: list[EstimatorClass]) -> str:
    rows = ["| method | estimator | what it is | source |", "|---|---|---|---|"]
    for method in methods:
        names = " ".join(f"`{cls.name}`" for cls in classes if cls.method == method["name"])
        rows.append(f"| `{method['name']}` | {names} | {method['title']} | {method['source']} |")
    return "\n".join(rows)


def _with_table(page: str, table: str) -> str:
    """Put the table of methods between its marks."""
    marks = r"(<!-- methods: `make generate` writes them -->\n).*?(\n<!-- end of methods -->)"
    return re.sub(marks, lambda found: found[1] + table + found[2], page, flags=re.DOTALL)


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which files differ")
    check = parser.parse_args().check
    from imbcore._border import native

    different = []
    for path, text in generated(native.methods()).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            different.append(path.relative_to(ROOT))
            if not check:
                path.write_text(text, encoding="utf-8")
    for path in different:
        print(f"{'differs' if check else 'written'}: {path}")
    if check and different:
        print("run `make generate`", file=sys.stderr)
    return int(check and bool(different))


if __name__ == "__main__":
    sys.exit(main())

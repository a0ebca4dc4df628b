"""Write what follows from the registry of methods: constructors, the types of the doors, and tables.

``make generate`` writes the files, ``--check`` says which differ and changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import Any

from classes import GENERATED, EstimatorClass, estimator_classes
from constructors import HEAD, choices_module, choices_of, constructor, parameters_of
from doors import names_module, stub
from house import picture

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "imbcore"
OF_DISCRETIZERS = ("categorical_features", "n_threads", "n_jobs")
# The seed stands first: not all of them draw.
OF_SAMPLERS = ("random_state", "n_threads", "n_jobs")


def registry() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Ask the native module for methods and samplers; the package needs the generated files."""
    package = importlib.util.find_spec("imbcore")
    assert package is not None
    folder = Path(next(iter(package.submodule_search_locations or ())))
    native = _loaded("_imbcore", next(folder.glob("_imbcore*.so"), folder / "_imbcore.pyd"))
    return json.loads(native.models.methods()), json.loads(native.sampling.samplers())


def _loaded(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def options() -> list[dict[str, Any]]:
    """Read the options of all methods from the table that the package itself reads."""
    module = _loaded("options", PACKAGE / "_input" / "options.py")
    return [vars(option) for option in (*module.OPTIONS, *module.TEXT_OPTIONS)]


def generated(methods: list[dict[str, Any]], samplers: list[dict[str, Any]]) -> dict[Path, str]:
    """Compose the content of every generated file."""
    sampler = {known["name"]: known for known in samplers}
    known = {method["name"]: method for method in methods} | sampler
    every = options()
    of_estimators = [option for option in every if not option["door_only"]]
    names = {option["name"] for option in of_estimators}
    classes = estimator_classes(PACKAGE)
    files: dict[Path, str] = {}
    ways = _ways(classes, known)
    homes = {cls.name: f"imbcore.{cls.folder.name}.{cls.module}" for cls in classes}
    for (folder, parameter), choices in ways.items():
        files[folder / "_choices" / "__init__.py"] = f'{HEAD}"""What parameters choose between."""\n'
        files[folder / "_choices" / f"{parameter}.py"] = choices_module(parameter, choices.values())
        homes |= dict.fromkeys(choices, f"imbcore.{folder.name}._choices.{parameter}")
    for cls in classes:
        specs, taken = _registered(cls, known), of_estimators
        if cls.method in sampler:
            names_taken = OF_SAMPLERS[not sampler[cls.method]["random"] :]
            taken = [option for option in taken if option["name"] in names_taken]
        elif cls.method not in known:
            taken = [option for option in taken if option["name"] in OF_DISCRETIZERS]
        parameters = parameters_of(cls, specs, taken)
        own = {name for name, *_ in parameters} - {spec["name"] for spec in specs} - names
        signatures = cls.folder / "_parameters"
        files[signatures / "__init__.py"] = f'{HEAD}"""Constructors of the classes of this folder."""\n'
        files[signatures / f"{cls.module}.py"] = constructor(
            cls, parameters, frozenset(own), choices_of(specs), homes
        )
    for folder in {cls.folder for cls in classes}:
        files[folder / "__init__.py"] = _door_of(folder, files)
    estimators = {cls.name: cls.folder.name for cls in classes if cls.method not in sampler}
    files[PACKAGE / "_signatures" / "__init__.py"] = names_module(methods, estimators)
    files[PACKAGE / "_signatures" / "__init__.pyi"] = stub(
        methods, every, homes, [PACKAGE / "_api.py", PACKAGE / "_evaluate" / "door.py"]
    )
    readme = ROOT / "README.md"
    files[readme] = _between(readme.read_text(encoding="utf-8"), "methods", _table(methods, classes))
    return files


def _registered(cls: EstimatorClass, known: dict[str, Any]) -> list[dict[str, Any]]:
    """List the parameters of the method of a class; discretisers have some of those of their classifiers."""
    if cls.method in known:
        return list(known[cls.method]["params"])
    specs = {spec["name"]: spec for spec in known["full_bayes"]["params"]}
    ways = {way["class"]: way["params"] for way in specs["discretizer"]["choices"]}
    return [*ways[cls.name], specs["unseen"]]


def _ways(
    classes: list[EstimatorClass], known: dict[str, Any]
) -> dict[tuple[Path, str], dict[str, dict[str, Any]]]:
    """Collect the ways that parameters choose between and that need a class, by folder and parameter."""
    written = {cls.name for cls in classes}
    found: dict[tuple[Path, str], dict[str, dict[str, Any]]] = {}
    for cls in classes:
        for parameter, ways in choices_of(_registered(cls, known)).items():
            for way in ways:
                if way["class"] in written:
                    continue
                here = found.setdefault((cls.folder, parameter), {})
                if here.setdefault(way["class"], way) != way:
                    raise ValueError(f"methods disagree on the parameters of {way['class']}")
    return found


def _by_type(name: str) -> tuple[bool, str]:
    """Order names as linters do: those in capitals first."""
    return not name.isupper(), name


def _door_of(folder: Path, pending: dict[Path, str]) -> str:
    """Compose the file that makes what the modules of a folder have to offer that of the folder."""
    known = folder / "__init__.py"
    purpose = ast.get_docstring(ast.parse(known.read_text(encoding="utf-8"))) if known.exists() else None
    lines, names = [], []
    waiting = {path for path in pending if path.parent == folder and not path.name.startswith("_")}
    waiting |= {path for path in pending if path.parent == folder / "_choices" and path.stem != "__init__"}
    for path in sorted({*folder.glob("[a-z]*.py"), *waiting}):
        own = next(
            ast.literal_eval(node.value)
            for node in ast.parse(pending.get(path) or path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        )
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        shown = sorted(own, key=_by_type)
        line = f"from imbcore.{module} import {', '.join(shown)}"
        wrapped = "".join(f"    {name},\n" for name in shown)
        lines.append(line if len(line) <= 110 else f"from imbcore.{module} import (\n{wrapped})")
        names += own
    listed = "".join(f'    "{name}",\n' for name in sorted(names, key=_by_type))
    return f'"""{purpose}"""\n\n' + "\n".join(lines) + f"\n\n__all__ = [\n{listed}]\n"


def _table(methods: list[dict[str, Any]], classes: list[EstimatorClass]) -> str:
    rows = ["| method | estimator | what it is | source |", "|---|---|---|---|"]
    for method in methods:
        names = " ".join(f"`{cls.name}`" for cls in classes if cls.method == method["name"])
        rows.append(f"| `{method['name']}` | {names} | {method['title']} | {method['source']} |")
    return "\n".join(rows)


def drawn() -> dict[Path, str]:
    """Compose the pages that show the code, the generated part of it too."""
    page = ROOT / "python" / "docs" / "architecture.md"
    diagram = picture(PACKAGE, ROOT / "crates")
    return {page: _between(page.read_text(encoding="utf-8"), "architecture", diagram)}


def _between(page: str, mark: str, text: str) -> str:
    """Put a text between its marks on a page."""
    marks = rf"(<!-- {mark}: `make generate` [^\n]*-->\n).*?(<!-- end of {mark} -->)"
    return re.sub(marks, lambda found: f"{found[1]}{text}\n{found[2]}", page, flags=re.DOTALL)


def _left_over(files: dict[Path, str]) -> list[Path]:
    """Find what was written for classes that are gone."""
    written = [path for folder in GENERATED for path in sorted(PACKAGE.glob(f"*/{folder}/*.py"))]
    return [path for path in written if path not in files]


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
    files = generated(*registry())
    different = _written(files, check=check)
    for path in _left_over(files):
        different.append(path)
        if not check:
            path.unlink()
        print(f"{'left over' if check else 'removed'}: {path.relative_to(ROOT)}")
    different += _written(drawn(), check=check)
    if check and different:
        print("run `make generate`", file=sys.stderr)
    return int(check and bool(different))


if __name__ == "__main__":
    sys.exit(main())

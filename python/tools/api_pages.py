"""Write the pages of the site that list every public name, for `make docs`.

Usage: python python/tools/api_pages.py FOLDER
"""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path

import imbcore
from imbcore._signatures import ESTIMATORS

# A page each, in the order of the site; families are imported from the top.
FAMILIES = {
    "trees": "Trees",
    "ensembles": "Ensembles",
    "boxes": "Box drawings",
    "bayes": "Bayesian network classifiers",
    "decompositions": "Several classes as tasks of two",
    "discretization": "Discretisation",
}
MODULES = {
    "sampling": "Sampling",
    "decisions": "Decisions, calibration, guarantees",
    "costs": "Costs",
    "metrics": "Metrics",
    "stats": "Statistical tests",
    "plotting": "Pictures",
    "protocols": "Protocols",
    "datasets": "Data sets",
    "reproduce": "The papers, run again",
    "exceptions": "Exceptions",
}


def main() -> None:
    """Write a page a topic, and the page that lists them."""
    folder = Path(sys.argv[1]) / "api"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"imbcore": page("imbcore", "Functions and models", doors())}
    for family, title in FAMILIES.items():
        names = [f"imbcore.{name}" for name, home in ESTIMATORS.items() if home.split(".")[0] == family]
        pages[family] = page(family, title, names)
    for module, title in MODULES.items():
        public = importlib.import_module(f"imbcore.{module}").__all__
        pages[module] = page(module, title, [f"imbcore.{module}.{name}" for name in public])
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    lines = [*heading("API reference"), ".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in pages), ""]
    (folder / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def doors() -> list[str]:
    """Name what the top of the library has beside estimators and modules."""
    elsewhere = {*ESTIMATORS, *MODULES, *importlib.import_module("imbcore.exceptions").__all__}
    names = [name for name in imbcore.__all__ if name not in elsewhere and not name.startswith("_")]
    documented = [name for name in names if inspect.isroutine(getattr(imbcore, name)) or inspect.isclass(getattr(imbcore, name))]
    return [f"imbcore.{name}" for name in documented]


def heading(title: str) -> list[str]:
    """Write a title."""
    return [title, "=" * len(title), ""]


def page(name: str, title: str, names: list[str]) -> str:
    """Write a page whose table leads to a page for every name."""
    table = [".. autosummary::", "   :toctree: .", "   :nosignatures:", "", *(f"   {name}" for name in names)]
    return "\n".join([*heading(title), *table, ""])


if __name__ == "__main__":
    main()

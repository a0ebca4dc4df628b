"""Write the pages of the site that list every public name, for `make docs`.

Usage: python python/tools/api_pages.py FOLDER
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

import imbcore
from imbcore import _model
from imbcore._signatures import ESTIMATORS

# One page each, in the order of the site; classifiers of families are imported from the top-level package.
FAMILIES = {
    "trees": "Trees",
    "ensembles": "Ensembles",
    "boxes": "Box drawings",
    "bayes": "Bayesian network classifiers",
    "linear": "Logistic regression",
    "networks": "Bayesian networks",
    "decompositions": "Multi-class decompositions",
    "discretization": "Discretization",
}
MODULES = {
    "sampling": "Sampling",
    "decisions": "Decisions, calibration, guarantees",
    "costs": "Costs",
    "metrics": "Metrics",
    "stats": "Statistical tests",
    "plotting": "Plots",
    "evaluation": "Evaluation and comparison",
    "datasets": "Data sets",
    "dask": "Forests on a Dask cluster",
    "mlflow": "MLflow",
    "exceptions": "Exceptions",
}


def main() -> None:
    """Write one page per topic, and the page that lists them."""
    folder = Path(sys.argv[1]) / "api"
    folder.mkdir(parents=True, exist_ok=True)
    top_level = entry_points()
    pages = {"imbcore": page("Functions and models", top_level)}
    for module, title in (FAMILIES | MODULES).items():
        there = importlib.import_module(f"imbcore.{module}")
        # An object that is also public at the top level has one page, there.
        classes = [name for name, home in ESTIMATORS.items() if home.split(".")[0] == module]
        shared = {name for name in documented(there) if getattr(imbcore, name, None) is getattr(there, name)}
        top = {*top_level, *(f"imbcore.{name}" for name in ESTIMATORS)}
        own = [name for name in documented(there) if name not in shared or f"imbcore.{name}" not in top]
        names = [f"imbcore.{name}" for name in classes] + [f"imbcore.{module}.{name}" for name in own]
        pages[module] = page(title, names, docstring_of(there))
    pages["models"] = model_families()
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    listed = [".. toctree::", "   :maxdepth: 1", "", *(f"   {name}" for name in pages), ""]
    (folder / "index.rst").write_text("\n".join([*heading("API reference"), *listed]), encoding="utf-8")


def entry_points() -> list[str]:
    """List the top-level names other than estimators, modules and exceptions."""
    elsewhere = {*ESTIMATORS, *importlib.import_module("imbcore.exceptions").__all__}
    return [f"imbcore.{name}" for name in documented(imbcore, imbcore._HOME) if name not in elsewhere]


def model_families() -> str:
    """Describe the classes of fitted models in one page, without their common methods."""
    lines = heading("Models by family")
    lines += ["These classes of fitted models add methods to :class:`imbcore.Model`.", ""]
    for name in documented(_model):
        if name != "Model":
            lines += [f".. autoclass:: imbcore._model.{name}", "   :inherited-members: Model", ""]
    return "\n".join(lines)


def documented(module: ModuleType, names: Iterable[str] = ()) -> list[str]:
    """List the functions and classes of a module; its docstring describes its constants."""
    public = {name: getattr(module, name) for name in names or module.__all__}
    return [name for name, value in public.items() if inspect.isroutine(value) or inspect.isclass(value)]


def docstring_of(module: ModuleType) -> list[str]:
    """Include the docstring of a module."""
    within = ".. py:currentmodule:: {}"
    return [within.format(module.__name__), "", inspect.getdoc(module) or "", "", within.format(None), ""]


def heading(title: str) -> list[str]:
    """Write a title."""
    return [title, "=" * len(title), ""]


def page(title: str, names: list[str], text: Sequence[str] = ()) -> str:
    """Write a page whose table links to a page per name."""
    table = [".. autosummary::", "   :toctree: .", "   :nosignatures:", "", *(f"   {name}" for name in names)]
    return "\n".join([*heading(title), *text, *table, ""])


if __name__ == "__main__":
    main()

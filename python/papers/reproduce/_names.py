"""Modules of the experiments; each is imported when it is needed."""

from __future__ import annotations

from importlib import import_module

from imbcore.exceptions import ParameterError
from reproduce._experiment import Experiment

__all__ = ["find", "names"]

MODULES: dict[str, tuple[str, ...]] = {
    "_beat": ("beat-table1",),
    "_beat_figures": ("beat-figure1", "beat-figure2"),
    "_hddt": ("hddt-table1", "hddt-table2"),
    "_hddt_figure": ("hddt-figure1",),
    "_svr": ("svr-table2", "svr-table3"),
    "_svr_figures": ("svr-figures",),
    "_boxes": (
        "boxes-table2",
        "boxes-table3",
        "boxes-table4",
        "boxes-table5",
        "boxes-figures",
        "boxes-glass2-rule",
    ),
    "_thesis": (*(f"thesis-table{number}" for number in range(1, 7)), "thesis-figures"),
}


def names() -> tuple[str, ...]:
    """List the experiments of :func:`reproduce`, paper by paper."""
    return tuple(name for of_module in MODULES.values() for name in of_module)


def find(name: str) -> Experiment:
    """Return an experiment by name.

    Raises
    ------
    ParameterError
        No experiment has this name.
    """
    for module, known in MODULES.items():
        if name in known:
            found: tuple[Experiment, ...] = import_module(f"reproduce.{module}").EXPERIMENTS
            return {experiment.name: experiment for experiment in found}[name]
    raise ParameterError(f"no experiment {name!r}; available are: {', '.join(names())}")

"""The native module: the one place that imports it, and tells it how to start a solver."""

from imbcore._border.solver import command
from imbcore._imbcore import (
    boxes,
    committees,
    costs,
    data,
    decisions,
    decompositions,
    discretization,
    metrics,
    models,
    networks,
    protocols,
    sampling,
    solver,
    stats,
    trees,
    version,
)

__all__ = [
    "boxes",
    "committees",
    "costs",
    "data",
    "decisions",
    "decompositions",
    "discretization",
    "metrics",
    "models",
    "networks",
    "protocols",
    "sampling",
    "solver",
    "stats",
    "trees",
    "version",
]

solver.set_command(command())

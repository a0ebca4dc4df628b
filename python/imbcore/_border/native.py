"""Import of the native module, and configuration of the solver command."""

from imbcore._border.solver import command
from imbcore._imbcore import (
    boxes,
    costs,
    data,
    decisions,
    decompositions,
    discretization,
    ensembles,
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
    "costs",
    "data",
    "decisions",
    "decompositions",
    "discretization",
    "ensembles",
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

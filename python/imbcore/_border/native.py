"""Import of the native module, and configuration of the solver command."""

from imbcore._border.solver import command
from imbcore._imbcore import (
    boxes,
    check_thread_memory,
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
    "check_thread_memory",
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

"""The native core, a module a topic.

Class codes are ``0..n_classes - 1``; level code 4294967295 is a missing value.
"""

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
)

__all__ = [
    "boxes",
    "check_thread_memory",
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

def check_thread_memory(n_bytes: int) -> None: ...
def version() -> str: ...

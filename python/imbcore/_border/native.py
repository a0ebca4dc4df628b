"""The native module: the one place that imports it, and tells it how to start a solver."""

from imbcore._border import solver
from imbcore._imbcore import *  # noqa: F403 -- its stub is the list of what it holds
from imbcore._imbcore import set_solver

set_solver(solver.command())

"""Import of the native module, and configuration of the solver command."""

from imbcore._bindings.solver import solver_process_command
from imbcore._imbcore import boxes as boxes
from imbcore._imbcore import check_thread_memory as check_thread_memory
from imbcore._imbcore import costs as costs
from imbcore._imbcore import data as data
from imbcore._imbcore import decisions as decisions
from imbcore._imbcore import decompositions as decompositions
from imbcore._imbcore import discretization as discretization
from imbcore._imbcore import ensembles as ensembles
from imbcore._imbcore import metrics as metrics
from imbcore._imbcore import models as models
from imbcore._imbcore import networks as networks
from imbcore._imbcore import protocols as protocols
from imbcore._imbcore import sampling as sampling
from imbcore._imbcore import solver as solver
from imbcore._imbcore import stats as stats
from imbcore._imbcore import trees as trees
from imbcore._imbcore import version as version

solver.set_command(solver_process_command())

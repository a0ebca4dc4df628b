//! Solver process: a second Python interpreter that runs this module.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Sets the command (program and arguments) that starts the solver process.
#[pyfunction]
pub(crate) fn set_command(command: Vec<OsString>) {
    imbcore_solver::set_solver_command(command);
}

/// Runs in the solver process: solves one request, and exits the process.
#[pyfunction]
pub(crate) fn serve(py: Python<'_>) {
    std::process::exit(py.detach(imbcore_solver::serve_request))
}

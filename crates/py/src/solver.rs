//! The solver process of a Python program: another interpreter that runs this module.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Says by which program and arguments the solver process is started.
#[pyfunction]
pub(crate) fn set_command(command: Vec<OsString>) {
    imbcore_mip::set_solver(command);
}

/// Is the solver process: answers one request on standard input, and does not return.
#[pyfunction]
pub(crate) fn serve(py: Python<'_>) {
    std::process::exit(py.detach(imbcore_mip::serve))
}

//! The solver process of a Python program: another interpreter that runs this module.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Says by which program and arguments the solver process is started.
#[pyfunction]
fn set_solver(command: Vec<OsString>) {
    imbcore_mip::set_solver(command);
}

/// Is the solver process: answers one request on standard input, and does not return.
#[pyfunction]
fn _solver_main(py: Python<'_>) {
    std::process::exit(py.detach(imbcore_mip::serve))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(set_solver, module)?)?;
    module.add_function(wrap_pyfunction!(_solver_main, module)?)
}

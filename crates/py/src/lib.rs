//! The native module `imbcore._imbcore`: no algorithm, no formula, no default value.
#![forbid(unsafe_code)]

mod arrays;
mod bayes;
mod border;
mod boxes;
mod compare;
mod costs;
mod crew;
mod decompose;
mod discretize;
mod exact_boxes;
mod measure;
mod model;
mod network;
mod network_input;
mod parcels;
mod prune;
mod rules;
mod sample;
mod solver;
mod svr;
mod synth;
mod table;

use pyo3::prelude::*;

/// Native core of imbcore.
#[pymodule]
fn _imbcore(module: &Bound<'_, PyModule>) -> PyResult<()> {
    border::register(module)?;
    bayes::register(module)?;
    boxes::register(module)?;
    exact_boxes::register(module)?;
    compare::register(module)?;
    costs::register(module)?;
    decompose::register(module)?;
    discretize::register(module)?;
    measure::register(module)?;
    model::register(module)?;
    network::register(module)?;
    prune::register(module)?;
    rules::register(module)?;
    sample::register(module)?;
    solver::register(module)?;
    svr::register(module)?;
    synth::register(module)?;
    table::register(module)
}

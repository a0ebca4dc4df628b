//! Simulated data.

use crate::border::quick;
use imbcore_base::SeedKey;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Points, row by row, and the class of each.
type Labelled<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>);

#[pyfunction]
fn four_gaussians(py: Python<'_>, n_samples: [u32; 4], side: f64, seed: u64) -> PyResult<Labelled<'_>> {
    let found = quick(py, || imbcore_data::four_gaussians(n_samples, side, SeedKey::root(seed)))?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), 2])?;
    Ok((points, PyArray1::from_vec(py, found.classes)))
}

/// Points of a shape; None for a seed: as published.
#[pyfunction]
fn shape<'py>(py: Python<'py>, name: &str, seed: Option<u64>, redraw: bool) -> PyResult<Labelled<'py>> {
    let found = quick(py, || imbcore_data::shape(name, seed.map(SeedKey::root), redraw))?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), found.n_features])?;
    Ok((points, PyArray1::from_vec(py, found.classes)))
}

/// Adds everything in this file to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(shape, module)?)?;
    module.add_function(wrap_pyfunction!(four_gaussians, module)?)
}

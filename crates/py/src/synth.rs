//! Simulated data.

use crate::border::{quick, run};
use imbcore_base::{Error, SeedKey};
use imbcore_data::{DisjunctGrid, GridNames};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Points, row by row, and the class of each.
type Labelled<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>);

#[pyfunction]
pub(crate) fn four_gaussians(
    py: Python<'_>,
    n_samples: [u32; 4],
    side: f64,
    seed: u64,
) -> PyResult<Labelled<'_>> {
    let key = SeedKey::root(seed);
    let found = run(py, None, 1, |ctl| imbcore_data::four_gaussians(n_samples, side, key, ctl))?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), 2])?;
    Ok((points, PyArray1::from_vec(py, found.classes)))
}

/// A disjunct grid, a dict with these entries.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GridArg {
    complexity: u32,
    minority_share: f64,
    interclass: f64,
    overlap: f64,
    reading: String,
    clusters: String,
    width: f64,
    /// `make_disjunct_grid` or `make_disjuncts`, which has the classes of the squares exchanged.
    face: String,
}

const GRID: GridNames =
    GridNames { caller: "make_disjunct_grid", share: "minority_share", reading: "reading" };
const DISJUNCTS: GridNames = GridNames { caller: "make_disjuncts", share: "imbalance", reading: "form" };

/// Points of a disjunct grid, and their classes and clusters.
#[pyfunction]
#[pyo3(signature = (n_samples, grid, seed))]
#[allow(clippy::type_complexity)]
pub(crate) fn disjunct_grid(
    py: Python<'_>,
    n_samples: u32,
    grid: GridArg,
    seed: u64,
) -> PyResult<(Bound<'_, PyArray2<f64>>, Bound<'_, PyArray1<u32>>, Bound<'_, PyArray1<u32>>)> {
    let GridArg { complexity, minority_share, interclass, overlap, reading, clusters, width, face } = grid;
    let (names, lower_left, first) =
        if face == GRID.caller { (GRID, 1, "power") } else { (DISJUNCTS, 0, "geometric") };
    let found = run(py, None, 1, |ctl| {
        let reading = serde_json::from_value(reading.as_str().into()).map_err(|_| {
            let expected = format!("\"{first}\", \"shifted\" or \"literal\"");
            Error::parameter(names.caller, names.reading, &expected, format!("{reading:?}"))
        })?;
        let clusters = serde_json::from_value(clusters.as_str().into()).map_err(|_| {
            Error::parameter(names.caller, "clusters", "\"per_class\" or \"total\"", format!("{clusters:?}"))
        })?;
        let grid = DisjunctGrid {
            complexity,
            clusters,
            width,
            lower_left,
            names,
            minority_share,
            interclass,
            overlap,
            reading,
        };
        grid.draw(n_samples, SeedKey::root(seed), ctl)
    })?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), 2])?;
    Ok((points, PyArray1::from_vec(py, found.classes), PyArray1::from_vec(py, found.clusters)))
}

/// Points of a shape; None for a seed: as published.
#[pyfunction]
pub(crate) fn shape<'py>(
    py: Python<'py>,
    name: &str,
    seed: Option<u64>,
    redraw: bool,
) -> PyResult<Labelled<'py>> {
    let found = quick(py, || imbcore_data::shape(name, seed.map(SeedKey::root), redraw))?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), found.n_features])?;
    Ok((points, PyArray1::from_vec(py, found.classes)))
}

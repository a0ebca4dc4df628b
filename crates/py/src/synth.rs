//! Simulated data.

use crate::calls::{run_short, run_without_gil};
use imbcore_core::{Error, SeedKey};
use imbcore_data::CheckerboardParams;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Coordinates of points, with a row per point, and the classes of the points.
type LabeledPoints<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>);

#[pyfunction]
pub(crate) fn four_gaussians(
    py: Python<'_>,
    n_samples: [u32; 4],
    side: f64,
    seed: u64,
) -> PyResult<LabeledPoints<'_>> {
    let key = SeedKey::root(seed);
    let found =
        run_without_gil(py, None, 1, |ctl| imbcore_data::draw_four_gaussians(n_samples, side, key, ctl))?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), 2])?;
    Ok((points, PyArray1::from_vec(py, found.classes)))
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GridArg {
    complexity: u32,
    minority_fraction: f64,
    interclass: f64,
    overlap: f64,
    variant: String,
    clusters: String,
    width: f64,
}

/// Random checkerboard data: points, their classes, and their clusters.
#[pyfunction]
#[pyo3(signature = (n_samples, grid, seed))]
#[allow(clippy::type_complexity)]
pub(crate) fn disjunct_grid(
    py: Python<'_>,
    n_samples: u32,
    grid: GridArg,
    seed: u64,
) -> PyResult<(Bound<'_, PyArray2<f64>>, Bound<'_, PyArray1<u32>>, Bound<'_, PyArray1<u32>>)> {
    let GridArg { complexity, minority_fraction, interclass, overlap, variant, clusters, width } = grid;
    let found = run_without_gil(py, None, 1, |ctl| {
        let unknown = |name, expected, got: &str| {
            Error::parameter("make_disjunct_grid", name, expected, format!("{got:?}"))
        };
        let grid = CheckerboardParams {
            complexity,
            clusters: serde_json::from_value(clusters.as_str().into())
                .map_err(|_| unknown("clusters", "\"per_class\" or \"total\"", &clusters))?,
            width,
            lower_left: 1,
            minority_fraction,
            interclass,
            overlap,
            variant: serde_json::from_value(variant.as_str().into())
                .map_err(|_| unknown("variant", "\"power\", \"shifted\" or \"literal\"", &variant))?,
        };
        grid.draw_points(n_samples, SeedKey::root(seed), ctl)
    })?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), 2])?;
    Ok((points, PyArray1::from_vec(py, found.classes), PyArray1::from_vec(py, found.clusters)))
}

/// Points and classes of a named shape: random with a seed, otherwise the published points.
#[pyfunction]
pub(crate) fn shape<'py>(
    py: Python<'py>,
    name: &str,
    seed: Option<u64>,
    redraw: bool,
) -> PyResult<LabeledPoints<'py>> {
    let found = run_short(py, || imbcore_data::generate_shape_points(name, seed.map(SeedKey::root), redraw))?;
    let points = PyArray1::from_vec(py, found.points).reshape([found.classes.len(), found.n_features])?;
    Ok((points, PyArray1::from_vec(py, found.classes)))
}

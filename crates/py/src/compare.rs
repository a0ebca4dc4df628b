//! Comparison of classifiers: shared folds, and metric surfaces over the ROC square.

// PyO3 passes arguments by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::slice;
use crate::border::quick;
use imbcore_core::{SeedKey, nearest};
use imbcore_methods::Quantity;
use imbcore_metrics as eval;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

type Codes<'py> = PyReadonlyArray1<'py, u32>;
type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type FloatArray<'py> = Bound<'py, PyArray1<f64>>;

/// Values of a metric at points (fpr, tpr); `quantity` is JSON.
#[pyfunction]
pub(crate) fn roc_surface<'py>(
    py: Python<'py>,
    quantity: &str,
    skew: f64,
    fpr: Numbers<'_>,
    tpr: Numbers<'_>,
) -> PyResult<FloatArray<'py>> {
    let (fpr, tpr) = (slice(&fpr), slice(&tpr));
    let values = quick(py, || Quantity::from_json(quantity)?.values(skew, &fpr, &tpr))?;
    Ok(PyArray1::from_vec(py, values))
}

/// Difference of the surface at each of `skews` from the surface at balanced classes.
///
/// `quantity` is JSON.
#[pyfunction]
pub(crate) fn skew_sensitivity<'py>(
    py: Python<'py>,
    quantity: &str,
    skews: Numbers<'_>,
    points: u32,
) -> PyResult<FloatArray<'py>> {
    let skews = slice(&skews);
    let values = quick(py, || Quantity::from_json(quantity)?.sensitivity(&skews, points))?;
    Ok(PyArray1::from_vec(py, values))
}

/// Test fold number of every row.
#[pyfunction]
pub(crate) fn stratified_folds<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    k: u32,
    repeat: u32,
    seed: u64,
    layout: &str,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let codes = slice(&codes);
    let folds = quick(py, || match layout {
        "deal" => eval::stratified_folds(&codes, k, repeat, SeedKey::root(seed)),
        "blocks" => eval::block_folds(&codes, k, repeat, SeedKey::root(seed)),
        _ => Err(nearest("layout", layout, ["deal", "blocks"])),
    })?;
    Ok(PyArray1::from_vec(py, folds))
}

/// Test rows of a stratified split, ascending.
#[pyfunction]
pub(crate) fn stratified_split<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    test_fraction: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let codes = slice(&codes);
    let rows = quick(py, || eval::stratified_split(&codes, test_fraction, SeedKey::root(seed)))?;
    Ok(PyArray1::from_vec(py, rows))
}

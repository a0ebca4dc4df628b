//! Folds for comparisons of classifiers, and values of metrics in the ROC plane.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::contiguous_values;
use crate::calls::run_short;
use crate::training_args::DependenceArg;
use imbcore_core::{RunContext, SeedKey, unknown_name_error};
use imbcore_methods::IsometricQuantity;
use imbcore_metrics::{self as eval, CvSplits, HeldOutSplit, LatestFolds};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

type Codes<'py> = PyReadonlyArray1<'py, u32>;
type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type FloatArray<'py> = Bound<'py, PyArray1<f64>>;

/// Values of a metric at points of the ROC plane: false and true positive rates.
///
/// `skew` is the number of negative rows per positive row, and `quantity` describes the metric as JSON.
#[pyfunction]
pub(crate) fn roc_surface<'py>(
    py: Python<'py>,
    quantity: &str,
    skew: f64,
    fpr: Numbers<'_>,
    tpr: Numbers<'_>,
) -> PyResult<FloatArray<'py>> {
    let (fpr, tpr) = (contiguous_values(&fpr), contiguous_values(&tpr));
    let values = run_short(py, || IsometricQuantity::from_json(quantity)?.values(skew, &fpr, &tpr))?;
    Ok(PyArray1::from_vec(py, values))
}

/// Mean absolute difference of a metric from its values for balanced classes, for each skew.
///
/// A skew is a number of negative rows per positive row. The mean is over a grid of points of the ROC plane.
/// For each skew, the values are divided by their maximum. `quantity` describes the metric as JSON.
#[pyfunction]
pub(crate) fn skew_sensitivity<'py>(
    py: Python<'py>,
    quantity: &str,
    skews: Numbers<'_>,
    points: u32,
) -> PyResult<FloatArray<'py>> {
    let skews = contiguous_values(&skews);
    let values = run_short(py, || IsometricQuantity::from_json(quantity)?.skew_sensitivity(&skews, points))?;
    Ok(PyArray1::from_vec(py, values))
}

/// For each row, the index of the test fold that contains it.
#[pyfunction]
pub(crate) fn stratified_folds<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    k: u32,
    repeat: u32,
    seed: u64,
    layout: &str,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let codes = contiguous_values(&codes);
    let folds = run_short(py, || match layout {
        "deal" => eval::stratified_folds(&codes, k, repeat, SeedKey::root(seed)),
        "blocks" => eval::stratified_block_folds(&codes, k, repeat, SeedKey::root(seed)),
        _ => Err(unknown_name_error("layout", layout, ["deal", "blocks"])),
    })?;
    Ok(PyArray1::from_vec(py, folds))
}

type SplitRows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

fn split_rows(py: Python<'_>, train: Vec<u32>, test: Vec<u32>) -> SplitRows<'_> {
    let array = |rows: Vec<u32>| PyArray1::from_iter(py, rows.into_iter().map(i64::from));
    (array(train), array(test))
}

/// Training and test rows of each inner fold, for rows with groups or times.
///
/// If `only_latest` is true and the folds follow time, only the latest folds are returned. They are as few as
/// possible, but together have enough test rows of every class.
#[pyfunction]
pub(crate) fn inner_folds<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    dependence: DependenceArg<'_>,
    folds: u32,
    seed: u64,
    only_latest: bool,
    period: Option<f64>,
) -> PyResult<Vec<SplitRows<'py>>> {
    let (codes, parts) = (contiguous_values(&codes), dependence.parts()?);
    let splits = run_short(py, || {
        let dependence = parts.to_row_dependence(codes.len())?;
        let splits =
            CvSplits::inner_folds(&codes, dependence, folds, SeedKey::root(seed), RunContext::silent())?;
        let times = dependence.times().map(|times| times.values);
        let wanted = LatestFolds { periods: times.zip(period), ..LatestFolds::default() };
        Ok(if only_latest { splits.keep_latest_folds(&codes, wanted) } else { splits })
    })?;
    let rows = |(repeat, fold)| {
        let (train, test) = splits.train_and_test_rows(repeat, fold);
        split_rows(py, train, test)
    };
    Ok(splits.tested_folds().into_iter().map(rows).collect())
}

/// Training rows and held-out rows of a single split.
///
/// The held-out rows are the latest rows. Without times they are random groups, or random rows of each class
/// if there are no groups either.
#[pyfunction]
pub(crate) fn held_out_split<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    positive: u32,
    dependence: DependenceArg<'_>,
    fraction: f64,
    seed: u64,
) -> PyResult<SplitRows<'py>> {
    let (codes, parts) = (contiguous_values(&codes), dependence.parts()?);
    let HeldOutSplit { train, test } = run_short(py, || {
        let dependence = parts.to_row_dependence(codes.len())?;
        HeldOutSplit::new(&codes, positive, dependence, fraction, SeedKey::root(seed))
    })?;
    Ok(split_rows(py, train, test))
}

/// Test rows of a stratified split, ascending.
#[pyfunction]
pub(crate) fn stratified_split<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    test_fraction: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let codes = contiguous_values(&codes);
    let rows = run_short(py, || eval::stratified_split(&codes, test_fraction, SeedKey::root(seed)))?;
    Ok(PyArray1::from_vec(py, rows))
}

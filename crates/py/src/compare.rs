//! Comparing classifiers: shared folds, tests, and surfaces over the ROC square.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::slice;
use crate::border::quick;
use imbcore_base::{SeedKey, nearest};
use imbcore_eval::{self as eval, Alternative, Law, PostHoc, Zeros};
use imbcore_methods::Quantity;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

type Codes<'py> = PyReadonlyArray1<'py, u32>;
type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type Out<'py> = Bound<'py, PyArray1<f64>>;
type Ranked<'py> = (Bound<'py, PyArray2<f64>>, Out<'py>, f64, [f64; 8]);

fn post_hoc(test: &str) -> imbcore_base::Result<PostHoc> {
    match test {
        "nemenyi" => Ok(PostHoc::Nemenyi),
        "bonferroni-dunn" => Ok(PostHoc::BonferroniDunn),
        _ => Err(nearest("test", test, ["nemenyi", "bonferroni-dunn"])),
    }
}

/// (ranks, average ranks, tie factor, [chi2, p, F, p, corrected chi2, p, corrected F, p]).
#[pyfunction]
pub(crate) fn friedman<'py>(py: Python<'py>, table: PyReadonlyArray2<'_, f64>) -> PyResult<Ranked<'py>> {
    let (n_sets, n_methods) = (table.shape()[0], table.shape()[1]);
    let values: Vec<f64> = table.as_array().iter().copied().collect();
    let found = quick(py, || eval::Friedman::new(&values, n_methods))?;
    let tested = [found.chi2, found.f, found.chi2_ties, found.f_ties];
    let numbers = std::array::from_fn(|i| if i % 2 == 0 { tested[i / 2].statistic } else { tested[i / 2].p });
    let ranks = PyArray1::from_vec(py, found.ranks).reshape([n_sets, n_methods])?;
    Ok((ranks, PyArray1::from_vec(py, found.average_ranks), found.tie_factor, numbers))
}

#[pyfunction]
pub(crate) fn critical_difference(
    py: Python<'_>,
    n_methods: usize,
    n_sets: usize,
    level: f64,
    test: &str,
) -> PyResult<f64> {
    quick(py, || post_hoc(test)?.critical_difference(n_methods, n_sets, level))
}

/// (number ranked, rank sum of positive, of negative differences, p, whether p is exact).
#[pyfunction]
pub(crate) fn wilcoxon(
    py: Python<'_>,
    differences: Numbers<'_>,
    zeros: &str,
    law: &str,
    alternative: &str,
) -> PyResult<(usize, f64, f64, f64, bool)> {
    let differences = slice(&differences);
    let found = quick(py, || {
        let (zeros, law) = (Zeros::parse(zeros)?, Law::parse(law)?);
        eval::wilcoxon(&differences, zeros, law, Alternative::parse(alternative)?)
    })?;
    Ok((found.n, found.plus, found.minus, found.p, found.exact))
}

/// (wins, losses, ties, p).
#[pyfunction]
pub(crate) fn sign_test(
    py: Python<'_>,
    differences: Numbers<'_>,
    alternative: &str,
) -> PyResult<(usize, usize, usize, f64)> {
    let differences = slice(&differences);
    let found = quick(py, || eval::sign_test(&differences, Alternative::parse(alternative)?))?;
    Ok((found.wins, found.losses, found.ties, found.p))
}

#[pyfunction]
pub(crate) fn hodges_lehmann(py: Python<'_>, differences: Numbers<'_>) -> PyResult<f64> {
    let differences = slice(&differences);
    quick(py, || eval::hodges_lehmann(&differences))
}

/// Worth of every point (fpr, tpr); `quantity` is JSON.
#[pyfunction]
pub(crate) fn roc_surface<'py>(
    py: Python<'py>,
    quantity: &str,
    skew: f64,
    fpr: Numbers<'_>,
    tpr: Numbers<'_>,
) -> PyResult<Out<'py>> {
    let (fpr, tpr) = (slice(&fpr), slice(&tpr));
    let values = quick(py, || Quantity::from_json(quantity)?.at(skew, &fpr, &tpr))?;
    Ok(PyArray1::from_vec(py, values))
}

/// Test-fold number of every row.
#[pyfunction]
pub(crate) fn stratified_folds<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    k: u32,
    repeat: u32,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let codes = slice(&codes);
    let folds = quick(py, || eval::stratified_folds(&codes, k, repeat, SeedKey::root(seed)))?;
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

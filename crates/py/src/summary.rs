//! Summaries of scores over folds, and fractions of positive predictions.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::error_to_exception;
use imbcore_core::Error;
use imbcore_metrics as eval;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type PredictionMatrix<'py> = PyReadonlyArray2<'py, bool>;

/// Mean, sample standard deviation and number of the values that are not NaN.
#[pyfunction]
pub(crate) fn spread(values: PyReadonlyArray1<'_, f64>) -> (f64, f64, usize) {
    let found = eval::mean_and_sd(&values.as_array().to_vec());
    (found.mean, found.sd, found.n)
}

/// Index of the setting with the largest mean score; the first on ties.
///
/// `scores` has a row per fold and a column per setting. Also returns the means and standard deviations of
/// the scores over the folds.
#[pyfunction]
pub(crate) fn best_setting<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray2<'py, f64>,
) -> (usize, Numbers<'py>, Numbers<'py>) {
    let scores: Vec<Vec<f64>> = scores.as_array().outer_iter().map(|fold| fold.to_vec()).collect();
    let found = eval::choose_setting(&scores, eval::ChoiceRule::FirstBest);
    (found.step, found.mean.into_pyarray(py), found.sd.into_pyarray(py))
}

/// Fraction of the classifiers that predict the positive class, for every data row.
///
/// `answers` states which predictions are positive. It has a row for each classifier, and a column for each
/// data row.
#[pyfunction]
pub(crate) fn agreement<'py>(py: Python<'py>, answers: PredictionMatrix<'py>) -> Numbers<'py> {
    let columns = answers.as_array();
    let fraction = |case: Vec<bool>| eval::weighted_fraction(&case, |_| 1.0);
    columns.columns().into_iter().map(|case| fraction(case.to_vec())).collect::<Vec<_>>().into_pyarray(py)
}

/// True and false positive rates of each classifier, by row weights.
///
/// A true positive rate is NaN if positive rows have no weight, and a false positive rate if negative rows
/// have none.
#[pyfunction]
#[pyo3(signature = (answers, truth, sample_weight))]
pub(crate) fn positive_rates<'py>(
    py: Python<'py>,
    answers: PredictionMatrix<'py>,
    truth: PyReadonlyArray1<'py, bool>,
    sample_weight: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let (answers, truth) = (answers.as_array(), truth.as_array());
    let weights = sample_weight.as_ref().map(PyReadonlyArray1::as_array);
    let n_cases = answers.ncols();
    if truth.len() != n_cases || weights.is_some_and(|weights| weights.len() != n_cases) {
        return Err(error_to_exception(Error::Internal(
            "answers, truth and weights are of different lengths".into(),
        )));
    }
    let rates = |value: bool| {
        let weight = |case: usize| {
            let own = weights.map_or(1.0, |weights| weights[case]);
            if truth[case] == value { own } else { 0.0 }
        };
        let rate = |judge: Vec<bool>| eval::weighted_fraction(&judge, weight);
        answers.rows().into_iter().map(|judge| rate(judge.to_vec())).collect::<Vec<_>>().into_pyarray(py)
    };
    Ok((rates(true), rates(false)))
}

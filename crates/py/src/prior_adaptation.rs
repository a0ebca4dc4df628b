//! Estimation of class priors, and models adapted to other class priors or thresholds.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::{FrameArg, contiguous_values};
use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::json_document::document_to_python;
use crate::metrics::{Codes, FloatArray, Matrix, Numbers, row_major_values};
use crate::models::families::model_to_python;
use crate::models::model::Model;
use imbcore_core::{Dataset, Error, RunContext, unknown_name_error};
use imbcore_methods::PriorEstimation;
use imbcore_metrics as eval;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::Value;

/// Adapts a model to other class proportions, given as `prior` or estimated from `frame`.
///
/// If `prior` is `None`, the proportions are estimated from the rows of `frame`. `labeled` has rows with
/// known classes that were not used in the fit. Without `labeled`, the method "bbse" uses the out-of-bag
/// predictions of the model.
#[pyfunction]
#[pyo3(signature = (model, frame, method, labeled, prior, n_threads))]
pub(crate) fn correct_prior<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    frame: Option<FrameArg<'_>>,
    method: &str,
    labeled: Option<(FrameArg<'_>, Codes<'_>)>,
    prior: Option<Vec<f64>>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let model = &model.get().0;
    let frame = frame.as_ref().map(FrameArg::frame).transpose().map_err(error_to_exception)?;
    let codes = labeled.as_ref().map(|(_, codes)| contiguous_values(codes));
    let known = labeled.as_ref().map(|(frame, _)| frame.frame()).transpose().map_err(error_to_exception)?;
    let adapted = run_without_gil(py, None, n_threads, |ctl| {
        let labeled = match (known, &codes) {
            (Some(known), Some(codes)) => {
                Some(Dataset::with_single_class_allowed(known, codes, model.n_classes(), None)?)
            }
            _ => None,
        };
        let how = match (method, &prior) {
            (_, Some(prior)) => PriorEstimation::Given(prior),
            ("em", None) => PriorEstimation::Em,
            ("bbse", None) => PriorEstimation::Bbse(labeled.as_ref()),
            _ => return Err(unknown_name_error("method", method, ["em", "bbse"])),
        };
        model.adapt_to_new_prior(frame.as_ref(), how, ctl)
    })?;
    model_to_python(py, adapted)
}

/// Details of the adaptation of a model to other class proportions, if it was adapted.
#[pyfunction]
pub(crate) fn prior_adaptation<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(found) = model.get().0.prior_adaptation() else { return Ok(None) };
    json_result_to_python(py, serde_json::to_value(found)).map(Some)
}

fn json_result_to_python(py: Python<'_>, found: serde_json::Result<Value>) -> PyResult<Bound<'_, PyAny>> {
    let value = found.map_err(|error| error_to_exception(Error::Internal(error.to_string())))?;
    document_to_python(py, &value)
}

#[pyfunction]
pub(crate) fn with_threshold<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    at: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let model = &model.get().0;
    model_to_python(py, run_short(py, || model.with_threshold(at))?)
}

/// Weighted class proportions of the training rows; empty if they are unknown.
#[pyfunction]
pub(crate) fn training_priors(model: &Bound<'_, Model>) -> Vec<f64> {
    model.get().0.training_priors().to_vec()
}

/// Number of groups in the training rows of a forest; 0 if it was fitted without groups.
#[pyfunction]
pub(crate) fn n_training_groups(model: &Bound<'_, Model>) -> usize {
    model.get().0.n_training_groups()
}

/// Class proportions estimated by the EM algorithm, with confidence intervals.
#[pyfunction]
pub(crate) fn estimate_prior_em<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    known: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (proba, _) = row_major_values(&proba);
    let found = run_without_gil(py, None, 1, |ctl: RunContext<'_>| {
        eval::estimate_prior_em(&proba, &known, None, ctl)
    })?;
    json_result_to_python(py, serde_json::to_value(found))
}

/// Class proportions by black box shift estimation (BBSE), with confidence intervals.
///
/// The confusion matrix has a row for each predicted class.
#[pyfunction]
pub(crate) fn estimate_prior_bbse<'py>(
    py: Python<'py>,
    confusion: Matrix<'_>,
    answered: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (confusion, _) = row_major_values(&confusion);
    let found = run_short(py, || eval::estimate_prior_bbse(&confusion, &answered))?;
    json_result_to_python(py, serde_json::to_value(found))
}

/// Confusion matrix of row weights: predicted classes as rows, true classes as columns.
///
/// The predicted class is the class with the largest ratio of probability to prior. If the true classes are
/// not given, all rows count as rows of the first class.
#[pyfunction]
#[pyo3(signature = (proba, truth, known, weights = None))]
pub(crate) fn prior_ratio_confusion<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    truth: Option<Codes<'_>>,
    known: Vec<f64>,
    weights: Option<Numbers<'_>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (proba, n) = row_major_values(&proba);
    let (truth, weights) = (truth.as_ref().map(contiguous_values), weights.as_ref().map(contiguous_values));
    let counts = run_short(py, || {
        eval::confusion_of_prior_ratio_rule(&proba, truth.as_deref(), &known, weights.as_deref())
    })?;
    PyArray1::from_vec(py, counts).reshape([n, n])
}

/// Converts class probabilities for the prior `old` to those for another prior.
#[pyfunction]
pub(crate) fn reweigh<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    old: Vec<f64>,
    new: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (proba, n) = row_major_values(&proba);
    let mut proba = proba.into_owned();
    run_short(py, || {
        eval::reweight_by_priors(&mut proba, &old, &new);
        Ok(())
    })?;
    let n_rows = proba.len() / n.max(1);
    PyArray1::from_vec(py, proba).reshape([n_rows, n])
}

/// Estimated probability that a positive row is labeled (positive-unlabeled learning).
///
/// `scores` has, for each labeled row, the predicted probability that the row is labeled.
#[pyfunction]
pub(crate) fn label_frequency(py: Python<'_>, scores: Numbers<'_>, weights: Numbers<'_>) -> PyResult<f64> {
    let (scores, weights) = (contiguous_values(&scores), contiguous_values(&weights));
    run_short(py, || eval::estimate_label_frequency(&scores, &weights))
}

/// Converts probabilities that rows are labeled to class probabilities.
///
/// In positive-unlabeled learning, only some positive rows are labeled. `c` is the probability that a
/// positive row is labeled.
#[pyfunction]
pub(crate) fn positive_proba<'py>(
    py: Python<'py>,
    scores: Numbers<'_>,
    c: f64,
    positive: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let scores = contiguous_values(&scores);
    let found = run_short(py, || eval::positive_proba(&scores, c))?;
    let cells = found.iter().flat_map(|&p| if positive == 1 { [1.0 - p, p] } else { [p, 1.0 - p] });
    PyArray1::from_iter(py, cells).reshape([found.len(), 2])
}

/// Two weights for each unlabeled row, which is used once as positive and once as negative.
#[pyfunction]
pub(crate) fn unlabelled_weights<'py>(
    py: Python<'py>,
    scores: Numbers<'_>,
    c: f64,
) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let scores = contiguous_values(&scores);
    let found = run_short(py, || eval::positive_proba_if_unlabelled(&scores, c))?;
    let rest = PyArray1::from_iter(py, found.iter().map(|weight| 1.0 - weight));
    Ok((PyArray1::from_vec(py, found), rest))
}

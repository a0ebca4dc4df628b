//! Discretization of columns into states (bins of numbers, or levels).

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_without_gil};
use crate::training_args::{Codes, Weights, contiguous_slice};
use imbcore_bayes::{DiscretizeParams, Discretizer, DiscretizerInput, MISSING};
use imbcore_core::{Error, parse_params, weight_counted_as_one_row};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Fits the states of all columns, and returns them as JSON.
///
/// `classes` is a pair: the class codes, and the number of classes.
#[pyfunction]
#[pyo3(signature = (who, params, frame, classes, sample_weight, n_threads))]
pub(crate) fn discretizer_fit(
    py: Python<'_>,
    who: &str,
    params: &str,
    frame: FrameArg<'_>,
    classes: Option<(Codes<'_>, usize)>,
    sample_weight: Weights<'_>,
    n_threads: usize,
) -> PyResult<String> {
    let frame = frame.frame().map_err(error_to_exception)?;
    let classes = match &classes {
        Some((codes, n_classes)) => Some((contiguous_slice(codes)?, *n_classes)),
        None => None,
    };
    let weights = sample_weight.as_ref().map(contiguous_slice).transpose()?;
    run_without_gil(py, None, n_threads, |ctl| {
        let given = serde_json::from_str(params).map_err(|error| Error::Internal(error.to_string()))?;
        let settings = parse_params(who, &DiscretizeParams::default(), &given)?.check(who)?;
        let unit = weights.map_or(Ok(1.0), |weights| weight_counted_as_one_row(weights.iter().copied()))?;
        let divided = weights
            .filter(|_| unit != 1.0)
            .map(|weights| weights.iter().map(|weight| weight / unit).collect::<Vec<f64>>());
        let weights = divided.as_deref().or(weights);
        let training = DiscretizerInput::new(&frame, classes, weights)?;
        let rows = settings.training_rows(&training)?;
        settings.learn(&training, &rows, ctl)?.to_json()
    })
}

/// Encodes a table by fitted states: replaces each value by the index of its state.
///
/// The array has one row per column of the table; a missing value is NaN.
#[pyfunction]
pub(crate) fn discretizer_encode<'py>(
    py: Python<'py>,
    states: &str,
    frame: FrameArg<'_>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let frame = frame.frame().map_err(error_to_exception)?;
    let (n_columns, n_rows) = (frame.n_columns(), frame.n_rows());
    let all: Vec<usize> = (0..n_columns).collect();
    let codes = run_without_gil(py, None, n_threads, |ctl| {
        frame.check_finite()?;
        let number = |code: u16| if code == MISSING { f64::NAN } else { f64::from(code) };
        let codes = Discretizer::from_json(states)?.encode(&frame, &all, ctl)?;
        Ok(codes.into_iter().flatten().map(number).collect::<Vec<_>>())
    })?;
    codes.into_pyarray(py).reshape([n_columns, n_rows])
}

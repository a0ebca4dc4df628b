//! Functions that fit and select box drawings.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short, run_with_main_thread, run_without_gil};
use crate::clusterer::PythonClusterer;
use crate::models::families::model_to_python;
use crate::training_args::{Codes, RunOptionsArg, TrainingArg, Weights, contiguous_slice};
use imbcore_methods::{self as methods, FastBoxesGridSearch, FitContext, HypothesisClass};
use imbcore_rules::Clusterer;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

type Matrix<'py> = Bound<'py, PyArray2<f64>>;

/// Upper bound on the true risk of box drawings, violated with probability at most `delta`.
#[pyfunction]
pub(crate) fn generalization_bound(
    py: Python<'_>,
    risk: f64,
    n_rows: u64,
    n_boxes: u32,
    n_values: Vec<u32>,
    c: f64,
    delta: f64,
) -> PyResult<f64> {
    run_short(py, || HypothesisClass { n_boxes, n_values, c }.true_risk_bound(risk, n_rows, delta))
}

#[pyfunction]
#[pyo3(signature = (params, weights, training, options))]
pub(crate) fn exact_path<'py>(
    py: Python<'py>,
    params: &str,
    weights: Vec<f64>,
    training: TrainingArg<'_>,
    options: RunOptionsArg,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (rows, key) = (training.rows()?, options.seed_key());
    let models = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        rows.with_dataset(|data, schema| {
            let task = rows.fit_task("exact_boxes", params, key, FitContext::default());
            methods::fit_exact_box_path(&task, &weights, data, &schema, ctl)
        })
    })?;
    models.into_iter().map(|model| model_to_python(py, model)).collect()
}

#[derive(FromPyObject)]
pub(crate) struct HeldOutArg<'py>(FrameArg<'py>, Codes<'py>, Weights<'py>);

/// Area under the ROC convex hull on held-out rows, for each setting of Fast Boxes.
///
/// The settings are all pairs in `grid`, which has a list of numbers of boxes and a list of values of the
/// parameter `expansion`.
#[pyfunction]
#[pyo3(signature = (params, training, held_out, grid, unit, options))]
pub(crate) fn box_selection<'py>(
    py: Python<'py>,
    params: &str,
    training: TrainingArg<'_>,
    held_out: HeldOutArg<'_>,
    grid: (Vec<u32>, Vec<f64>),
    unit: f64,
    options: RunOptionsArg,
) -> PyResult<Matrix<'py>> {
    let (rows, key) = (training.rows()?, options.seed_key());
    let test_frame = held_out.0.frame().map_err(error_to_exception)?;
    let test_classes = contiguous_slice(&held_out.1)?;
    let test_weights = held_out.2.as_ref().map(contiguous_slice).transpose()?;
    let (n_boxes, expansions) = grid;
    let shape = [n_boxes.len(), expansions.len()];
    let object = options.clusterer;
    let (scores, stopped) = run_with_main_thread(py, options.callback, options.n_threads, |ctl, caller| {
        let clusterer = object.as_ref().map(|object| PythonClusterer { object, caller });
        let selection = FastBoxesGridSearch {
            params,
            class_weight: rows.class_weight.as_ref(),
            positive: rows.positive,
            n_boxes,
            expansions,
            test_frame: &test_frame,
            test_classes,
            test_weights,
            key,
            unit,
            clusterer: clusterer.as_ref().map(|own| own as &dyn Clusterer),
        };
        rows.with_dataset(|data, _| methods::candidate_hull_aucs(&selection, data, ctl))
    })?;
    stopped.map_or_else(|| scores.into_pyarray(py).reshape(shape), Err)
}

//! Exact Boxes: paths of weights, what is proven, and the check of it.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::border::{quick, run};
use crate::boxes::boxes;
use crate::model::Model;
use crate::parcels::{OptionsArg, TrainingArg};
use imbcore_base::Dataset;
use imbcore_methods::{self as methods, Door};
use pyo3::prelude::*;
use serde_json::json;

/// A model for every weight of a row of the other class.
#[pyfunction]
#[pyo3(signature = (params, weights, training, options))]
pub(crate) fn exact_path(
    py: Python<'_>,
    params: &str,
    weights: Vec<f64>,
    training: TrainingArg<'_>,
    options: OptionsArg,
) -> PyResult<Vec<Model>> {
    let (rows, key) = (training.rows()?, options.key());
    let models = run(py, options.callback, options.n_threads, |ctl| {
        rows.with(|data, schema| {
            let task = rows.task("exact_boxes", params, key, Door::default());
            methods::exact_path(&task, &weights, data, &schema, ctl)
        })
    })?;
    Ok(models.into_iter().map(Model).collect())
}

/// What is proven of the boxes, as JSON.
#[pyfunction]
pub(crate) fn exact_proof(py: Python<'_>, model: &Model) -> PyResult<String> {
    quick(py, || Ok(boxes(model)?.proof_json(model.0.schema())?.to_string()))
}

/// Values of the boxes and of their certificates on the training rows, as JSON.
#[pyfunction]
#[pyo3(signature = (model, training, seconds, options))]
pub(crate) fn exact_verify(
    py: Python<'_>,
    model: &Model,
    training: TrainingArg<'_>,
    seconds: f64,
    options: OptionsArg,
) -> PyResult<String> {
    let rows = training.rows()?;
    let found = run(py, options.callback, options.n_threads, |ctl| {
        let data = Dataset::new(rows.frame.clone(), rows.codes, model.0.n_classes(), rows.weights)?;
        let weighing = (rows.class_weight.as_ref(), Some(&rows.costs));
        methods::exact_verify(&model.0, &data, weighing, seconds, ctl)
    })?;
    Ok(json!({
        "objective": found.objective,
        "bounds": found.bounds,
        "objective_holds": found.objective_holds,
        "bounds_hold": found.bounds_hold,
    })
    .to_string())
}

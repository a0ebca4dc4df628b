//! Exact Boxes: paths of weights, what is proven, and the check of it.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{quick, run, to_python};
use crate::boxes::boxes;
use crate::costs::CostArg;
use crate::model::{ClassWeightArg, Codes, Model, Weights, slice, with_data};
use imbcore_base::{Dataset, SeedKey};
use imbcore_methods::{self as methods, Door, Task};
use pyo3::prelude::*;
use serde_json::json;

/// A model for every weight `c`.
#[pyfunction]
#[pyo3(signature = (params, weights, frame, codes, schema, sample_weight, class_weight, costs, positive, seed, n_threads))]
#[allow(clippy::too_many_arguments)]
fn exact_path(
    py: Python<'_>,
    params: &str,
    weights: Vec<f64>,
    frame: FrameArg<'_>,
    codes: Codes<'_>,
    schema: &str,
    sample_weight: Weights<'_>,
    class_weight: Option<ClassWeightArg>,
    costs: CostArg<'_>,
    positive: u32,
    seed: u64,
    n_threads: usize,
) -> PyResult<Vec<Model>> {
    let (frame, codes) = (frame.frame().map_err(to_python)?, slice(&codes)?);
    let row_weights = sample_weight.as_ref().map(slice).transpose()?;
    let costs = costs.plan().map_err(to_python)?;
    let models = run(py, None, n_threads, |ctl| {
        with_data(&frame, codes, schema, row_weights, class_weight, |data, schema, class_weight| {
            let key = SeedKey::root(seed);
            let task = Task {
                method: "exact_boxes",
                params,
                class_weight,
                costs: Some(&costs),
                positive: Some(positive),
                key,
                door: Door::default(),
            };
            methods::exact_path(&task, &weights, data, &schema, ctl)
        })
    })?;
    Ok(models.into_iter().map(Model).collect())
}

/// What is proven of the boxes, as JSON.
#[pyfunction]
fn exact_proof(py: Python<'_>, model: &Model) -> PyResult<String> {
    quick(py, || Ok(boxes(model)?.proof_json(model.0.schema())?.to_string()))
}

/// Values of the boxes and of their certificates on the training rows, as JSON.
#[pyfunction]
#[pyo3(signature = (model, frame, codes, sample_weight, class_weight, costs, seconds, n_threads))]
#[allow(clippy::too_many_arguments)]
fn exact_verify(
    py: Python<'_>,
    model: &Model,
    frame: FrameArg<'_>,
    codes: Codes<'_>,
    sample_weight: Weights<'_>,
    class_weight: Option<ClassWeightArg>,
    costs: CostArg<'_>,
    seconds: f64,
    n_threads: usize,
) -> PyResult<String> {
    let (frame, codes) = (frame.frame().map_err(to_python)?, slice(&codes)?);
    let weights = sample_weight.as_ref().map(slice).transpose()?;
    let costs = costs.plan().map_err(to_python)?;
    let found = run(py, None, n_threads, |ctl| {
        let data = Dataset::new(frame.clone(), codes, model.0.n_classes(), weights)?;
        let class_weight = class_weight.map(ClassWeightArg::resolve).transpose()?;
        methods::exact_verify(&model.0, &data, (class_weight.as_ref(), Some(&costs)), seconds, ctl)
    })?;
    Ok(json!({
        "objective": found.objective,
        "bounds": found.bounds,
        "objective_holds": found.objective_holds,
        "bounds_hold": found.bounds_hold,
    })
    .to_string())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(exact_path, module)?)?;
    module.add_function(wrap_pyfunction!(exact_proof, module)?)?;
    module.add_function(wrap_pyfunction!(exact_verify, module)?)
}

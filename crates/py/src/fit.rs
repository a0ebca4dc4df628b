//! Calls that fit, and what there is to be fitted.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::border::{carrying, quick, run_keeping};
use crate::costs::matrix_of;
use crate::models::families::fitted;
use crate::models::model::Model;
use crate::parcels::{OptionsArg, TrainingArg, Weighing, WeighingArg};
use imbcore_base::{Column, Dataset, Error, Frame, Result};
use imbcore_criteria::AnyCriterion;
use imbcore_methods::{self as methods, Door, Start};
use numpy::PyArray2;
use pyo3::prelude::*;

/// Whether a single class gives a constant model, the scale of the weights where the caller has it, and with which members the
/// fit begins.
#[derive(FromPyObject)]
pub(crate) struct DoorArg<'py>(bool, Option<f64>, StartArg<'py>);

impl DoorArg<'_> {
    fn door(&self) -> Door<'_> {
        let start = match &self.2 {
            StartArg::From(model) => Start::From(model.0.fitted()),
            StartArg::Kept(true) => Start::First,
            StartArg::Kept(false) => Start::Cold,
        };
        Door { constant: self.0, scale: self.1, start }
    }
}

/// A model, with whose members the fit begins, or whether a larger one may begin with its own.
#[derive(FromPyObject)]
enum StartArg<'py> {
    From(PyRef<'py, Model>),
    Kept(bool),
}

/// Factor that makes weights numbers of rows, for callers that fit to parts of the rows.
#[pyfunction]
#[pyo3(signature = (weighing))]
pub(crate) fn row_scale(py: Python<'_>, weighing: WeighingArg<'_>) -> PyResult<f64> {
    let Weighing { codes, labels, weights, class_weight, costs } = weighing.weighing()?;
    quick(py, || {
        let data = of_labels(codes, labels.len(), weights)?;
        methods::row_scale((class_weight.as_ref(), Some(&costs)), &data)
    })
}

/// Rows of which only the classes matter, which stand for the table.
fn of_labels<'a>(codes: &'a [u32], n_classes: usize, weights: Option<&'a [f64]>) -> Result<Dataset<'a>> {
    let frame = Frame::new(vec![Column::Nominal { codes, levels: n_classes as u32 }])?;
    Dataset::of_any_classes(frame, codes, n_classes, weights)
}

/// The cost matrix of all rows, by what was said of it and the rows; None where nothing was.
#[pyfunction]
#[pyo3(signature = (weighing))]
pub(crate) fn cost_matrix<'py>(
    py: Python<'py>,
    weighing: WeighingArg<'_>,
) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
    let Weighing { codes, labels, weights, costs, .. } = weighing.weighing()?;
    let rule = quick(py, || costs.rule(&of_labels(codes, labels.len(), weights)?))?;
    rule.map_or(Ok(None), |rule| matrix_of(py, &rule))
}

#[pyfunction]
#[pyo3(signature = (method, params, training, door, options))]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    door: DoorArg<'_>,
    options: OptionsArg,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = training.rows()?;
    let (key, door) = (options.key(), door.door());
    let (model, stopped) = run_keeping(py, options.callback, options.n_threads, |ctl| {
        rows.with(|data, schema| methods::fit(&rows.task(method, params, key, door), data, schema, ctl))
    })?;
    let model = fitted(py, model)?;
    let Some(stopped) = stopped else { return Ok(model) };
    Err(carrying(py, stopped, model))
}

/// Version of the native module.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Every registered method with its parameters, as JSON.
#[pyfunction]
#[pyo3(name = "methods")]
pub(crate) fn list_methods(py: Python<'_>) -> PyResult<String> {
    quick(py, || {
        serde_json::to_string(&methods::methods()).map_err(|error| Error::Internal(error.to_string()))
    })
}

/// Every registered criterion.
#[pyfunction]
pub(crate) fn criteria() -> Vec<&'static str> {
    AnyCriterion::NAMES.to_vec()
}

//! Functions that fit models, and the lists of methods.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{attach_incumbent_to_error, run_short, run_with_main_thread, run_without_gil};
use crate::clusterer::PythonClusterer;
use crate::costs::cost_matrix_array;
use crate::models::families::model_to_python;
use crate::models::model::Model;
use crate::training_args::{
    ClassStatsArg, Codes, LabelsAndWeightsArg, RunOptionsArg, TrainingArg, WeightedLabels, Weights,
    class_stats, contiguous_slice,
};
use imbcore_core::{
    ClassStats, Column, Dataset, Error, Frame, Result, SingleClassStats, check_weights_of_some_rows,
};
use imbcore_criteria::AnyCriterion;
use imbcore_methods::{self as methods, FitContext, WarmStart};
use imbcore_rules::Clusterer;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

/// Options of a fit, as a tuple of three values.
///
/// The first value states whether a fit to a single class gives a constant model. The second value is the
/// number by which all row weights are divided, if this number is already known. The third value is the warm
/// start.
#[derive(FromPyObject)]
pub(crate) struct FitContextArg<'py>(bool, Option<f64>, WarmStartArg<'py>);

impl FitContextArg<'_> {
    fn context(&self) -> FitContext<'_> {
        let start = match &self.2 {
            WarmStartArg::From(model) => WarmStart::From(model.0.fitted_estimator()),
            WarmStartArg::Kept(true) => WarmStart::First,
            WarmStartArg::Kept(false) => WarmStart::Cold,
            WarmStartArg::Part(first, end) => WarmStart::Part(*first, *end),
        };
        FitContext { constant: self.0, unit: self.1, start, clusterer: None }
    }
}

/// Warm start of a fit.
///
/// `From` is a model from which the fit continues. `Part` is a range of members to fit. `Kept` states whether
/// the fit keeps state for a later fit.
#[derive(FromPyObject)]
enum WarmStartArg<'py> {
    From(PyRef<'py, Model>),
    Part(u32, u32),
    Kept(bool),
}

/// Number by which a fit to these rows would divide all row weights.
///
/// Callers that fit to subsets of the rows pass this number to every fit, so that all fits use the same one.
#[pyfunction]
#[pyo3(signature = (weighing))]
pub(crate) fn unit_weight(py: Python<'_>, weighing: LabelsAndWeightsArg<'_>) -> PyResult<f64> {
    let WeightedLabels { codes, labels, weights, class_weight, costs } = weighing.to_weighted_labels()?;
    run_short(py, || {
        let data = labels_dataset(codes, labels.len(), weights)?;
        methods::weight_counted_as_one_row((class_weight.as_ref(), Some(&costs)), &data)
    })
}

/// Data set for functions that read only labels; the labels are also its only column.
fn labels_dataset<'a>(codes: &'a [u32], n_classes: usize, weights: Option<&'a [f64]>) -> Result<Dataset<'a>> {
    let frame = Frame::new(vec![Column::Nominal { codes, levels: n_classes as u32 }])?;
    Dataset::with_single_class_allowed(frame, codes, n_classes, weights)
}

/// Cost matrix for all rows, computed from the cost settings and labels.
///
/// `None` if there are no cost settings, or if each row has its own costs.
#[pyfunction]
#[pyo3(signature = (weighing))]
pub(crate) fn cost_matrix<'py>(
    py: Python<'py>,
    weighing: LabelsAndWeightsArg<'_>,
) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
    let WeightedLabels { codes, labels, weights, costs, .. } = weighing.to_weighted_labels()?;
    let rule = run_short(py, || costs.cost_rule(&labels_dataset(codes, labels.len(), weights)?))?;
    rule.map_or(Ok(None), |rule| cost_matrix_array(py, &rule))
}

#[pyfunction]
#[pyo3(signature = (method, params, training, context, options))]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    context: FitContextArg<'_>,
    options: RunOptionsArg,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = training.rows()?;
    let (key, context, object) = (options.seed_key(), context.context(), options.clusterer);
    let (mut model, stopped) =
        run_with_main_thread(py, options.callback, options.n_threads, |ctl, caller| {
            let clusterer = object.as_ref().map(|object| PythonClusterer { object, caller });
            let context =
                FitContext { clusterer: clusterer.as_ref().map(|own| own as &dyn Clusterer), ..context };
            rows.with_dataset(|data, schema| {
                methods::fit(&rows.fit_task(method, params, key, context), data, schema, ctl)
            })
        })?;
    if let Some((places, n_rows)) = rows.places {
        model.map_out_of_bag_rows(places, n_rows);
    }
    let model = model_to_python(py, model)?;
    let Some(stopped) = stopped else { return Ok(model) };
    Err(attach_incumbent_to_error(py, stopped, model))
}

/// Lower bound on the memory of a fit in bytes; 0 if it is not known in advance.
#[pyfunction]
#[pyo3(signature = (method, params, training, options))]
pub(crate) fn estimate_fit_memory(
    py: Python<'_>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    options: RunOptionsArg,
) -> PyResult<usize> {
    let rows = training.rows()?;
    let key = options.seed_key();
    run_without_gil(py, None, options.n_threads, |_| {
        rows.with_dataset(|data, schema| {
            methods::estimate_fit_memory(
                &rows.fit_task(method, params, key, FitContext::default()),
                data,
                &schema,
            )
        })
    })
}

/// Draws, for each class, the rows to which a method would be fitted.
///
/// `training` has the class statistics of all rows of the table, but only some of the rows. A drawn row is
/// given by its position, from 0, among the rows of its class with positive weight.
#[pyfunction]
#[pyo3(signature = (method, params, training, options))]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    options: RunOptionsArg,
) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
    let rows = training.rows()?;
    let key = options.seed_key();
    let drawn = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        rows.with_dataset(|data, schema| {
            methods::select_rows_for_fit(
                &rows.fit_task(method, params, key, FitContext::default()),
                data,
                &schema,
                ctl,
            )
        })
    })?;
    Ok(drawn.into_iter().map(|rows| rows.into_pyarray(py)).collect())
}

/// Adds a batch of rows to `facts`, the class statistics of the rows before it.
#[pyfunction]
#[pyo3(signature = (facts, codes, sample_weight))]
pub(crate) fn update_class_stats(
    py: Python<'_>,
    facts: Vec<ClassStatsArg>,
    codes: Codes<'_>,
    sample_weight: Weights<'_>,
) -> PyResult<Vec<ClassStatsArg>> {
    let codes = contiguous_slice(&codes)?;
    let weights = sample_weight.as_ref().map(contiguous_slice).transpose()?;
    let all = run_short(py, || {
        let mut all = class_stats(&facts)?;
        check_weights_of_some_rows(weights, codes.len())?;
        if codes.iter().any(|&code| code as usize >= facts.len()) {
            return Err(Error::Internal("a class code without facts".into()));
        }
        all.add(codes, weights);
        // `from_sums` returns an error if a sum has overflowed.
        ClassStats::from_sums(all.stats_by_class().to_vec())
    })?;
    let tuple =
        |class: &SingleClassStats| (class.n_rows, class.n_weighing, class.mass, class.largest, class.first);
    Ok(all.stats_by_class().iter().map(tuple).collect())
}

#[pyfunction]
pub(crate) fn merge<'py>(py: Python<'py>, models: Vec<PyRef<'py, Model>>) -> PyResult<Bound<'py, PyAny>> {
    let parts: Vec<&methods::Model> = models.iter().map(|model| &model.0).collect();
    model_to_python(py, run_short(py, || methods::merge(&parts))?)
}

#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[pyfunction]
#[pyo3(name = "methods")]
pub(crate) fn list_methods(py: Python<'_>) -> PyResult<String> {
    run_short(py, || {
        serde_json::to_string(&methods::methods()).map_err(|error| Error::Internal(error.to_string()))
    })
}

#[pyfunction]
pub(crate) fn criteria() -> Vec<&'static str> {
    AnyCriterion::NAMES.to_vec()
}

//! Questions to Bayesian classifiers.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]
use crate::arrays::FrameArg;
use crate::border::{quick, run, to_python};
use crate::model::Model;
use imbcore_base::{ColumnBuf, Error, Result, SeedKey};
use imbcore_bayes::classifier::BayesModel;
use imbcore_bayes::io::write_json;
use imbcore_bayes::{ColumnRule, ColumnValues};
use imbcore_methods as methods;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

fn bayes(model: &methods::Model) -> Result<&BayesModel> {
    model.fitted().bayes().ok_or_else(|| model.is_not("is not a Bayesian classifier"))
}

/// Class probabilities with the law of the training rows, row-major.
#[pyfunction]
pub(crate) fn calibrated_proba<'py>(
    py: Python<'py>,
    model: &Model,
    frame: FrameArg<'_>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let found = bayes(&model.0).map_err(to_python)?;
    let proba = model.ask(py, &frame, n_threads, |model, frame, ctl| {
        model.check(frame)?;
        found.calibrated_proba(frame, ctl)
    })?;
    let n_classes = model.0.n_classes();
    let shape = [proba.len() / n_classes, n_classes];
    proba.into_pyarray(py).reshape(shape)
}

/// Logarithm of the probability of every row.
#[pyfunction]
pub(crate) fn log_probability<'py>(
    py: Python<'py>,
    model: &Model,
    frame: FrameArg<'_>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let found = bayes(&model.0).map_err(to_python)?;
    let logs = model.ask(py, &frame, n_threads, |model, frame, ctl| {
        model.check(frame)?;
        found.log_probability(frame, ctl)
    })?;
    Ok(logs.into_pyarray(py))
}

/// Number of networks and arcs, in words.
#[pyfunction]
pub(crate) fn bayes_size(model: &Model) -> PyResult<String> {
    let found = bayes(&model.0).map_err(to_python)?;
    let arcs: usize = found.members().iter().map(|member| member.network.dag().arcs().len()).sum();
    Ok(match found.members().len() {
        1 => format!("{arcs} arcs"),
        n => format!("{n} networks, {arcs} arcs"),
    })
}

/// What keeps classes from being answered, as JSON.
#[pyfunction]
pub(crate) fn bayes_diagnosis(py: Python<'_>, model: &Model) -> PyResult<String> {
    run(py, None, 1, |ctl| {
        let found = bayes(&model.0)?.diagnose(model.0.schema(), ctl)?;
        serde_json::to_string(&found).map_err(|error| Error::Internal(error.to_string()))
    })
}

/// Number of networks.
#[pyfunction]
pub(crate) fn bayes_networks(model: &Model) -> PyResult<usize> {
    Ok(bayes(&model.0).map_err(to_python)?.members().len())
}

/// One network with the names of columns, bins, levels and classes, as JSON, and the cuts of every variable that is a
/// number in bins.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn bayes_network(
    py: Python<'_>,
    model: &Model,
    member: usize,
) -> PyResult<(String, Vec<Option<Vec<f64>>>)> {
    quick(py, || {
        let found = bayes(&model.0)?;
        let Some(one) = found.members().get(member) else {
            let n = found.members().len();
            return Err(Error::Data(format!("there is no network {member}; the model has {n}")));
        };
        let rules = &found.discretizer(member).columns;
        let cuts = |&column: &u32| match &rules[column as usize] {
            ColumnRule { values: ColumnValues::Cuts(cuts), gap_state: false } => Some(cuts.clone()),
            _ => None,
        };
        let cuts = one.columns.iter().map(cuts).chain([None]).collect();
        Ok((write_json(&found.named_network(member, model.0.schema())?)?, cuts))
    })
}

/// Drawn rows: one array a column (numbers, or codes of levels), and the class codes.
#[pyfunction]
#[pyo3(signature = (model, n, class_code, seed, n_threads))]
#[allow(clippy::type_complexity)]
pub(crate) fn bayes_sample<'py>(
    py: Python<'py>,
    model: &Model,
    n: usize,
    class_code: Option<u32>,
    seed: u64,
    n_threads: usize,
) -> PyResult<(Vec<Bound<'py, PyAny>>, Bound<'py, PyArray1<u32>>)> {
    let (rows, classes) =
        run(py, None, n_threads, |ctl| bayes(&model.0)?.sample(n, class_code, SeedKey::root(seed), ctl))?;
    let column = |column: ColumnBuf| match column {
        ColumnBuf::Numeric(values) => values.into_pyarray(py).into_any(),
        ColumnBuf::Nominal { codes, .. } => codes.into_pyarray(py).into_any(),
    };
    Ok((rows.into_columns().into_iter().map(column).collect(), classes.into_pyarray(py)))
}

//! Fits of SVR-Trees (surface-to-volume regularized trees) for several penalties.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_without_gil};
use crate::models::families::model_to_python;
use crate::training_args::{Codes, RunOptionsArg, TrainingArg, contiguous_slice};
use imbcore_core::Error;
use imbcore_methods::{self as methods, FitContext, WarmStart};
use imbcore_trees::svr::penalty_grid;
use numpy::{IntoPyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

const METHOD: &str = "svr_tree";
/// Options of all fits of this module: training rows of one class give a constant model.
///
/// Estimators of scikit-learn do the same, and only estimators call these functions.
const FIT_CONTEXT: FitContext<'_> =
    FitContext { constant: true, unit: None, start: WarmStart::Cold, clusterer: None };

type NativePathPredictions<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray3<f64>>);

#[pyfunction]
#[pyo3(signature = (params, penalties, training, options))]
pub(crate) fn svr_path<'py>(
    py: Python<'py>,
    params: &str,
    penalties: Vec<f64>,
    training: TrainingArg<'_>,
    options: RunOptionsArg,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (rows, key) = (training.rows()?, options.seed_key());
    let models = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        rows.with_dataset(|data, schema| {
            methods::fit_svr_tree_path(
                &rows.fit_task(METHOD, params, key, FIT_CONTEXT),
                &penalties,
                data,
                &schema,
                ctl,
            )
        })
    })?;
    models.into_iter().map(|model| model_to_python(py, model)).collect()
}

/// Class codes and probabilities that are predicted for the test rows of every split.
///
/// The first axis of the arrays is the penalty.
#[pyfunction]
#[pyo3(signature = (params, penalties, splits, training, options))]
pub(crate) fn svr_validate<'py>(
    py: Python<'py>,
    params: &str,
    penalties: Vec<f64>,
    splits: Vec<(Codes<'py>, Codes<'py>)>,
    training: TrainingArg<'_>,
    options: RunOptionsArg,
) -> PyResult<Vec<NativePathPredictions<'py>>> {
    let (rows, key) = (training.rows()?, options.seed_key());
    let positions = |rows: &Codes<'_>| -> PyResult<Vec<u32>> { Ok(contiguous_slice(rows)?.to_vec()) };
    let splits = splits.iter().map(|(train, test)| Ok((positions(train)?, positions(test)?)));
    let splits = splits.collect::<PyResult<Vec<methods::FoldRows>>>()?;
    let n_rows = rows.frame.n_rows();
    let all = splits.iter().flat_map(|(train, test)| train.iter().chain(test));
    if all.into_iter().any(|&row| row as usize >= n_rows) {
        return Err(error_to_exception(Error::Data(format!(
            "a split has a row number beyond the {n_rows} rows of X"
        ))));
    }
    let mut n_classes = 0;
    let answers = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        rows.with_dataset(|data, schema| {
            n_classes = data.n_classes();
            let task = rows.fit_task(METHOD, params, key, FIT_CONTEXT);
            methods::cross_validate_svr_trees(&task, &penalties, &splits, (data, &schema), ctl)
        })
    })?;
    let joined = |(answers, (_, test)): (Vec<methods::PenaltyPredictions>, &methods::FoldRows)| {
        let shape = [answers.len(), test.len()];
        let codes: Vec<u32> = answers.iter().flat_map(|one| one.codes.iter().copied()).collect();
        let proba: Vec<f64> = answers.into_iter().flat_map(|one| one.proba).collect();
        let codes = codes.into_pyarray(py).reshape(shape)?;
        Ok((codes, proba.into_pyarray(py).reshape([shape[0], shape[1], n_classes])?))
    };
    answers.into_iter().zip(&splits).map(joined).collect()
}

/// Penalty grid of Zhu, Li and Dunson (2021) for SVR-Trees; `mass` is the total row weight.
#[pyfunction]
pub(crate) fn svr_penalties(mass: f64) -> Vec<f64> {
    penalty_grid(mass)
}

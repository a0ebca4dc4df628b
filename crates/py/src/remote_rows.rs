//! Fits to rows that are not in memory.
//!
//! The native module sends requests for statistics of all rows. Python computes the responses from batches
//! that it reads, or collects them from remote processes that store the rows.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{
    MainThread, attach_incumbent_to_error, error_to_exception, run_with_main_thread, run_without_gil,
};
use crate::models::families::model_to_python;
use crate::training_args::{Codes, RunOptionsArg, TrainingArg, contiguous_slice};
use imbcore_core::{Error, Frame, Result, RunContext};
use imbcore_methods::{self as methods, FitContext, LabeledRowStream};
use imbcore_rules::fast::handle_request;
use imbcore_rules::{RemotePartitions, RowPartition, RowSource};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// Rows outside of memory; Python computes statistics of them on the calling thread.
struct PyRemoteRows<'c> {
    /// Python function `ask(request, in_turn)`: returns a response for each part of the rows.
    ///
    /// If `in_turn` is true, each response is computed from the response for the previous part.
    ask: Arc<Py<PyAny>>,
    caller: &'c MainThread,
}

impl RemotePartitions for PyRemoteRows<'_> {
    fn send_request(&self, question: Vec<u8>, in_turn: bool, ctl: RunContext<'_>) -> Result<Vec<Vec<u8>>> {
        let ask = Arc::clone(&self.ask);
        let responses = self.caller.run_task(move |py| {
            let responses = ask.bind(py).call1((PyBytes::new(py, &question), in_turn))?;
            responses
                .try_iter()?
                .map(|response| Ok(response?.cast::<PyBytes>()?.as_bytes().to_vec()))
                .collect()
        })?;
        ctl.check()?;
        Ok(responses)
    }
}

impl RowSource for PyRemoteRows<'_> {
    fn for_each_batch(
        &self,
        _: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>,
        _: RunContext<'_>,
    ) -> Result<()> {
        Err(Error::Internal("rows outside the native module cannot be read".into()))
    }

    fn remote_partitions(&self) -> Option<&dyn RemotePartitions> {
        Some(self)
    }
}

/// Fits a method to rows that are not in memory.
///
/// `ask` sends requests for statistics of the rows. `training` has one row per class.
#[pyfunction]
#[pyo3(signature = (method, params, training, ask, options))]
pub(crate) fn fit_remote_rows<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    ask: Py<PyAny>,
    options: RunOptionsArg,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, key, ask) = (training.rows()?, options.seed_key(), Arc::new(ask));
    let (model, stopped) = run_with_main_thread(py, options.callback, options.n_threads, |ctl, caller| {
        let pieces = PyRemoteRows { ask, caller };
        rows.with_dataset(|data, schema| {
            let task = rows.fit_task(method, params, key, FitContext::default());
            methods::fit_row_stream(
                &task,
                LabeledRowStream { pieces: &pieces, classes: &[] },
                data,
                schema,
                ctl,
            )
        })
    })?;
    model_object(py, model, stopped)
}

fn model_object(py: Python<'_>, model: methods::Model, stopped: Option<PyErr>) -> PyResult<Bound<'_, PyAny>> {
    let model = model_to_python(py, model)?;
    let Some(stopped) = stopped else { return Ok(model) };
    Err(attach_incumbent_to_error(py, stopped, model))
}

/// Computes the response of a process that stores consecutive rows of the table.
///
/// `first` is the index in the table of the first row that the process stores. `question` is a request that
/// `fit_remote_rows` has sent. If the request was sent with `in_turn`, `before` is the response of the
/// process with the previous rows.
#[pyfunction]
#[pyo3(signature = (question, frame, classes, first, before, options))]
pub(crate) fn respond_with_rows<'py>(
    py: Python<'py>,
    question: Vec<u8>,
    frame: FrameArg<'_>,
    classes: Codes<'_>,
    first: usize,
    before: Option<Vec<u8>>,
    options: RunOptionsArg,
) -> PyResult<Bound<'py, PyBytes>> {
    let (frame, classes) = (frame.frame().map_err(error_to_exception)?, contiguous_slice(&classes)?);
    let held = RowPartition { frame: &frame, classes, first };
    let bytes = run_without_gil(py, None, options.n_threads, |ctl| {
        handle_request(&question, &held, before.as_deref(), ctl)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

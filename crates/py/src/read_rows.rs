//! Fits to rows that are not in memory.
//!
//! Python reads the rows in batches, as often as needed, or remote processes have them.

// PyO3 passes arguments by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{Caller, carrying, run, run_calling, to_python};
use crate::models::families::fitted;
use crate::parcels::{Codes, OptionsArg, TrainingArg, contiguous};
use imbcore_base::{Column, ColumnBuf, Error, Frame, FrameBuf, Result, RunCtl};
use imbcore_boxes::fast::answer;
use imbcore_boxes::{Held, Holders, PIECE, Pieces};
use imbcore_methods::{self as methods, Door, ReadRows};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator};
use std::sync::Arc;

/// Rows read by the calling thread, so that Ctrl-C works while the reader waits.
struct PyRows<'c> {
    /// Callable that returns an iterator over batches, tables in native form.
    read: Arc<Py<PyAny>>,
    caller: &'c Caller,
    n_rows: usize,
}

impl Pieces for PyRows<'_> {
    fn each(&self, body: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>, ctl: RunCtl<'_>) -> Result<()> {
        let read = Arc::clone(&self.read);
        let pieces = self.caller.call(move |py| Ok(read.bind(py).call0()?.try_iter()?.unbind()))?;
        let pieces: Arc<Py<PyIterator>> = Arc::new(pieces);
        let mut first = 0;
        loop {
            let next = Arc::clone(&pieces);
            let Some(piece) = self.caller.call(move |py| next_piece(next.bind(py)))? else { break };
            let piece = piece.borrow()?;
            if first % PIECE != 0 {
                return Err(Error::Internal("a batch does not start at a summation block".into()));
            }
            if first + piece.n_rows() > self.n_rows {
                return Err(changed());
            }
            body(first, &piece)?;
            first += piece.n_rows();
            ctl.tick("rows", first as u64, self.n_rows as u64);
            ctl.check()?;
        }
        if first == self.n_rows { Ok(()) } else { Err(changed()) }
    }
}

/// Rows in remote processes, queried through the calling thread.
struct PyHolders<'c> {
    /// Callable that sends requests to remote processes.
    ///
    /// It takes a request and whether it is sequential, and returns a list of responses.
    ask: Arc<Py<PyAny>>,
    caller: &'c Caller,
}

impl Holders for PyHolders<'_> {
    fn ask(&self, question: Vec<u8>, in_turn: bool, ctl: RunCtl<'_>) -> Result<Vec<Vec<u8>>> {
        let ask = Arc::clone(&self.ask);
        let responses = self.caller.call(move |py| {
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

impl Pieces for PyHolders<'_> {
    fn each(&self, _: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>, _: RunCtl<'_>) -> Result<()> {
        Err(Error::Internal("remote rows cannot be read".into()))
    }

    fn holders(&self) -> Option<&dyn Holders> {
        Some(self)
    }
}

fn changed() -> Error {
    Error::Data(
        "the number of rows differs from the number of labels; the data may have changed while they were read"
            .into(),
    )
}

/// Copies the next batch; `None` after the last.
fn next_piece(pieces: &Bound<'_, PyIterator>) -> PyResult<Option<FrameBuf>> {
    let Some(piece) = pieces.clone().next().transpose()? else { return Ok(None) };
    let piece: FrameArg<'_> = piece.extract()?;
    let copy = |column: &Column<'_>| match column {
        Column::Numeric(values) => ColumnBuf::Numeric(values.iter().collect()),
        Column::Nominal { codes, levels } => ColumnBuf::Nominal { codes: codes.to_vec(), levels: *levels },
    };
    let frame = piece.frame().map_err(to_python)?;
    FrameBuf::new(frame.columns().iter().map(copy).collect()).map(Some).map_err(to_python)
}

/// Fits a method to rows with the class codes `classes`; `training` has one row per class.
#[pyfunction]
#[pyo3(signature = (method, params, training, classes, read, options))]
pub(crate) fn fit_rows<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    classes: Codes<'_>,
    read: Py<PyAny>,
    options: OptionsArg,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, key, classes) = (training.rows()?, options.key(), contiguous(&classes)?);
    let read = Arc::new(read);
    let (model, stopped) = run_calling(py, options.callback, options.n_threads, |ctl, caller| {
        let pieces = PyRows { read, caller, n_rows: classes.len() };
        rows.with(|data, schema| {
            if classes.iter().any(|&class| class as usize >= data.n_classes()) {
                return Err(Error::Internal("a class code without a label".into()));
            }
            let task = rows.task(method, params, key, Door::default());
            methods::fit_rows(&task, ReadRows { pieces: &pieces, classes }, data, schema, ctl)
        })
    })?;
    finished(py, model, stopped)
}

/// Fits a method to rows in remote processes, queried by `ask`.
///
/// `training` has one row per class.
#[pyfunction]
#[pyo3(signature = (method, params, training, ask, options))]
pub(crate) fn fit_asking<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    ask: Py<PyAny>,
    options: OptionsArg,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, key, ask) = (training.rows()?, options.key(), Arc::new(ask));
    let (model, stopped) = run_calling(py, options.callback, options.n_threads, |ctl, caller| {
        let pieces = PyHolders { ask, caller };
        rows.with(|data, schema| {
            let task = rows.task(method, params, key, Door::default());
            methods::fit_rows(&task, ReadRows { pieces: &pieces, classes: &[] }, data, schema, ctl)
        })
    })?;
    finished(py, model, stopped)
}

fn finished(py: Python<'_>, model: methods::Model, stopped: Option<PyErr>) -> PyResult<Bound<'_, PyAny>> {
    let model = fitted(py, model)?;
    let Some(stopped) = stopped else { return Ok(model) };
    Err(carrying(py, stopped, model))
}

/// Response of a process that has the rows from number `first` on.
///
/// The request is one of `fit_asking`.
///
/// `before` is the previous process's response, for sequential requests.
#[pyfunction]
#[pyo3(signature = (question, frame, classes, first, before, options))]
pub(crate) fn answer_rows<'py>(
    py: Python<'py>,
    question: Vec<u8>,
    frame: FrameArg<'_>,
    classes: Codes<'_>,
    first: usize,
    before: Option<Vec<u8>>,
    options: OptionsArg,
) -> PyResult<Bound<'py, PyBytes>> {
    let (frame, classes) = (frame.frame().map_err(to_python)?, contiguous(&classes)?);
    let held = Held { frame: &frame, classes, first };
    let bytes = run(py, None, options.n_threads, |ctl| answer(&question, &held, before.as_deref(), ctl))?;
    Ok(PyBytes::new(py, &bytes))
}

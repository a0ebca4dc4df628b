//! Fits from pieces of the rows that Python reads: first the states of the columns, then the codes of the rows.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::{ColumnArg, FrameArg};
use crate::border::{carrying, quick, run, run_keeping, to_python};
use crate::models::families::fitted;
use crate::parcels::{Codes, OptionsArg, TrainingArg, contiguous};
use imbcore_base::{Error, Frame, RunCtl};
use imbcore_bayes::classifier::CodedRows;
use imbcore_bayes::{ColumnPieces, ColumnRule, DiscretizeSettings};
use imbcore_methods::{self as methods, Door};
use pyo3::prelude::*;

/// What is known of the rows so far.
#[pyclass(module = "imbcore._imbcore.models")]
pub(crate) struct Pieces {
    settings: DiscretizeSettings,
    n_classes: usize,
    /// The column that is being read.
    column: Option<ColumnPieces>,
    columns: Vec<(ColumnRule, Option<(f64, f64)>)>,
    rows: Option<CodedRows>,
}

#[pymethods]
impl Pieces {
    /// For a method that learns from pieces; `training` stands for all rows by one of each class.
    #[new]
    #[pyo3(signature = (method, params, training, options))]
    fn new(
        py: Python<'_>,
        method: &str,
        params: &str,
        training: TrainingArg<'_>,
        options: OptionsArg,
    ) -> PyResult<Self> {
        let (rows, key) = (training.rows()?, options.key());
        let (settings, n_classes) = quick(py, || {
            rows.with(|data, schema| {
                let task = rows.task(method, params, key, Door::default());
                Ok((methods::piece_cuts(&task, &schema)?, data.n_classes()))
            })
        })?;
        Ok(Self { settings, n_classes, column: None, columns: Vec::new(), rows: None })
    }

    /// Counts the values of more rows of the column that is read; `levels` are those of one of names.
    #[pyo3(signature = (values, classes))]
    fn count(&mut self, py: Python<'_>, values: ColumnArg<'_>, classes: Codes<'_>) -> PyResult<()> {
        let levels = match &values {
            ColumnArg::Numeric(_) => None,
            ColumnArg::Nominal(_, levels) => Some(*levels),
        };
        let values = FrameArg::Columns(vec![values]);
        let (frame, classes) = (values.frame().map_err(to_python)?, contiguous(&classes)?);
        let (at, column) = (self.columns.len(), &mut self.column);
        quick(py, || {
            checked(&frame, classes, self.n_classes, at)?;
            let pieces = column.get_or_insert_with(|| ColumnPieces::new(levels));
            pieces.add(&frame.columns()[0], classes, RunCtl::silent())
        })
    }

    /// Learns the states of the column that was read; the next one follows.
    #[pyo3(signature = (options))]
    fn learn(&mut self, py: Python<'_>, options: OptionsArg) -> PyResult<()> {
        let (settings, n_classes, at) = (self.settings, self.n_classes, self.columns.len());
        let pieces = self.column.take();
        let rule = run(py, None, options.n_threads, |ctl| {
            let pieces = pieces.ok_or_else(|| Error::Internal("no piece of a column was read".into()))?;
            pieces.rule(settings, n_classes, ctl).map_err(|error| of_column(error, at))
        })?;
        self.columns.push(rule);
        Ok(())
    }

    /// Columns that say something about the class, of those whose states were learnt: the others need not be read again.
    #[getter]
    fn telling(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&at| self.columns[at].0.informs()).collect()
    }

    /// Takes more rows as codes; the states of all columns are known. `n_rows` will come in all.
    #[pyo3(signature = (frame, classes, n_rows))]
    fn take(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        n_rows: usize,
    ) -> PyResult<()> {
        let (frame, classes) = (frame.frame().map_err(to_python)?, contiguous(&classes)?);
        let Self { settings, n_classes, columns, rows, .. } = self;
        quick(py, || {
            checked(&frame, classes, *n_classes, 0)?;
            if rows.is_none() {
                *rows = Some(CodedRows::new(*settings, std::mem::take(columns), *n_classes, n_rows)?);
            }
            rows.iter_mut().try_for_each(|rows| rows.add(&frame, classes, RunCtl::silent()))
        })
    }

    /// Fits the method to the rows that were taken, which are used up.
    #[pyo3(signature = (method, params, training, options))]
    fn fit<'py>(
        &mut self,
        py: Python<'py>,
        method: &str,
        params: &str,
        training: TrainingArg<'_>,
        options: OptionsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (classes, key) = (training.rows()?, options.key());
        let coded = self.rows.take();
        let (model, stopped) = run_keeping(py, options.callback, options.n_threads, |ctl| {
            let coded = coded.ok_or_else(|| Error::Internal("no rows were taken".into()))?;
            classes.with(|data, schema| {
                let task = classes.task(method, params, key, Door::default());
                methods::fit_pieces(&task, coded, data, schema, ctl)
            })
        })?;
        let model = fitted(py, model)?;
        let Some(stopped) = stopped else { return Ok(model) };
        Err(carrying(py, stopped, model))
    }
}

/// Refuses infinities and class codes that nobody knows; `first` is the number of the frame's first column.
fn checked(frame: &Frame<'_>, classes: &[u32], n_classes: usize, first: usize) -> imbcore_base::Result<()> {
    frame.check_finite().map_err(|error| of_column(error, first))?;
    if classes.len() != frame.n_rows() || classes.iter().any(|&class| class as usize >= n_classes) {
        return Err(Error::Internal("a piece of the rows has other classes".into()));
    }
    Ok(())
}

/// An error about the only column of a piece, about the column that it is in the whole.
fn of_column(error: Error, at: usize) -> Error {
    match error {
        Error::Column { column, message } => Error::Column { column: column + at, message },
        Error::Data(message) => Error::Column { column: at, message },
        other => other,
    }
}

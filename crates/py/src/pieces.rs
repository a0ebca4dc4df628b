//! Fits from batches of rows that Python reads.
//!
//! First the states of the columns are fitted; then the rows are encoded, and the model is fitted to their
//! codes.

// PyO3 passes arguments by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{quick, run, run_keeping, to_python, with_incumbent};
use crate::models::families::fitted;
use crate::training_args::{Codes, OptionsArg, TrainingArg, contiguous};
use imbcore_bayes::classifier::EncodedStream;
use imbcore_bayes::{ColumnRule, DiscretizeSettings, StreamingColumn};
use imbcore_core::{Column, Error, Frame, RunContext, share};
use imbcore_methods::{self as methods, FitContext};
use pyo3::prelude::*;

/// State of a streaming fit.
#[pyclass(module = "imbcore._imbcore.models")]
pub(crate) struct StreamingFit {
    settings: DiscretizeSettings,
    n_classes: usize,
    common: Option<u32>,
    /// Columns being read: all together, or one after the other.
    reading: Vec<StreamingColumn>,
    columns: Vec<(ColumnRule, Option<(f64, f64)>)>,
    rows: Option<EncodedStream>,
}

#[pymethods]
impl StreamingFit {
    /// Creates the state for a streaming method; `training` has one row per class, for all rows.
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
        let (settings, n_classes, common) = quick(py, || {
            rows.with_dataset(|data, schema| {
                let task = rows.task(method, params, key, FitContext::default());
                let settings = methods::stream_discretizer(&task, &schema)?;
                // Each class has a single row here, whose weight is the number of rows of the class.
                let counts: Vec<f64> = (0..data.n_classes()).map(|class| data.weight(class)).collect();
                Ok((settings, data.n_classes(), settings.common_class(&counts, schema.features.len())))
            })
        })?;
        Ok(Self { settings, n_classes, common, reading: Vec::new(), columns: Vec::new(), rows: None })
    }

    /// Code of the majority class, if its rows are only counted.
    /// They are then counted after all other rows.
    ///
    /// All columns are then processed at the same time. If `None`, columns are counted and fitted one after
    /// the other.
    #[getter]
    fn common(&self) -> Option<u32> {
        self.common
    }

    /// Adds rows of all classes except the majority class.
    #[pyo3(signature = (frame, classes, options))]
    fn show(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        options: OptionsArg,
    ) -> PyResult<()> {
        self.each(py, &frame, &classes, &options, |pieces, column, classes, _| pieces.show(column, classes))
    }

    /// Counts the values of more rows in the columns being read.
    #[pyo3(signature = (frame, classes, options))]
    fn count(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        options: OptionsArg,
    ) -> PyResult<()> {
        self.each(py, &frame, &classes, &options, StreamingColumn::add)
    }

    /// Fits the states of the columns that were read since the last call.
    #[pyo3(signature = (options))]
    fn learn(&mut self, py: Python<'_>, options: OptionsArg) -> PyResult<()> {
        let (settings, n_classes, first) = (self.settings, self.n_classes, self.columns.len());
        let pieces = std::mem::take(&mut self.reading).into_iter().enumerate();
        self.columns.extend(run(py, None, options.n_threads, |ctl| {
            let learn = |(i, pieces): (usize, StreamingColumn)| {
                pieces.rule(settings, n_classes, ctl).map_err(|error| of_column(error, first + i))
            };
            share::try_map(pieces, learn)
        })?);
        Ok(())
    }

    /// Columns that are informative about the class; other columns need not be read again.
    #[getter]
    fn telling(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&i| self.columns[i].0.is_informative()).collect()
    }

    /// Encodes more rows after the states of all columns are fitted.
    ///
    /// `n_rows` is the total number.
    #[pyo3(signature = (frame, classes, n_rows, options))]
    fn take(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        n_rows: usize,
        options: OptionsArg,
    ) -> PyResult<()> {
        let (frame, classes) = (frame.frame().map_err(to_python)?, contiguous(&classes)?);
        let Self { settings, n_classes, columns, rows, .. } = self;
        run(py, None, options.n_threads, |ctl| {
            checked(&frame, classes, *n_classes, 0)?;
            if rows.is_none() {
                *rows = Some(EncodedStream::new(*settings, std::mem::take(columns), *n_classes, n_rows)?);
            }
            rows.iter_mut().try_for_each(|rows| rows.add(&frame, classes, ctl))
        })
    }

    /// Fits the method to the encoded rows and consumes them.
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
            classes.with_dataset(|data, schema| {
                let task = classes.task(method, params, key, FitContext::default());
                methods::fit_pieces(&task, coded, data, schema, ctl)
            })
        })?;
        let model = fitted(py, model)?;
        let Some(stopped) = stopped else { return Ok(model) };
        Err(with_incumbent(py, stopped, model))
    }
}

impl StreamingFit {
    /// Applies `work` to each column being read and its new rows.
    fn each(
        &mut self,
        py: Python<'_>,
        frame: &FrameArg<'_>,
        classes: &Codes<'_>,
        options: &OptionsArg,
        work: impl Fn(&mut StreamingColumn, &Column<'_>, &[u32], RunContext<'_>) -> imbcore_core::Result<()>
        + Send
        + Sync,
    ) -> PyResult<()> {
        let (frame, classes) = (frame.frame().map_err(to_python)?, contiguous(classes)?);
        let Self { n_classes, common, reading, columns, .. } = self;
        run(py, None, options.n_threads, |ctl| {
            checked(&frame, classes, *n_classes, columns.len())?;
            if reading.is_empty() {
                let levels = |column: &Column<'_>| match column {
                    Column::Numeric(_) => None,
                    Column::Nominal { levels, .. } => Some(*levels),
                };
                let fresh =
                    frame.columns().iter().map(|column| StreamingColumn::new(levels(column), *common));
                reading.extend(fresh);
            }
            let tasks = reading.iter_mut().zip(frame.columns());
            share::try_map(tasks, |(pieces, column)| work(pieces, column, classes, ctl)).map(drop)
        })
    }
}

/// Checks for infinities and unknown class codes.
///
/// `first` is the index of the frame's first column.
fn checked(frame: &Frame<'_>, classes: &[u32], n_classes: usize, first: usize) -> imbcore_core::Result<()> {
    frame.check_finite().map_err(|error| of_column(error, first))?;
    if classes.len() != frame.n_rows() || classes.iter().any(|&class| class as usize >= n_classes) {
        return Err(Error::Internal("a batch of rows has unknown classes".into()));
    }
    Ok(())
}

/// Converts an error about the only column of a batch to the column's index in the table.
fn of_column(error: Error, at: usize) -> Error {
    match error {
        Error::Column { column, message } => Error::Column { column: column + at, message },
        Error::Data(message) => Error::Column { column: at, message },
        other => other,
    }
}

//! Fits from batches of rows that Python reads.
//!
//! First the states (bins or levels) of the columns are fitted. Then the rows are encoded by these states,
//! and the model is fitted to the codes.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{
    attach_incumbent_to_error, error_to_exception, run_short, run_with_partial_result, run_without_gil,
};
use crate::models::families::model_to_python;
use crate::training_args::{Codes, RunOptionsArg, TrainingArg, contiguous_slice};
use imbcore_bayes::classifier::EncodedRowBuffer;
use imbcore_bayes::{ColumnRule, DiscretizeSettings, StreamingColumnStats};
use imbcore_core::{Column, Error, Frame, RunContext, parallel};
use imbcore_methods::{self as methods, FitContext};
use pyo3::prelude::*;

#[pyclass(module = "imbcore._imbcore.models")]
pub(crate) struct StreamingFit {
    settings: DiscretizeSettings,
    n_classes: usize,
    common: Option<u32>,
    /// Statistics of the columns in the current pass, which counts all columns or one column.
    reading: Vec<StreamingColumnStats>,
    columns: Vec<(ColumnRule, Option<(f64, f64)>)>,
    rows: Option<EncodedRowBuffer>,
}

#[pymethods]
impl StreamingFit {
    /// Creates the state for a method that can be fitted from batches.
    ///
    /// `training` has one row per class, which represents all rows of the class.
    #[new]
    #[pyo3(signature = (method, params, training, options))]
    fn new(
        py: Python<'_>,
        method: &str,
        params: &str,
        training: TrainingArg<'_>,
        options: RunOptionsArg,
    ) -> PyResult<Self> {
        let (rows, key) = (training.rows()?, options.seed_key());
        let (settings, n_classes, common) = run_short(py, || {
            rows.with_dataset(|data, schema| {
                let task = rows.fit_task(method, params, key, FitContext::default());
                let settings = methods::discretize_settings_of_task(&task, &schema)?;
                // Each class has a single row, whose weight is the number of rows of the class.
                let counts: Vec<f64> = (0..data.n_classes()).map(|class| data.weight(class)).collect();
                Ok((
                    settings,
                    data.n_classes(),
                    settings.class_for_compact_counts(&counts, schema.features.len()),
                ))
            })
        })?;
        Ok(Self { settings, n_classes, common, reading: Vec::new(), columns: Vec::new(), rows: None })
    }

    /// Code of the majority class, if its rows are counted but not stored; otherwise `None`.
    ///
    /// If there is a code, the rows of all other classes must first be passed to `add_rare_rows`, and all
    /// columns are processed at the same time. If there is none, columns are counted and fitted one after the
    /// other.
    #[getter]
    fn counted_class(&self) -> Option<u32> {
        self.common
    }

    /// Stores a batch of rows of all classes except the majority class, before rows are counted.
    #[pyo3(signature = (frame, classes, options))]
    fn add_rare_rows(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        options: RunOptionsArg,
    ) -> PyResult<()> {
        self.for_each_column(py, &frame, &classes, &options, |pieces, column, classes, _| {
            pieces.add_rare_rows(column, classes)
        })
    }

    /// Counts the values of a batch of rows, in the columns of the current pass.
    #[pyo3(signature = (frame, classes, options))]
    fn count_values(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        options: RunOptionsArg,
    ) -> PyResult<()> {
        self.for_each_column(py, &frame, &classes, &options, StreamingColumnStats::add_rows)
    }

    /// Fits the states of the columns that were counted since the last call of this method.
    #[pyo3(signature = (options))]
    fn fit_states(&mut self, py: Python<'_>, options: RunOptionsArg) -> PyResult<()> {
        let (settings, n_classes, first) = (self.settings, self.n_classes, self.columns.len());
        let pieces = std::mem::take(&mut self.reading).into_iter().enumerate();
        self.columns.extend(run_without_gil(py, None, options.n_threads, |ctl| {
            let learn = |(i, pieces): (usize, StreamingColumnStats)| {
                pieces
                    .into_rule(settings, n_classes, ctl)
                    .map_err(|error| renumber_error_column(error, first + i))
            };
            parallel::try_map(pieces, learn)
        })?);
        Ok(())
    }

    /// Indices of columns with at least two states; other columns need not be read again.
    #[getter]
    fn informative_columns(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&i| self.columns[i].0.is_informative()).collect()
    }

    /// Encodes a batch of rows; the states of all columns must be fitted.
    ///
    /// `n_rows` is the total number of rows of all batches.
    #[pyo3(signature = (frame, classes, n_rows, options))]
    fn encode(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        n_rows: usize,
        options: RunOptionsArg,
    ) -> PyResult<()> {
        let (frame, classes) = (frame.frame().map_err(error_to_exception)?, contiguous_slice(&classes)?);
        let Self { settings, n_classes, columns, rows, .. } = self;
        run_without_gil(py, None, options.n_threads, |ctl| {
            check_batch(&frame, classes, *n_classes, 0)?;
            if rows.is_none() {
                *rows = Some(EncodedRowBuffer::new(*settings, std::mem::take(columns), *n_classes, n_rows)?);
            }
            rows.iter_mut().try_for_each(|rows| rows.add_rows(&frame, classes, ctl))
        })
    }

    /// Fits the method to the encoded rows, which are released afterward.
    #[pyo3(signature = (method, params, training, options))]
    fn fit<'py>(
        &mut self,
        py: Python<'py>,
        method: &str,
        params: &str,
        training: TrainingArg<'_>,
        options: RunOptionsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (classes, key) = (training.rows()?, options.seed_key());
        let coded = self.rows.take();
        let (model, stopped) = run_with_partial_result(py, options.callback, options.n_threads, |ctl| {
            let coded = coded.ok_or_else(|| Error::Internal("no rows were taken".into()))?;
            classes.with_dataset(|data, schema| {
                let task = classes.fit_task(method, params, key, FitContext::default());
                methods::fit_encoded_stream(&task, coded, data, schema, ctl)
            })
        })?;
        let model = model_to_python(py, model)?;
        let Some(stopped) = stopped else { return Ok(model) };
        Err(attach_incumbent_to_error(py, stopped, model))
    }
}

impl StreamingFit {
    /// Calls `work` with each column of the current pass and a new batch of rows.
    fn for_each_column(
        &mut self,
        py: Python<'_>,
        frame: &FrameArg<'_>,
        classes: &Codes<'_>,
        options: &RunOptionsArg,
        work: impl Fn(&mut StreamingColumnStats, &Column<'_>, &[u32], RunContext<'_>) -> imbcore_core::Result<()>
        + Send
        + Sync,
    ) -> PyResult<()> {
        let (frame, classes) = (frame.frame().map_err(error_to_exception)?, contiguous_slice(classes)?);
        let Self { n_classes, common, reading, columns, .. } = self;
        run_without_gil(py, None, options.n_threads, |ctl| {
            check_batch(&frame, classes, *n_classes, columns.len())?;
            if reading.is_empty() {
                let levels = |column: &Column<'_>| match column {
                    Column::Numeric(_) => None,
                    Column::Nominal { levels, .. } => Some(*levels),
                };
                let fresh =
                    frame.columns().iter().map(|column| StreamingColumnStats::new(levels(column), *common));
                reading.extend(fresh);
            }
            let tasks = reading.iter_mut().zip(frame.columns());
            parallel::try_map(tasks, |(pieces, column)| work(pieces, column, classes, ctl)).map(drop)
        })
    }
}

/// Checks a batch for infinite values and unknown class codes.
///
/// `first` is the index in the table of the first column of the frame.
fn check_batch(
    frame: &Frame<'_>,
    classes: &[u32],
    n_classes: usize,
    first: usize,
) -> imbcore_core::Result<()> {
    frame.check_finite().map_err(|error| renumber_error_column(error, first))?;
    if classes.len() != frame.n_rows() || classes.iter().any(|&class| class as usize >= n_classes) {
        return Err(Error::Internal("a batch of rows has unknown classes".into()));
    }
    Ok(())
}

/// Converts the column index of an error from the batch to the table.
///
/// `at` is the index in the table of the first column of the batch. A data error that names no column becomes
/// an error about the column `at`.
fn renumber_error_column(error: Error, at: usize) -> Error {
    match error {
        Error::Column { column, message } => Error::Column { column: column + at, message },
        Error::Data(message) => Error::Column { column: at, message },
        other => other,
    }
}

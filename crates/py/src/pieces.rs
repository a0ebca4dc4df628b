//! Fits from pieces of the rows that Python reads: first the states of the columns, then the codes of the rows.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{carrying, quick, run, run_keeping, to_python};
use crate::models::families::fitted;
use crate::parcels::{Codes, OptionsArg, TrainingArg, contiguous};
use imbcore_base::{Column, Error, Frame, RunCtl, share};
use imbcore_bayes::classifier::CodedRows;
use imbcore_bayes::{ColumnPieces, ColumnRule, DiscretizeSettings};
use imbcore_methods::{self as methods, Door};
use pyo3::prelude::*;

/// What is known of the rows so far.
#[pyclass(module = "imbcore._imbcore.models")]
pub(crate) struct Pieces {
    settings: DiscretizeSettings,
    n_classes: usize,
    common: Option<u32>,
    /// The columns that are being read: all, or one after the other.
    reading: Vec<ColumnPieces>,
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
        let (settings, n_classes, common) = quick(py, || {
            rows.with(|data, schema| {
                let task = rows.task(method, params, key, Door::default());
                let settings = methods::piece_cuts(&task, &schema)?;
                // The weight of the one row of a class is the number of its rows.
                let counts: Vec<f64> = (0..data.n_classes()).map(|class| data.weight(class)).collect();
                Ok((settings, data.n_classes(), settings.common_class(&counts, schema.features.len())))
            })
        })?;
        Ok(Self { settings, n_classes, common, reading: Vec::new(), columns: Vec::new(), rows: None })
    }

    /// The class whose rows need only be counted, of all columns at once, after those of the others were shown; where there is
    /// none, one column is counted and learnt after the other.
    #[getter]
    fn common(&self) -> Option<u32> {
        self.common
    }

    /// Shows rows of all classes but the common one.
    #[pyo3(signature = (frame, classes, options))]
    fn show(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        options: OptionsArg,
    ) -> PyResult<()> {
        self.each(py, &frame, &classes, &options, |pieces, column, of, _| pieces.show(column, of))
    }

    /// Counts the values of more rows of the columns that are read.
    #[pyo3(signature = (frame, classes, options))]
    fn count(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        classes: Codes<'_>,
        options: OptionsArg,
    ) -> PyResult<()> {
        self.each(py, &frame, &classes, &options, ColumnPieces::add)
    }

    /// Learns the states of the columns that were read; the next one follows, if they are not all.
    #[pyo3(signature = (options))]
    fn learn(&mut self, py: Python<'_>, options: OptionsArg) -> PyResult<()> {
        let (settings, n_classes, first) = (self.settings, self.n_classes, self.columns.len());
        let pieces = std::mem::take(&mut self.reading).into_iter().enumerate();
        self.columns.extend(run(py, None, options.n_threads, |ctl| {
            let learn = |(at, pieces): (usize, ColumnPieces)| {
                pieces.rule(settings, n_classes, ctl).map_err(|error| of_column(error, first + at))
            };
            share::try_map(pieces, learn)
        })?);
        Ok(())
    }

    /// Columns that say something about the class, of those whose states were learnt: the others need not be read again.
    #[getter]
    fn telling(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&at| self.columns[at].0.informs()).collect()
    }

    /// Takes more rows as codes; the states of all columns are known. `n_rows` will come in all.
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
                *rows = Some(CodedRows::new(*settings, std::mem::take(columns), *n_classes, n_rows)?);
            }
            rows.iter_mut().try_for_each(|rows| rows.add(&frame, classes, ctl))
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

impl Pieces {
    /// Does something with each column that is read, and more rows of it.
    fn each(
        &mut self,
        py: Python<'_>,
        frame: &FrameArg<'_>,
        classes: &Codes<'_>,
        options: &OptionsArg,
        work: impl Fn(&mut ColumnPieces, &Column<'_>, &[u32], RunCtl<'_>) -> imbcore_base::Result<()>
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
                let fresh = frame.columns().iter().map(|column| ColumnPieces::new(levels(column), *common));
                reading.extend(fresh);
            }
            let tasks = reading.iter_mut().zip(frame.columns());
            share::try_map(tasks, |(pieces, column)| work(pieces, column, classes, ctl)).map(drop)
        })
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

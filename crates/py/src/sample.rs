//! Samplers: resampling plans, and the values of synthetic rows.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_without_gil};
use crate::training_args::{Codes, RunOptionsArg, contiguous_slice};
use imbcore_core::Error;
use imbcore_resample::{self as sample, AddedRows, NO_MATE, ResamplingPlan, ResamplingTask};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray2, ToPyArray};
use pyo3::prelude::*;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

type Rows<'py> = Bound<'py, PyArray1<i64>>;

/// A resampling plan as arrays.
///
/// `kept` is `None` if all rows are kept. `made` is `None` if all added rows are exact copies of their
/// sources.
#[derive(IntoPyObject)]
pub(crate) struct Resampled<'py> {
    kept: Option<Rows<'py>>,
    sources: Rows<'py>,
    mates: Rows<'py>,
    gaps: Bound<'py, PyArray1<f64>>,
    made: Option<PyAddedRows>,
    codes: BTreeMap<usize, Bound<'py, PyArray1<u32>>>,
    neighborhoods: BTreeMap<u32, [Rows<'py>; 3]>,
    links: Bound<'py, PyArray2<i64>>,
}

fn row_array<'py>(py: Python<'py>, rows: &[u32]) -> Rows<'py> {
    rows.iter()
        .map(|&row| if row == NO_MATE { -1 } else { i64::from(row) })
        .collect::<Vec<_>>()
        .into_pyarray(py)
}

/// Added rows that are not exact copies; their values are computed only when requested.
#[pyclass(frozen, name = "AddedRows", module = "imbcore._imbcore.sampling")]
pub(crate) struct PyAddedRows(AddedRows);

#[pymethods]
impl PyAddedRows {
    /// Writes the numeric columns of the added rows into `numbers`, in row-major order.
    fn write(
        &self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        mut numbers: PyReadwriteArray2<'_, f64>,
    ) -> PyResult<()> {
        let frame = frame.frame().map_err(error_to_exception)?;
        let Ok(numbers) = numbers.as_slice_mut() else {
            return Err(error_to_exception(Error::Internal(
                "the buffer of added rows must be contiguous".into(),
            )));
        };
        run_without_gil(py, None, 1, |ctl| self.0.write_numeric_values(&frame, numbers, ctl))
    }
}

impl<'py> Resampled<'py> {
    fn new(py: Python<'py>, plan: ResamplingPlan) -> PyResult<Self> {
        let (added, n) = (plan.added, plan.links.len());
        let links: Vec<i64> = plan.links.iter().flat_map(|&(a, b)| [i64::from(a), i64::from(b)]).collect();
        Ok(Self {
            kept: plan.kept.map(|kept| row_array(py, &kept)),
            sources: row_array(py, &added.sources),
            mates: row_array(py, &added.neighbors),
            gaps: added.fractions.to_pyarray(py),
            codes: added.codes.iter().map(|(&column, codes)| (column, codes.to_pyarray(py))).collect(),
            neighborhoods: plan
                .neighborhoods
                .iter()
                .map(|(&class, found)| {
                    (class, [&found.danger, &found.noise, &found.safe].map(|place| row_array(py, place)))
                })
                .collect(),
            links: links.into_pyarray(py).reshape([n, 2])?,
            made: (!added.are_copies()).then_some(PyAddedRows(added)),
        })
    }
}

#[pyfunction]
pub(crate) fn samplers() -> PyResult<String> {
    serde_json::to_string(&sample::samplers())
        .map_err(|error| error_to_exception(Error::Internal(error.to_string())))
}

/// Class codes of rows, and the class labels as JSON.
#[derive(FromPyObject)]
pub(crate) struct ClassesArg<'py>(Codes<'py>, String);

#[pyfunction]
#[pyo3(signature = (name, params, frame, classes, options))]
pub(crate) fn resample<'py>(
    py: Python<'py>,
    name: &str,
    params: &str,
    frame: Option<FrameArg<'_>>,
    classes: ClassesArg<'_>,
    options: RunOptionsArg,
) -> PyResult<Resampled<'py>> {
    let frame = frame.as_ref().map(FrameArg::frame).transpose().map_err(error_to_exception)?;
    let (codes, labels, key) = (contiguous_slice(&classes.0)?, &classes.1, options.seed_key());
    let plan = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        let broken = |error: serde_json::Error| Error::Internal(error.to_string());
        let given: Map<String, Value> = serde_json::from_str(params).map_err(broken)?;
        let labels: Vec<_> = serde_json::from_str(labels).map_err(broken)?;
        let task = ResamplingTask::new(frame.as_ref(), codes, &labels)?;
        let given = sample::labels_to_codes(name, &given, &labels)?;
        sample::plan(name, &given, &task, key, ctl)
    })?;
    Resampled::new(py, plan)
}

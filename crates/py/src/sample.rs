//! Samplers: what is to be done with rows, and the numbers of those that are made.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{run, to_python};
use crate::parcels::{Codes, OptionsArg, contiguous};
use imbcore_base::Error;
use imbcore_sample::{self as sample, NO_MATE, Plan, Task};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

type Rows<'py> = Bound<'py, PyArray1<i64>>;

/// A plan as arrays; `kept` is None where all rows stay, and `numbers` where added rows are exact copies.
#[derive(IntoPyObject)]
pub(crate) struct Resampled<'py> {
    kept: Option<Rows<'py>>,
    sources: Rows<'py>,
    mates: Rows<'py>,
    gaps: Bound<'py, PyArray1<f64>>,
    numbers: Option<Bound<'py, PyArray2<f64>>>,
    codes: BTreeMap<usize, Bound<'py, PyArray1<u32>>>,
    neighborhoods: BTreeMap<u32, [Rows<'py>; 3]>,
    links: Bound<'py, PyArray2<i64>>,
}

fn rows<'py>(py: Python<'py>, rows: &[u32]) -> Rows<'py> {
    rows.iter()
        .map(|&row| if row == NO_MATE { -1 } else { i64::from(row) })
        .collect::<Vec<_>>()
        .into_pyarray(py)
}

fn matrix<T: numpy::Element>(
    py: Python<'_>,
    values: Vec<T>,
    n_rows: usize,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    values.into_pyarray(py).reshape([n_rows, width])
}

impl<'py> Resampled<'py> {
    fn new(py: Python<'py>, plan: Plan, numbers: Option<Vec<f64>>) -> PyResult<Self> {
        let (added, n) = (plan.added, plan.links.len());
        let width = |numbers: &Vec<f64>| numbers.len() / added.len().max(1);
        let links = plan.links.iter().flat_map(|&(a, b)| [i64::from(a), i64::from(b)]).collect();
        Ok(Self {
            kept: plan.kept.map(|kept| rows(py, &kept)),
            sources: rows(py, &added.sources),
            mates: rows(py, &added.mates),
            numbers: numbers
                .map(|all| (width(&all), all))
                .map(|(w, all)| matrix(py, all, added.len(), w))
                .transpose()?,
            gaps: added.gaps.into_pyarray(py),
            codes: added.codes.into_iter().map(|(column, codes)| (column, codes.into_pyarray(py))).collect(),
            neighborhoods: plan
                .neighborhoods
                .iter()
                .map(|(&class, of)| (class, [&of.danger, &of.noise, &of.safe].map(|place| rows(py, place))))
                .collect(),
            links: matrix(py, links, n, 2)?,
        })
    }
}

/// All samplers, as JSON.
#[pyfunction]
pub(crate) fn samplers() -> PyResult<String> {
    serde_json::to_string(&sample::samplers()).map_err(|error| to_python(Error::Internal(error.to_string())))
}

/// Classes of rows: their codes, and the labels of these as JSON.
#[derive(FromPyObject)]
pub(crate) struct ClassesArg<'py>(Codes<'py>, String);

/// Plans what a sampler does.
#[pyfunction]
#[pyo3(signature = (name, params, frame, classes, options))]
pub(crate) fn resample<'py>(
    py: Python<'py>,
    name: &str,
    params: &str,
    frame: Option<FrameArg<'_>>,
    classes: ClassesArg<'_>,
    options: OptionsArg,
) -> PyResult<Resampled<'py>> {
    let frame = frame.as_ref().map(FrameArg::frame).transpose().map_err(to_python)?;
    let (codes, labels, key) = (contiguous(&classes.0)?, &classes.1, options.key());
    let (plan, numbers) = run(py, options.callback, options.n_threads, |ctl| {
        let broken = |error: serde_json::Error| Error::Internal(error.to_string());
        let given: Map<String, Value> = serde_json::from_str(params).map_err(broken)?;
        let labels: Vec<_> = serde_json::from_str(labels).map_err(broken)?;
        let task = Task::new(frame.as_ref(), codes, &labels)?;
        let given = sample::by_code(name, &given, &labels)?;
        let plan = sample::plan(name, &given, &task, key, ctl)?;
        let numbers = match &frame {
            Some(frame) if !plan.added.are_copies() => Some(plan.added.numbers(frame)?),
            _ => None,
        };
        Ok((plan, numbers))
    })?;
    Resampled::new(py, plan, numbers)
}

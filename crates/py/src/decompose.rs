//! Decomposition of several classes into binary tasks, to which Python fits models.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short};
use crate::costs::matrix_and_threshold;
use crate::training_args::LabelsAndWeightsArg;
use imbcore_core::{Error, SeedKey};
use imbcore_ensembles::decompose::{CodeBook, ColumnTask, Decoding, decode_rows};
use imbcore_methods::{self as methods, DecompositionRequest};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

type CodeMatrix<'py> = PyReadonlyArray2<'py, i8>;
type Codes<'py> = PyReadonlyArray1<'py, u32>;
type Numbers<'py> = PyReadonlyArray1<'py, f64>;

fn code_book(book: &CodeMatrix<'_>) -> imbcore_core::Result<CodeBook> {
    CodeBook::new(book.as_array().iter().copied().collect(), book.shape()[0])
}

fn parse_decoding(decoding: &str) -> imbcore_core::Result<Decoding> {
    serde_json::from_value(decoding.into()).map_err(|error| Error::Internal(error.to_string()))
}

#[pyfunction]
#[pyo3(signature = (method, params, weighing, positive, seed))]
pub(crate) fn outline_decomposition<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    weighing: LabelsAndWeightsArg<'_>,
    positive: u32,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let weighing = weighing.to_weighted_labels()?;
    let n_classes = weighing.labels.len();
    let found = run_short(py, || {
        methods::outline_decomposition(&DecompositionRequest {
            method,
            params,
            classes: weighing.codes,
            labels: &weighing.labels,
            weights: weighing.weights,
            class_weight: weighing.class_weight.as_ref(),
            costs: Some(&weighing.costs),
            positive: Some(positive),
            key: SeedKey::root(seed),
        })
    })?;
    let (cost_matrix, threshold) = matrix_and_threshold(py, &found.decision)?;
    let decoding = serde_json::to_value(found.decoding).unwrap_or_default();
    let shape = [n_classes, found.book.n_columns()];
    let outline = PyDict::new(py);
    outline.set_item("code_book", found.book.cells().to_vec().into_pyarray(py).reshape(shape)?)?;
    outline.set_item("decoding", decoding.as_str())?;
    outline.set_item("weights", found.weights.map(|weights| weights.into_pyarray(py)))?;
    outline.set_item("shares", found.shares.into_pyarray(py))?;
    outline.set_item("cost_matrix", cost_matrix)?;
    outline.set_item("threshold", threshold)?;
    outline.set_item("positive", found.positive)?;
    outline.set_item("seeds", found.seeds)?;
    Ok(outline)
}

/// Binary task of a column of the code book; the column has a label for each class.
///
/// Returns the rows of the task (`None` for all rows) and the label of each row, 1 or 0. If all rows have the
/// same label, a constant prediction is also returned (otherwise `None`). The last value is the label with
/// less total weight.
#[pyfunction]
#[pyo3(signature = (book, column, codes, sample_weight))]
#[allow(clippy::type_complexity)]
pub(crate) fn column_task<'py>(
    py: Python<'py>,
    book: CodeMatrix<'_>,
    column: usize,
    codes: Codes<'_>,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<(Option<Bound<'py, PyArray1<u32>>>, Bound<'py, PyArray1<u32>>, Option<f64>, u32)> {
    let classes = codes.as_slice()?;
    let weights = sample_weight.as_ref().map(Numbers::as_slice).transpose()?;
    let book = code_book(&book).map_err(error_to_exception)?;
    let task = run_short(py, || {
        if column >= book.n_columns() || classes.iter().any(|&class| class as usize >= book.n_classes()) {
            return Err(Error::Internal("a column or a class is outside the code book".into()));
        }
        Ok(ColumnTask::new(&book, column, classes, weights))
    })?;
    Ok((
        task.rows.map(|rows| rows.into_pyarray(py)),
        task.positive.into_pyarray(py),
        task.constant,
        task.rarer,
    ))
}

#[pyfunction]
#[pyo3(signature = (decoding, book, columns, shares))]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    decoding: &str,
    book: CodeMatrix<'_>,
    columns: Vec<Numbers<'_>>,
    shares: Numbers<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let columns = columns.iter().map(Numbers::as_slice).collect::<Result<Vec<_>, _>>()?;
    let shares = shares.as_slice()?;
    let n_rows = columns.first().map_or(0, |column| column.len());
    let book = code_book(&book).map_err(error_to_exception)?;
    let n_classes = book.n_classes();
    let proba = run_short(py, || {
        if columns.len() != book.n_columns() || columns.iter().any(|column| column.len() != n_rows) {
            return Err(Error::Internal("the members' probabilities do not fit the code book".into()));
        }
        Ok(decode_rows(parse_decoding(decoding)?, &book, &columns, shares))
    })?;
    proba.into_pyarray(py).reshape([n_rows, n_classes])
}

#[pyfunction]
#[pyo3(signature = (scores))]
pub(crate) fn logistic<'py>(py: Python<'py>, scores: Numbers<'_>) -> Bound<'py, PyArray1<f64>> {
    imbcore_core::logistic(scores.as_array().iter().copied()).into_pyarray(py)
}

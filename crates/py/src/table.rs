//! Reading of text files into one array per column.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short, run_without_gil};
use imbcore_core::{Error, Result};
use imbcore_data::{
    ColumnRole, ScannedTextTable, TextBatchReader, TextColumnKind, TextColumnValues, TextFormat, TextInput,
    TextTable,
};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct TextFormatArg {
    separator: Option<String>,
    decimal: Option<String>,
    thousands: Option<String>,
    encoding: Option<String>,
    has_header: bool,
    missing: Vec<String>,
}

impl TextFormatArg {
    fn text_format(self) -> Result<TextFormat> {
        Ok(TextFormat {
            separator: separator_byte(self.separator.as_deref())?,
            decimal: parse_numeric_separator(
                "decimal",
                self.decimal.as_deref(),
                "'.', ',' or None",
                |sign| matches!(sign, '.' | ','),
            )?,
            thousands: parse_numeric_separator(
                "thousands",
                self.thousands.as_deref(),
                "one character that is not a digit, sign or letter, or None",
                |sign| !sign.is_alphanumeric() && !matches!(sign, '-' | '+' | '"' | '\r' | '\n'),
            )?,
            encoding: self.encoding,
            has_header: self.has_header,
            missing: self.missing,
        })
    }
}

fn separator_byte(given: Option<&str>) -> Result<Option<u8>> {
    match given.map(str::as_bytes) {
        None => Ok(None),
        Some(&[byte]) if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(Some(byte)),
        Some(_) => {
            let expected = "one ASCII character other than a quote or a line end, or None";
            Err(Error::parameter(
                "reading",
                "separator",
                expected,
                format!("{:?}", given.unwrap_or_default()),
            ))
        }
    }
}

fn parse_numeric_separator(
    name: &str,
    given: Option<&str>,
    expected: &str,
    fits: fn(char) -> bool,
) -> Result<Option<char>> {
    let Some(text) = given else { return Ok(None) };
    let mut signs = text.chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) if fits(sign) => Ok(Some(sign)),
        _ => Err(Error::parameter("reading", name, expected, format!("{text:?}"))),
    }
}

/// Text files with the same columns, whose headers have been read.
#[pyclass(frozen, module = "imbcore._imbcore.data", name = "TextTable")]
pub(crate) struct PyTextTable(Arc<TextTable>);

#[pymethods]
impl PyTextTable {
    /// Opens text files; an input with bytes is read from them, and its path is only a name.
    #[new]
    fn new(
        py: Python<'_>,
        inputs: Vec<(PathBuf, Option<Vec<u8>>)>,
        reading: TextFormatArg,
    ) -> PyResult<Self> {
        let table = run_short(py, || {
            let open = |(path, bytes): (PathBuf, Option<Vec<u8>>)| match bytes {
                None => TextInput::open(&path),
                Some(bytes) => Ok(TextInput::Bytes(path.display().to_string(), Arc::new(bytes))),
            };
            let inputs = inputs.into_iter().map(open).collect::<Result<Vec<_>>>()?;
            TextTable::open(&inputs, reading.text_format()?)
        })?;
        Ok(Self(Arc::new(table)))
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names().to_vec()
    }

    /// Generated names of the columns that have an empty name in the header.
    #[getter]
    fn unnamed(&self) -> Vec<String> {
        self.0.generated_column_names().to_vec()
    }

    /// Counts rows and determines column types; `roles` states the use of every column.
    #[pyo3(signature = (roles, callback = None))]
    fn scan(&self, py: Python<'_>, roles: Vec<String>, callback: Option<Py<PyAny>>) -> PyResult<PyTextScan> {
        let roles = roles
            .iter()
            .map(|role| parse_role(role))
            .collect::<Result<Vec<_>>>()
            .map_err(error_to_exception)?;
        let table = Arc::clone(&self.0);
        run_without_gil(py, callback, 1, move |ctl| table.detect_column_kinds(&roles, ctl)).map(PyTextScan)
    }
}

fn parse_role(name: &str) -> Result<ColumnRole> {
    Ok(match name {
        "feature" => ColumnRole::Feature,
        "label" => ColumnRole::Label,
        "number" => ColumnRole::Number,
        "text" => ColumnRole::Text,
        "key" => ColumnRole::Key,
        "skip" => ColumnRole::Skip,
        _ => return Err(Error::Internal(format!("a column has the unknown role {name:?}"))),
    })
}

#[pyclass(frozen, module = "imbcore._imbcore.data", name = "TextScan")]
pub(crate) struct PyTextScan(ScannedTextTable);

#[pymethods]
impl PyTextScan {
    /// Types of the columns: integer, float, boolean, text, empty or skipped.
    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        let name = |kind: &TextColumnKind| match kind {
            TextColumnKind::Integer => "integer",
            TextColumnKind::Float => "float",
            TextColumnKind::Boolean => "boolean",
            TextColumnKind::Text => "text",
            TextColumnKind::Empty => "empty",
            TextColumnKind::Skipped => "skipped",
        };
        self.0.column_kinds().iter().map(name).collect()
    }

    #[getter]
    fn rows(&self) -> Vec<u64> {
        self.0.n_rows_per_file().to_vec()
    }

    /// Reads all rows of some columns.
    ///
    /// A column is a float64 array (NaN if missing), or level codes (4294967295 if missing) with the levels.
    #[pyo3(signature = (columns, callback = None))]
    fn read_all(
        &self,
        py: Python<'_>,
        columns: Vec<usize>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let scan = self.0.clone();
        let found = run_without_gil(py, callback, 1, move |ctl| scan.read_all(&columns, ctl))?;
        found.into_iter().map(|column| column_to_python(py, column)).collect()
    }

    fn open_batches(&self, py: Python<'_>, file: usize, columns: Vec<usize>) -> PyResult<PyTextBatches> {
        run_short(py, || self.0.open_batches(file, &columns))
            .map(|batches| PyTextBatches(Mutex::new(batches)))
    }

    /// Number of the line (from 1) on which a row of a file begins; `row` counts from 0.
    fn line(&self, py: Python<'_>, file: usize, row: u64) -> PyResult<u64> {
        run_short(py, || self.0.line_number_of_row(file, row))
    }
}

#[pyclass(frozen, module = "imbcore._imbcore.data", name = "TextBatches")]
pub(crate) struct PyTextBatches(Mutex<TextBatchReader>);

#[pymethods]
impl PyTextBatches {
    /// Columns of the next batch, which has at most `most` rows; `None` after the last row.
    fn next_rows(&self, py: Python<'_>, most: u64) -> PyResult<Option<Vec<Py<PyAny>>>> {
        let found =
            run_short(py, || self.0.lock().unwrap_or_else(PoisonError::into_inner).read_next_rows(most))?;
        found
            .map(|columns| columns.into_iter().map(|column| column_to_python(py, column)).collect())
            .transpose()
    }
}

fn column_to_python(py: Python<'_>, column: TextColumnValues) -> PyResult<Py<PyAny>> {
    match column {
        TextColumnValues::Numeric(values) => Ok(values.into_pyarray(py).into_any().unbind()),
        TextColumnValues::Text { codes, levels } => {
            Ok((codes.into_pyarray(py), levels).into_pyobject(py)?.into_any().unbind())
        }
    }
}

//! Text files into numpy columns.

use crate::border;
use imbcore_base::Error;
use imbcore_data::{ColumnText, ReadOptions, read_table as read};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use std::path::PathBuf;

/// How a file is read, a dict with these entries.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadingArg {
    delimiter: Option<String>,
    has_header: bool,
    missing: Vec<String>,
    text: Vec<String>,
    numeric: Vec<String>,
}

/// Names and columns of a delimited text file, plain or gzip.
///
/// A column is a float64 array (NaN = missing) or a tuple of uint32 level codes (4294967295 = missing) and the
/// sorted levels.
#[pyfunction]
#[pyo3(signature = (path, reading, callback = None))]
pub(crate) fn read_table(
    py: Python<'_>,
    path: PathBuf,
    reading: ReadingArg,
    callback: Option<Py<PyAny>>,
) -> PyResult<Vec<(String, Py<PyAny>)>> {
    let table = border::run(py, callback, 1, move |ctl| {
        let ReadingArg { delimiter, has_header, missing, text, numeric } = reading;
        let options =
            ReadOptions { delimiter: byte(delimiter.as_deref())?, has_header, missing, text, numeric };
        read(&path, &options, ctl)
    })?;
    table
        .names
        .into_iter()
        .zip(table.columns)
        .map(|(name, column)| Ok((name, to_python(py, column)?)))
        .collect()
}

/// The delimiter as the one byte the reader wants.
fn byte(delimiter: Option<&str>) -> imbcore_base::Result<Option<u8>> {
    match delimiter.map(str::as_bytes) {
        None => Ok(None),
        Some(&[byte]) if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(Some(byte)),
        Some(_) => {
            let expected = "one ASCII character other than a quote or a line end, or None";
            let got = format!("{:?}", delimiter.unwrap_or_default());
            Err(Error::parameter("read_table", "delimiter", expected, got))
        }
    }
}

fn to_python(py: Python<'_>, column: ColumnText) -> PyResult<Py<PyAny>> {
    match column {
        ColumnText::Numeric(values) => Ok(values.into_pyarray(py).into_any().unbind()),
        ColumnText::Text { codes, levels } => {
            Ok((codes.into_pyarray(py), levels).into_pyobject(py)?.into_any().unbind())
        }
    }
}

//! Converts documents (rules, nodes, proofs) to Python lists and dicts.
//!
//! There is no text representation in between.

use crate::border::object_of;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::Value;

/// The document as Python objects, equal to those of a JSON parser.
pub(crate) fn object<'py>(py: Python<'py>, document: &Value) -> PyResult<Bound<'py, PyAny>> {
    object_of(|| part(py, document))?
}

fn part<'py>(py: Python<'py>, document: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match document {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let items = items.iter().map(|item| part(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (name, entry) in entries {
                // Names are few and repeat in every entry of a list.
                dict.set_item(PyString::intern(py, name), part(py, entry)?)?;
            }
            dict.into_any()
        }
    })
}

//! Converts JSON documents (rules, nodes, proofs) to Python lists and dicts.
//!
//! The conversion is direct: no JSON text is written and parsed.

use crate::calls::catch_pyo3_panic;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::Value;

pub(crate) fn document_to_python<'py>(py: Python<'py>, document: &Value) -> PyResult<Bound<'py, PyAny>> {
    catch_pyo3_panic(|| to_object(py, document))?
}

fn to_object<'py>(py: Python<'py>, document: &Value) -> PyResult<Bound<'py, PyAny>> {
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
            let items = items.iter().map(|item| to_object(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (name, entry) in entries {
                // Long lists of dicts repeat the same keys, so the Python strings are shared.
                dict.set_item(PyString::intern(py, name), to_object(py, entry)?)?;
            }
            dict.into_any()
        }
    })
}

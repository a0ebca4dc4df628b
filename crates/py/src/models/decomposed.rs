//! Decompositions of several classes.

use crate::border::to_python;
use crate::models::model::Model;
use imbcore_methods::Fitted;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// A model of several classes by tasks of two.
#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct DecomposedModel;

#[pymethods]
impl DecomposedModel {
    /// Which classes each member holds to be positive.
    #[getter]
    fn code_book<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let model = &this.as_super().get().0;
        let Fitted::Decomposed(found) = model.fitted() else {
            return Err(to_python(model.is_not("is no decomposition and has no code book")));
        };
        let shape = [found.book().n_classes(), found.book().n_columns()];
        found.book().cells().to_vec().into_pyarray(this.py()).reshape(shape)
    }
}

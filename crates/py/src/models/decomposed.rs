//! Decompositions of several classes.

use crate::calls::error_to_exception;
use crate::models::model::Model;
use imbcore_methods::FittedEstimator;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct DecomposedModel;

#[pymethods]
impl DecomposedModel {
    /// Code book, `n_classes x n_tasks`: label of each class in each binary task.
    #[getter]
    fn code_book<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let model = &this.as_super().get().0;
        let FittedEstimator::Decomposed(found) = model.fitted_estimator() else {
            return Err(error_to_exception(
                model.unsupported_error("is not a decomposition and has no code book"),
            ));
        };
        let shape = [found.book().n_classes(), found.book().n_columns()];
        found.book().cells().to_vec().into_pyarray(this.py()).reshape(shape)
    }
}

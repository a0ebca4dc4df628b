//! SVR-Trees (surface-to-volume regularized): single trees with a label for every leaf.

use crate::calls::{error_to_exception, run_short};
use crate::json_document::document_to_python;
use crate::models::model::Model;
use crate::models::tree::SingleTree;
use imbcore_core::Result;
use imbcore_trees::svr::SvrModel;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

#[pyclass(frozen, extends = SingleTree, name = "SVRTreeModel", module = "imbcore._imbcore.models")]
pub(crate) struct SvrTreeModel;

impl SvrTreeModel {
    fn model_and_tree<'a>(this: &'a Bound<'_, Self>) -> Result<(&'a Model, &'a SvrModel)> {
        let model = this.as_super().as_super().get();
        let svr = model
            .0
            .fitted_estimator()
            .svr_tree()
            .ok_or_else(|| model.0.unsupported_error("is not an SVR-Tree"))?;
        Ok((model, svr))
    }
}

#[pymethods]
impl SvrTreeModel {
    /// Record of the growth of the tree: settings, initial state, and the steps taken.
    fn growth<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (model, svr) = Self::model_and_tree(this).map_err(error_to_exception)?;
        document_to_python(this.py(), &run_short(this.py(), || Ok(svr.growth_json(model.0.schema())))?)
    }

    /// Class code that the tree assigns to every node.
    #[getter]
    fn labels<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        Ok(Self::model_and_tree(this)
            .map_err(error_to_exception)?
            .1
            .labels()
            .to_vec()
            .into_pyarray(this.py()))
    }
}

//! Creation of Python objects for native models, with a Python class per model family.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{run_short, run_short_with_memory};
use crate::models::boosted::BoostedModel;
use crate::models::boxes::BoxModel;
use crate::models::decomposed::DecomposedModel;
use crate::models::ensemble::EnsembleModel;
use crate::models::forest::ForestModel;
use crate::models::linear::LinearModel;
use crate::models::model::Model;
use crate::models::network::NetworkModel;
use crate::models::optimal::OptimalTreeModel;
use crate::models::selected::SelectedModel;
use crate::models::svr::SvrTreeModel;
use crate::models::tree::{SingleTree, TreeModel};
use imbcore_methods::{self as methods, FittedEstimator};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Creates the Python object for a model; its class depends on the family of the model.
pub(crate) fn model_to_python(py: Python<'_>, model: methods::Model) -> PyResult<Bound<'_, PyAny>> {
    macro_rules! class_of {
        ($($class:expr),*) => {
            Bound::new(py, PyClassInitializer::from(Model(model))$(.add_subclass($class))*)?.into_any()
        };
    }
    Ok(match model.fitted_estimator() {
        FittedEstimator::Tree(_) | FittedEstimator::Constant(_) => class_of!(SingleTree, TreeModel),
        FittedEstimator::Svr(_) => class_of!(SingleTree, SvrTreeModel),
        FittedEstimator::Optimal(_) => class_of!(SingleTree, OptimalTreeModel),
        FittedEstimator::Forest(_) => class_of!(ForestModel),
        FittedEstimator::Boosted(_) => class_of!(BoostedModel),
        FittedEstimator::Boxes(_) => class_of!(BoxModel),
        FittedEstimator::Bayes(_) => class_of!(NetworkModel),
        FittedEstimator::Linear(_) => class_of!(LinearModel),
        FittedEstimator::Ensemble(_) => class_of!(EnsembleModel),
        FittedEstimator::Selected(_) => class_of!(SelectedModel),
        FittedEstimator::Decomposed(_) => class_of!(DecomposedModel),
    })
}

#[pyfunction]
pub(crate) fn from_bytes<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    model_to_python(py, run_short_with_memory(py, data.len(), || methods::Model::from_bytes(data))?)
}

/// Bytes of a file that stores a Python object that contains models.
///
/// `name` is the kind of the object, such as a conformal predictor. `parts` has the bytes of its parts.
#[pyfunction]
pub(crate) fn wrap<'py>(py: Python<'py>, name: &str, parts: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &run_short(py, || methods::write_wrapper(name, &parts))?))
}

/// Name and parts of a file written by [`wrap`]; `None` for the file of a single model.
#[pyfunction]
pub(crate) fn unwrap<'py>(
    py: Python<'py>,
    data: &[u8],
) -> PyResult<Option<(String, Vec<Bound<'py, PyBytes>>)>> {
    let found = run_short_with_memory(py, data.len(), || methods::read_wrapper(data))?;
    let bytes = |part: &Vec<u8>| PyBytes::new(py, part);
    Ok(found.map(|(name, parts)| (name, parts.iter().map(bytes).collect())))
}

#[pyfunction]
pub(crate) fn ensemble_member<'py>(
    py: Python<'py>,
    model: PyRef<'py, Model>,
    place: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let model = &model.0;
    model_to_python(py, run_short(py, || model.member(place))?)
}

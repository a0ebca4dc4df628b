//! Which class a native model is of.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::border::{quick, quick_on};
use crate::models::boosted::BoostedModel;
use crate::models::boxes::BoxModel;
use crate::models::committee::CommitteeModel;
use crate::models::decomposed::DecomposedModel;
use crate::models::forest::ForestModel;
use crate::models::model::Model;
use crate::models::network::NetworkModel;
use crate::models::optimal::OptimalTreeModel;
use crate::models::svr::SvrTreeModel;
use crate::models::tree::{SingleTree, TreeModel};
use imbcore_methods::{self as methods, Fitted};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A model as an object of the class of its family.
pub(crate) fn fitted(py: Python<'_>, model: methods::Model) -> PyResult<Bound<'_, PyAny>> {
    macro_rules! of {
        ($($class:expr),*) => {
            Bound::new(py, PyClassInitializer::from(Model(model))$(.add_subclass($class))*)?.into_any()
        };
    }
    Ok(match model.fitted() {
        Fitted::Tree(_) | Fitted::Constant(_) => of!(SingleTree, TreeModel),
        Fitted::Svr(_) => of!(SingleTree, SvrTreeModel),
        Fitted::Optimal(_) => of!(SingleTree, OptimalTreeModel),
        Fitted::Forest(_) => of!(ForestModel),
        Fitted::Boosted(_) => of!(BoostedModel),
        Fitted::Boxes(_) => of!(BoxModel),
        Fitted::Bayes(_) => of!(NetworkModel),
        Fitted::Committee(_) => of!(CommitteeModel),
        Fitted::Decomposed(_) => of!(DecomposedModel),
    })
}

/// The model of a file's bytes.
#[pyfunction]
pub(crate) fn from_bytes<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    fitted(py, quick_on(py, data.len(), || methods::Model::from_bytes(data))?)
}

/// The bytes of a file with the parts of what stands around models.
#[pyfunction]
pub(crate) fn wrap<'py>(py: Python<'py>, name: &str, parts: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &quick(py, || methods::wrap(name, &parts))?))
}

/// The name and the parts of what stands around models in a file; None for the file of a model.
#[pyfunction]
pub(crate) fn unwrap<'py>(
    py: Python<'py>,
    data: &[u8],
) -> PyResult<Option<(String, Vec<Bound<'py, PyBytes>>)>> {
    let found = quick_on(py, data.len(), || methods::unwrap(data))?;
    let bytes = |part: &Vec<u8>| PyBytes::new(py, part);
    Ok(found.map(|(name, parts)| (name, parts.iter().map(bytes).collect())))
}

/// One member of a committee as a model of its own, of the family that it is of.
#[pyfunction]
pub(crate) fn committee_member<'py>(
    py: Python<'py>,
    model: &Bound<'py, CommitteeModel>,
    place: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let model = CommitteeModel::model(model);
    fitted(py, quick(py, || model.0.member(place))?)
}

//! Which class a native model is of.

use crate::border::quick;
use crate::models::boxes::BoxModel;
use crate::models::committee::CommitteeModel;
use crate::models::decomposed::DecomposedModel;
use crate::models::forest::ForestModel;
use crate::models::model::Model;
use crate::models::network::NetworkModel;
use crate::models::svr::SvrTreeModel;
use crate::models::tree::{SingleTree, TreeModel};
use imbcore_methods::{self as methods, Fitted};
use pyo3::prelude::*;

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
        Fitted::Forest(_) => of!(ForestModel),
        Fitted::Boxes(_) => of!(BoxModel),
        Fitted::Bayes(_) => of!(NetworkModel),
        Fitted::Committee(_) => of!(CommitteeModel),
        Fitted::Decomposed(_) => of!(DecomposedModel),
    })
}

/// The model of a file's bytes.
#[pyfunction]
pub(crate) fn from_bytes<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    fitted(py, quick(py, || methods::Model::from_bytes(data))?)
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

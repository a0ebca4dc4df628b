//! Exact trees: what is proven of them, and the other trees of their hull.

use crate::border::{quick, to_python};
use crate::document::object;
use crate::models::model::Model;
use crate::models::tree::SingleTree;
use imbcore_base::Result;
use imbcore_methods as methods;
use imbcore_optimal::{Floor, OptimalModel as Optimal};
use pyo3::prelude::*;

/// A model that is an exact tree.
#[pyclass(frozen, extends = SingleTree, module = "imbcore._imbcore.models")]
pub(crate) struct OptimalTreeModel;

impl OptimalTreeModel {
    fn parts<'a>(this: &'a Bound<'_, Self>) -> PyResult<(&'a Model, &'a Optimal)> {
        let model = this.as_super().as_super().get();
        Ok((model, model.0.exact_tree().map_err(to_python)?))
    }

    fn answering<'py>(
        this: &Bound<'py, Self>,
        by: impl FnOnce(&methods::Model) -> Result<methods::Model> + Send,
    ) -> PyResult<Bound<'py, Self>> {
        let (model, _) = Self::parts(this)?;
        let base = PyClassInitializer::from(Model(quick(this.py(), || by(&model.0))?));
        Bound::new(this.py(), base.add_subclass(SingleTree).add_subclass(Self))
    }
}

#[pymethods]
impl OptimalTreeModel {
    /// What is proven, and the errors of every tree.
    fn certificate<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (_, found) = Self::parts(this)?;
        object(this.py(), &quick(this.py(), || Ok(found.certificate()))?)
    }

    /// Place of the tree of least cost at these prices of an error.
    fn cheapest(this: &Bound<'_, Self>, false_positive: f64, false_negative: f64) -> PyResult<usize> {
        Ok(Self::parts(this)?.1.cheapest(false_positive, false_negative))
    }

    /// Place of the tree of largest F-measure.
    fn best_f(this: &Bound<'_, Self>, beta: f64) -> PyResult<usize> {
        Ok(Self::parts(this)?.1.best_f(beta))
    }

    /// The model that answers by the best tree under a floor of recall or of precision.
    fn at_floor<'py>(this: &Bound<'py, Self>, of_recall: bool, share: f64) -> PyResult<Bound<'py, Self>> {
        let floor = if of_recall { Floor::Recall(share) } else { Floor::Precision(share) };
        Self::answering(this, |model| model.at_floor(floor))
    }

    /// The model that answers by the tree of a place.
    fn at_tree<'py>(this: &Bound<'py, Self>, place: usize) -> PyResult<Bound<'py, Self>> {
        Self::answering(this, |model| model.at_tree(place))
    }
}

//! Exact trees: one family of models with several trees, of which one answers.

use crate::fitted::Fitted;
use crate::model::Model;
use imbcore_base::{Decision, Result};
use imbcore_optimal::OptimalModel;

impl Model {
    /// The exact tree of the model.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model of another family.
    pub fn exact_tree(&self) -> Result<&OptimalModel> {
        self.fitted().optimal().ok_or_else(|| self.is_not("is no exact tree"))
    }

    /// The model that answers by another tree of its hull, whose answers no costs or threshold change.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model of another family; [`imbcore_base::Error::Data`] when there is no such
    /// tree.
    pub fn at_tree(&self, place: usize) -> Result<Self> {
        let fitted = Fitted::Optimal(self.exact_tree()?.at(place)?);
        let (params, schema) = (self.params().clone(), self.schema().clone());
        let model = Self::new(self.method(), params, schema, fitted, Decision::Argmax, self.positive())?;
        Ok(model.with_shares(self.shares().clone()))
    }
}

//! Exact trees: one family of models with several trees, of which one answers.

use crate::fitted::Fitted;
use crate::model::Model;
use imbcore_base::{Decision, Result};
use imbcore_optimal::{Floor, OptimalModel};

impl Model {
    /// The exact tree of the model.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model of another family.
    pub fn exact_tree(&self) -> Result<&OptimalModel> {
        self.fitted().optimal().ok_or_else(|| self.is_not("is no exact tree"))
    }

    /// Whether probabilities are those of the tree that answers.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] where they come from all trees of a hull.
    pub fn speaks_by_tree(&self) -> Result<()> {
        if self.fitted().optimal().is_none_or(OptimalModel::speaks_by_tree) {
            return Ok(());
        }
        Err(self.is_not("with objective=\"hull\" has probabilities of all its trees, which this is not made for; take one of them by `at`"))
    }

    /// The model that answers by another tree of its hull, whose answers no costs or threshold change.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model of another family; [`imbcore_base::Error::Data`] when there is no such
    /// tree.
    pub fn at_tree(&self, place: usize) -> Result<Self> {
        self.answering_as(self.exact_tree()?.at(place)?)
    }

    /// The model that answers by the best tree of its hull under a floor, as [`Self::at_tree`].
    ///
    /// # Errors
    /// As [`Self::at_tree`].
    pub fn at_floor(&self, floor: Floor) -> Result<Self> {
        self.answering_as(self.exact_tree()?.at_floor(floor)?)
    }

    fn answering_as(&self, tree: OptimalModel) -> Result<Self> {
        let fitted = Fitted::Optimal(tree);
        let (params, schema) = (self.params().clone(), self.schema().clone());
        let model = Self::new(self.method(), params, schema, fitted, Decision::Argmax, self.positive())?;
        Ok(model.with_shares(self.shares().clone()))
    }
}

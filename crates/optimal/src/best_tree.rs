//! A tree with its answers and errors.

use crate::grown::answering;
use imbcore_base::Result;
use imbcore_tree::{Tree, TreeModel};

/// A tree that is best at something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BestTree {
    pub(crate) tree: TreeModel,
    pub(crate) labels: Vec<u32>,
    /// Weight of the training rows of the other class that it answers with the positive one, and of those of the positive class
    /// that it answers with another one.
    pub(crate) errors: [f64; 2],
}

impl BestTree {
    pub(crate) fn new(tree: Tree, labels: Vec<u32>, errors: [f64; 2]) -> Result<Self> {
        Ok(Self { tree: answering(tree, &labels)?, labels, errors })
    }
}

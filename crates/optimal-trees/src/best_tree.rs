//! A fitted tree with the labels of its leaves and its training errors.

use crate::tree_builder::build_model;
use imbcore_core::Result;
use imbcore_trees::{Tree, TreeModel};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FittedTree {
    pub(crate) tree: TreeModel,
    pub(crate) labels: Vec<u32>,
    /// Training weight of the false positives and of the false negatives.
    pub(crate) errors: [f64; 2],
}

impl FittedTree {
    pub(crate) fn new(tree: Tree, labels: Vec<u32>, errors: [f64; 2]) -> Result<Self> {
        Ok(Self { tree: build_model(tree, &labels)?, labels, errors })
    }
}

//! Predictions of every tree of a pruning path for the same rows.
//! The rows are sent through the full tree only once.

use super::cost_complexity::PruningPath;
use crate::model::TreeModel;
use imbcore_core::{Frame, Result, RunContext, index_of_first_largest};

/// Rows that have been sent through a full (unpruned) tree.
///
/// The predictions of every pruned tree of the path are computed from the leaves that the rows reached.
#[derive(Clone, Debug)]
pub struct StagedPredictions {
    n_classes: usize,
    model: TreeModel,
    parents: Vec<usize>,
    /// For each node, the index of the first tree whose pruning step turns it into a leaf.
    felled_at: Vec<usize>,
    reached: Vec<Vec<(u32, f64)>>,
}

impl StagedPredictions {
    /// Sends rows through the tree of `model`, whose pruning path is `path`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity; [`imbcore_core::Error::Cancelled`].
    pub fn new(
        model: &TreeModel,
        path: &PruningPath,
        frame: &Frame<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let tree = model.tree();
        let mut felled_at = vec![usize::MAX; tree.n_nodes()];
        for (step, nodes) in path.pruned.iter().enumerate() {
            for &node in nodes {
                felled_at[node as usize] = step;
            }
        }
        Ok(Self {
            n_classes: tree.n_classes(),
            model: model.clone(),
            parents: tree.parents(),
            felled_at,
            reached: model.row_leaf_fractions(frame, ctl)?,
        })
    }

    /// Class probabilities and predicted classes of the rows by one tree of the path.
    /// `step` is the index of the tree. The probabilities are in row-major order.
    pub fn predict_step(&self, step: usize) -> (Vec<f64>, Vec<u32>) {
        // `end` maps each node of the full tree to the pruned tree: a node below a new leaf is mapped to this
        // leaf, and every other node to itself. Parents come before their children.
        let mut end: Vec<usize> = (0..self.parents.len()).collect();
        for node in 0..end.len() {
            let above = end[self.parents[node]];
            if self.felled_at[above] <= step {
                end[node] = above;
            }
        }
        let mut proba = vec![0.0; self.reached.len() * self.n_classes];
        for (cells, leaves) in proba.chunks_exact_mut(self.n_classes).zip(&self.reached) {
            for &(leaf, share) in leaves {
                for (cell, p) in cells.iter_mut().zip(&*self.model.node_proba(end[leaf as usize])) {
                    *cell += share * p;
                }
            }
        }
        let classes = proba.chunks_exact(self.n_classes).map(index_of_first_largest).collect();
        (proba, classes)
    }
}

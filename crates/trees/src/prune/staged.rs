//! Predictions of every tree of a pruning path for the same rows, which are routed only once.

use super::path::PruningPath;
use crate::model::TreeModel;
use imbcore_core::{Frame, Result, RunContext, first_largest};

/// Rows routed through a tree.
/// From these rows, the predictions of any pruned tree of its path are computed.
#[derive(Clone, Debug)]
pub struct StagedPredictions {
    n_classes: usize,
    /// Tree, which has the class probabilities of its nodes.
    model: TreeModel,
    parents: Vec<usize>,
    /// Index of the first tree of the path in which each node is a leaf.
    felled_at: Vec<usize>,
    /// Leaves that each row reaches, with fractions.
    reached: Vec<Vec<(u32, f64)>>,
}

impl StagedPredictions {
    /// Routes the rows of a frame through the tree of `model`, whose path is `path`.
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
            reached: model.reached(frame, ctl)?,
        })
    }

    /// Class probabilities and predicted classes of the pruned tree at one entry of the path.
    /// The probabilities are in row-major order.
    pub fn predict_step(&self, step: usize) -> (Vec<f64>, Vec<u32>) {
        // For each node, the leaf of the pruned tree in which its rows end; parents come before their children.
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
        let classes = proba.chunks_exact(self.n_classes).map(first_largest).collect();
        (proba, classes)
    }
}

//! Region in which a tree predicts one class, as a union of boxes.

use crate::model::TreeModel;
use crate::tree::TreeSplit;

/// Box given by bounds of every column: values are above `lower` and at most `upper`.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnBounds {
    /// Lower bound of every column; minus infinity if there is none.
    pub lower: Vec<f64>,
    /// Upper bound of every column; infinity if there is none.
    pub upper: Vec<f64>,
}

impl TreeModel {
    /// Returns the roots of the largest subtrees whose leaves all predict `class`, depth first.
    ///
    /// Each of these nodes is a box. The boxes together are the region in which the tree predicts `class`,
    /// and no smaller set of nodes covers this region.
    pub fn class_region_roots(&self, class: usize) -> Vec<usize> {
        let tree = self.tree();
        // Children have larger indices than their parents, so a reverse loop visits them first.
        let mut uniform = vec![false; tree.n_nodes()];
        for node in (0..tree.n_nodes()).rev() {
            uniform[node] = match tree.split(node) {
                TreeSplit::Leaf => self.node_class(node) == class,
                _ => tree.children(node).all(|child| uniform[child]),
            };
        }
        let mut roots = Vec::new();
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if uniform[node] {
                roots.push(node);
            } else {
                stack.extend(tree.children(node).rev());
            }
        }
        roots
    }

    /// Returns the bounds of numeric columns that the splits on the path to a node imply.
    /// Splits on nominal columns imply no bounds.
    pub fn path_bounds(&self, node: usize, n_columns: usize, parents: &[usize]) -> ColumnBounds {
        let tree = self.tree();
        let mut bounds =
            ColumnBounds { lower: vec![f64::NEG_INFINITY; n_columns], upper: vec![f64::INFINITY; n_columns] };
        let mut child = node;
        while child != 0 {
            let parent = parents[child];
            if let TreeSplit::Below(threshold) = tree.split(parent) {
                let column = tree.column(parent);
                // The path is followed from the node up to the root. Deeper bounds are tighter, so `min` and
                // `max` keep them.
                if child == tree.children(parent).start {
                    bounds.upper[column] = bounds.upper[column].min(threshold);
                } else {
                    bounds.lower[column] = bounds.lower[column].max(threshold);
                }
            }
            child = parent;
        }
        bounds
    }
}

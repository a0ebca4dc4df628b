//! The region that a tree answers with one class, as boxes.

use crate::model::TreeModel;
use crate::tree::Cut;

/// Bounds of every column: values above `lower` and up to `upper`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Minus infinity where there is none.
    pub lower: Vec<f64>,
    /// Infinity where there is none.
    pub upper: Vec<f64>,
}

impl TreeModel {
    /// The largest subtrees all of whose leaves answer with `class`, by their roots, in depth-first order: the fewest
    /// boxes that the tree itself offers for the region of the class.
    pub fn region(&self, class: usize) -> Vec<usize> {
        let tree = self.tree();
        // Children come after their parents, so a walk from the end meets them first.
        let mut alike = vec![false; tree.n_nodes()];
        for node in (0..tree.n_nodes()).rev() {
            alike[node] = match tree.cut(node) {
                Cut::Leaf => self.node_class(node) == class,
                _ => tree.children(node).all(|child| alike[child]),
            };
        }
        let mut roots = Vec::new();
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if alike[node] {
                roots.push(node);
            } else {
                stack.extend(tree.children(node).rev());
            }
        }
        roots
    }

    /// Bounds of numeric columns on the way to a node; tests of nominal columns bound nothing.
    pub fn bounds(&self, node: usize, n_columns: usize, parents: &[usize]) -> Bounds {
        let tree = self.tree();
        let mut bounds =
            Bounds { lower: vec![f64::NEG_INFINITY; n_columns], upper: vec![f64::INFINITY; n_columns] };
        let mut child = node;
        while child != 0 {
            let parent = parents[child];
            if let Cut::Below(threshold) = tree.cut(parent) {
                let column = tree.column(parent);
                // Deeper bounds are tighter and come first on the way up.
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

//! Hierarchical shrinkage of trees (Agarwal, Tan, Ronen, Singh and Yu 2022).
//!
//! Let `t_0, ..., t_d` be the path from the root to a node, `p(t)` the proportion of a class in node `t`, and
//! `N(t)` the total mass of node `t`. The shrunk probability of the class is
//!
//! `p(t_0) + sum_i (p(t_i) - p(t_(i-1))) / (1 + amount / N(t_(i-1)))`.
//!
//! A larger `amount` pulls the probability closer to the proportion in the root. The probability is a convex
//! combination of the proportions on the path. The factor of each term depends only on the parent node.
//! Therefore shrinkage does not change the mean probability over the training rows of a node, and monotonic
//! constraints remain satisfied.

use crate::masses::NodeMasses;
use crate::tree::Tree;

impl Tree {
    /// Returns the shrunk probabilities of every node, `n_nodes x n_classes x n_amounts`.
    /// A node that no training row reached has the probabilities of its parent.
    pub fn shrunk_node_probabilities(&self, amounts: &[f64]) -> Vec<f64> {
        let (c, width) = (self.n_classes, amounts.len());
        let (mut shares, mut totals) = (vec![0.0; self.n_nodes() * c], vec![0.0; self.n_nodes()]);
        self.visit_node_masses(|node, mass| {
            totals[node] = mass.iter().sum();
            let cells = shares[node * c..].iter_mut().zip(mass);
            cells.for_each(|(share, mass)| {
                *share = if totals[node] > 0.0 { mass / totals[node] } else { 0.0 }
            });
        });
        let mut shrunk = vec![0.0; shares.len() * width];
        for (cells, &share) in shrunk.chunks_exact_mut(width).zip(&shares[..c]) {
            cells.fill(share);
        }
        // Children have larger indices than their parents, so the loop visits parents first.
        for node in 0..self.n_nodes() {
            let factors: Vec<f64> =
                amounts.iter().map(|amount| 1.0 / (1.0 + amount / totals[node])).collect();
            for child in self.children(node) {
                let (above, below) = shrunk.split_at_mut(child * c * width);
                let above = &above[node * c * width..(node + 1) * c * width];
                if self.n_node_rows(child) == 0 || totals[child] <= 0.0 {
                    below[..c * width].copy_from_slice(above);
                    continue;
                }
                let classes = below.chunks_exact_mut(width).zip(above.chunks_exact(width)).take(c);
                for (class, (cells, above)) in classes.enumerate() {
                    let step = shares[child * c + class] - shares[node * c + class];
                    for ((cell, above), factor) in cells.iter_mut().zip(above).zip(&factors) {
                        // Due to rounding, the result may be a tiny negative number.
                        *cell = (above + step * factor).max(0.0);
                    }
                }
            }
        }
        shrunk
    }

    /// Returns the tree with class masses that give shrunk probabilities.
    ///
    /// After shrinkage, deviations of the probabilities from those of the root are multiplied by `scale`,
    /// which is at most 1. The total mass of every node does not change.
    #[must_use]
    pub fn shrink(mut self, amount: f64, scale: f64) -> Self {
        if amount <= 0.0 && scale >= 1.0 || self.n_nodes() == 1 {
            return self;
        }
        let mut shrunk = self.shrunk_node_probabilities(&[amount]);
        let (root, below) = shrunk.split_at_mut(self.n_classes);
        for proba in below.chunks_exact_mut(self.n_classes) {
            for (p, root) in proba.iter_mut().zip(&*root) {
                *p = root + scale * (*p - root);
            }
        }
        let totals = self.map_node_masses(|mass| mass.iter().sum());
        let is_table = matches!(self.mass, NodeMasses::Table(_));
        // If class masses are stored in lists, inner nodes compute theirs from the leaves. So only leaves
        // need new masses.
        for node in (1..self.n_nodes()).filter(|&node| is_table || self.is_leaf(node)).collect::<Vec<_>>() {
            let proba = &shrunk[node * self.n_classes..(node + 1) * self.n_classes];
            let scale = totals[node] / proba.iter().sum::<f64>();
            let mass: Vec<f64> = proba.iter().map(|proba| proba * scale).collect();
            self.set_class_masses(node, &mass);
        }
        self
    }
}

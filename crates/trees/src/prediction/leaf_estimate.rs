//! Leaf estimates: class probabilities from class masses.

use crate::tree::Tree;
use serde::{Deserialize, Serialize};

/// Estimate of class probabilities from the class masses of a leaf.
/// In the formulas, `w_k` is the mass of class `k`, `W` the sum of all `w_k`, and `c` the number of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeafEstimate {
    /// Class frequency `w_k / W`.
    Frequency,
    /// Laplace estimate `(w_k + 1) / (W + c)`.
    Laplace,
    /// m-estimate `(w_k + m prior_k) / (W + m)`; `prior_k` is the class frequency at the root.
    MEstimate,
}

impl LeafEstimate {
    /// `pseudo` is the pseudocount `m prior_k` of the class in the m-estimate.
    #[inline]
    pub(crate) fn probability(self, class: f64, total: f64, n_classes: usize, pseudo: f64, m: f64) -> f64 {
        match self {
            Self::Frequency => class / total,
            Self::Laplace => (class + 1.0) / (total + n_classes as f64),
            Self::MEstimate => (class + pseudo) / (total + m),
        }
    }

    /// Returns the probabilities of every node, `n_nodes x n_classes`.
    pub fn probabilities(self, tree: &Tree, m: f64) -> Vec<f64> {
        let n_classes = tree.n_classes();
        let root = tree.class_masses(0);
        let mut all = Vec::with_capacity(tree.n_nodes() * n_classes);
        for node in 0..tree.n_nodes() {
            self.append_probabilities(&tree.class_masses(node), &root, m, &mut all);
        }
        all
    }

    /// Appends the class probabilities of one leaf to `out`.
    /// `root` contains the class masses of the root, which are needed for the m-estimate.
    pub fn append_probabilities(self, mass: &[f64], root: &[f64], m: f64, out: &mut Vec<f64>) {
        let total: f64 = mass.iter().sum();
        let root_total: f64 = root.iter().sum();
        out.extend(
            mass.iter().zip(root).map(|(&class, &prior)| {
                self.probability(class, total, mass.len(), m * prior / root_total, m)
            }),
        );
    }
}

//! Risk of a node as a leaf, in four variants, for cost-complexity pruning.

use crate::tree::Tree;
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Name of a [`Risk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RiskName {
    /// Mass of the misclassified rows.
    Error,
    /// Misclassification cost of the decision with the smallest total cost.
    Cost,
    /// Gini impurity; scikit-learn uses it to prune trees that were grown by the Gini impurity.
    Gini,
    /// Entropy in bits.
    Entropy,
}

/// Risk of a node as a leaf, divided by the mass of the root.
/// In the formulas, `w_k` is the mass of class `k` in the node, `W` the sum of all `w_k`, and `p_k` the
/// proportion `w_k / W`. See Breiman et al. (1984), section 3.3.
#[derive(Clone, Debug, PartialEq)]
pub enum Risk {
    /// Misclassified mass: `(W - max_k w_k) / W_root`.
    Error,
    /// Smallest cost: `min_j sum_k w_k cost[k][j] / W_root`, with `cost[true][predicted]`.
    Cost(Vec<f64>),
    /// Gini impurity: `W (1 - sum_k p_k^2) / W_root`.
    Gini,
    /// Entropy: `-W sum_k p_k log2 p_k / W_root`.
    Entropy,
}

impl Risk {
    /// Creates the risk with the given name.
    ///
    /// [`RiskName::Cost`] without costs gives the misclassified mass, [`Self::Error`].
    ///
    /// # Errors
    /// [`Error::Data`] if [`RiskName::Cost`] gets costs that are not a matrix of `n_classes x n_classes`
    /// finite nonnegative numbers.
    pub fn new(name: RiskName, costs: Option<&[f64]>, n_classes: usize) -> Result<Self> {
        match (name, costs) {
            (RiskName::Gini, _) => Ok(Self::Gini),
            (RiskName::Entropy, _) => Ok(Self::Entropy),
            (RiskName::Error, _) | (RiskName::Cost, None) => Ok(Self::Error),
            (RiskName::Cost, Some(costs)) => {
                let usable = |&cost: &f64| cost.is_finite() && cost >= 0.0;
                if costs.len() != n_classes * n_classes || !costs.iter().all(usable) {
                    return Err(Error::Data(format!(
                        "costs must be a {n_classes} x {n_classes} matrix of finite numbers of at least 0"
                    )));
                }
                Ok(Self::Cost(costs.to_vec()))
            }
        }
    }

    /// Risk of a leaf with the class masses `mass`, not divided by the mass of the root.
    pub fn leaf_risk(&self, mass: &[f64]) -> f64 {
        match self {
            // The masses of all other classes are added up, because total minus largest mass would have a
            // rounding error.
            Self::Error => {
                let largest = imbcore_core::index_of_first_largest(mass) as usize;
                mass.iter().enumerate().filter(|&(class, _)| class != largest).map(|(_, mass)| mass).sum()
            }
            Self::Cost(costs) => (0..mass.len())
                .map(|decision| {
                    let cost_of = |class: usize| costs[class * mass.len() + decision];
                    mass.iter().enumerate().map(|(class, mass)| mass * cost_of(class)).sum::<f64>()
                })
                .fold(f64::INFINITY, f64::min),
            Self::Gini => {
                let total: f64 = mass.iter().sum();
                mass.iter().map(|mass| mass * (total - mass) / total).sum()
            }
            Self::Entropy => {
                let total: f64 = mass.iter().sum();
                mass.iter().filter(|&&mass| mass > 0.0).map(|mass| -mass * (mass / total).log2()).sum()
            }
        }
    }

    /// Risk of every node as a leaf, divided by the mass of the root; 0 for a node without rows.
    pub(super) fn node_risks(&self, tree: &Tree) -> Vec<f64> {
        let root = tree.total_mass(0);
        let mut risks = tree.map_node_masses(|mass| self.leaf_risk(mass) / root);
        let empty = (0..tree.n_nodes()).filter(|&node| tree.n_node_rows(node) == 0);
        empty.for_each(|node| risks[node] = 0.0);
        risks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_risk_of_a_worked_node() {
        let mass = [6.0, 2.0];
        assert_eq!(Risk::Error.leaf_risk(&mass), 2.0);
        // Predicting the negative class costs 2 x 5, and predicting the positive class costs 6 x 1.
        assert_eq!(Risk::Cost(vec![0.0, 1.0, 5.0, 0.0]).leaf_risk(&mass), 6.0);
        assert_eq!(Risk::Gini.leaf_risk(&mass), 8.0 * (1.0 - 0.5625 - 0.0625));
        assert!((Risk::Entropy.leaf_risk(&[4.0, 4.0]) - 8.0).abs() < 1e-15);
        assert!(
            [Risk::Error, Risk::Gini, Risk::Entropy].iter().all(|risk| risk.leaf_risk(&[0.0, 3.0]) == 0.0)
        );
    }

    #[test]
    fn costs_must_fit_the_classes() {
        assert_eq!(Risk::new(RiskName::Cost, None, 2), Ok(Risk::Error));
        for wrong in [vec![0.0; 3], vec![0.0, 1.0, -1.0, 0.0], vec![0.0, f64::NAN, 1.0, 0.0]] {
            assert!(Risk::new(RiskName::Cost, Some(&wrong), 2).is_err());
        }
    }
}

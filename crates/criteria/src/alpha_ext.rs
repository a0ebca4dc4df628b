//! Extended alpha-divergence of Park and Ghosh (2012), Definition 2.
//!
//! The user chooses the reference distribution from which the divergence is measured.

use crate::alpha::{alpha_divergence_generator, check_alpha};
use crate::criterion::{BranchMasses, Criterion, DataProperties, METHOD, NodeScorer, branch_mass};
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Distribution with which the class proportions of each branch are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceDistribution {
    /// Uniform reference distribution over all classes, including those without rows in a node.
    ///
    /// The gains of all nodes are therefore on one scale. With `alpha = 2`, the tree equals the tree grown
    /// with the Gini decrease.
    #[default]
    Uniform,
    /// Complement of the branch's proportions: `(1 - p_k) / (c - 1)` with c classes in total.
    ///
    /// The exponent `alpha` must be below 1. With `alpha = 1/2` and two classes, the tree equals the tree
    /// grown with the Hellinger distance.
    Flipped,
    /// Reference proportion of each class; the sum is 1.
    #[serde(untagged)]
    Given(Vec<f64>),
}

/// Increase of the mean divergence of class proportions from a reference, by a split.
///
/// The gain is `sum_b pi_b D(p(.|b) || q) - D(p || q)`, at least 0. Branch `b` has the fraction `pi_b` of the
/// node's mass and the class proportions `p(.|b)`. The node has the class proportions `p`, and `q` is the
/// reference distribution. With [`ReferenceDistribution::Flipped`], each branch and the node have different
/// references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlphaExt {
    /// Exponent alpha of the divergence, in (0, 2].
    ///
    /// With [`ReferenceDistribution::Flipped`] it must be in (0, 1).
    pub alpha: f64,
    /// Reference distribution.
    pub reference: ReferenceDistribution,
}

impl Default for AlphaExt {
    fn default() -> Self {
        Self { alpha: 1.0, reference: ReferenceDistribution::Uniform }
    }
}

/// Scorer of the splits of one node for [`AlphaExt`].
#[derive(Debug)]
pub struct AlphaExtNodeScorer {
    alpha: f64,
    totals: Vec<f64>,
    total: f64,
    /// `q_k^(1 - alpha) p_k^alpha` for each class `k`; `None` with the flipped reference.
    ///
    /// The class has the proportion `p_k` at the node and `q_k` in the reference.
    factors: Option<Vec<f64>>,
}

impl Criterion for AlphaExt {
    type Node = AlphaExtNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> AlphaExtNodeScorer {
        let total = branch_mass(totals);
        let factor = |class: f64, share: f64| {
            if class > 0.0 { share.powf(1.0 - self.alpha) * (class / total).powf(self.alpha) } else { 0.0 }
        };
        let factors = match &self.reference {
            ReferenceDistribution::Uniform => {
                Some(totals.iter().map(|&k| factor(k, 1.0 / totals.len() as f64)).collect())
            }
            ReferenceDistribution::Given(shares) => {
                Some(totals.iter().zip(shares).map(|(&k, &share)| factor(k, share)).collect())
            }
            ReferenceDistribution::Flipped => None,
        };
        AlphaExtNodeScorer { alpha: self.alpha, totals: totals.to_vec(), total, factors }
    }

    fn depends_on_absent_classes(&self) -> bool {
        true
    }

    fn check(&self, facts: DataProperties) -> Result<()> {
        let inside = self.alpha > 0.0 && self.alpha <= 2.0;
        match &self.reference {
            ReferenceDistribution::Uniform => check_alpha(self.alpha, "in (0, 2]", inside),
            ReferenceDistribution::Flipped => {
                let expected = "in (0, 1) with the flipped reference, because pure branches have an infinite score for alpha >= 1";
                check_alpha(self.alpha, expected, inside && self.alpha < 1.0)
            }
            ReferenceDistribution::Given(shares) => {
                check_alpha(self.alpha, "in (0, 2]", inside)?;
                let lowest_allowed = |share: f64| if self.alpha >= 1.0 { share > 0.0 } else { share >= 0.0 };
                let valid = shares.len() == facts.n_classes
                    && shares.iter().all(|&share| lowest_allowed(share))
                    && (branch_mass(shares) - 1.0).abs() < 1e-9;
                if valid {
                    return Ok(());
                }
                let expected = "one proportion per class with sum 1, all positive if alpha >= 1";
                Err(Error::parameter(METHOD, "criterion.reference", expected, format!("{shares:?}")))
            }
        }
    }
}

impl NodeScorer for AlphaExtNodeScorer {
    fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        match &self.factors {
            Some(factors) => self.gain_from_fixed_reference(factors, branches),
            None => self.gain_from_flipped_reference(branches),
        }
    }
}

impl AlphaExtNodeScorer {
    /// Gain for a reference distribution `q` that is the same for all branches.
    ///
    /// The numerically stable form is `sum_k q_k^(1-alpha) p_k^alpha sum_b pi_b phi(p_kb / p_k - 1)`, see
    /// [`alpha_divergence_generator`]. Class `k` has the proportion `p_k` at the node and `p_kb` in branch `b`.
    fn gain_from_fixed_reference(&self, factors: &[f64], branches: BranchMasses<'_>) -> f64 {
        let mut score = 0.0;
        for branch in branches.iter_branches() {
            let in_branch = branch_mass(branch);
            if in_branch <= 0.0 {
                continue;
            }
            for ((&cell, &class), &factor) in branch.iter().zip(&self.totals).zip(factors) {
                if class > 0.0 && factor > 0.0 {
                    let product = in_branch * class;
                    let delta = if cell == 0.0 { -1.0 } else { (cell * self.total - product) / product };
                    score += in_branch / self.total * factor * alpha_divergence_generator(self.alpha, delta);
                }
            }
        }
        score
    }

    /// Gain of a split if the reference of a branch is the complement of its class proportions.
    ///
    /// The gain is the decrease of the mean affinity by the split, times `1 / (alpha (1 - alpha))`. The
    /// affinity of class proportions to their complement decreases as the branch becomes purer.
    fn gain_from_flipped_reference(&self, branches: BranchMasses<'_>) -> f64 {
        let mut decrease = self.affinity_to_flipped_reference(&self.totals, self.total);
        for branch in branches.iter_branches() {
            let in_branch = branch_mass(branch);
            if in_branch > 0.0 {
                decrease -= in_branch / self.total * self.affinity_to_flipped_reference(branch, in_branch);
            }
        }
        (decrease / (self.alpha * (1.0 - self.alpha))).max(0.0)
    }

    /// Affinity `sum_k p_k^alpha q_k^(1-alpha)` of class proportions to their complement.
    ///
    /// The class proportions are `p_k`, and the complement is `q_k = (1 - p_k) / (c - 1)` for c classes.
    fn affinity_to_flipped_reference(&self, masses: &[f64], total: f64) -> f64 {
        let others = (self.totals.len().max(2) - 1) as f64;
        masses
            .iter()
            .zip(&self.totals)
            .filter(|&(_, &class)| class > 0.0)
            .map(|(&cell, _)| {
                let share = cell / total;
                let flipped = (total - cell) / total / others;
                share.powf(self.alpha) * flipped.powf(1.0 - self.alpha)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_of_all_nodes_are_on_one_scale() {
        let parts = [[6.0, 1.0, 0.0], [1.0, 5.0, 0.0], [1.0, 2.0, 7.0]];
        let left = [7.0, 6.0, 0.0];
        let all = [8.0, 8.0, 7.0];
        for reference in [
            ReferenceDistribution::Uniform,
            ReferenceDistribution::Flipped,
            ReferenceDistribution::Given(vec![1.0 / 3.0; 3]),
        ] {
            let criterion = AlphaExt { alpha: 0.5, reference };
            let score = |totals: &[f64], branches: &[[f64; 3]]| {
                branch_mass(totals)
                    * criterion.node_scorer(totals).score(BranchMasses::new(&branches.concat(), 3))
            };
            let at_once = score(&all, &parts);
            let in_steps = score(&all, &[left, parts[2]]) + score(&left, &parts[..2]);
            assert!((at_once - in_steps).abs() < 1e-13, "{at_once} {in_steps}");
        }
        let with = |reference| {
            AlphaExt { alpha: 0.5, reference }
                .node_scorer(&left)
                .score(BranchMasses::new(&parts[..2].concat(), 3))
        };
        assert_eq!(
            with(ReferenceDistribution::Uniform),
            with(ReferenceDistribution::Given(vec![1.0 / 3.0; 3]))
        );
    }

    #[test]
    fn references_are_checked_against_the_classes() {
        let facts = DataProperties { n_classes: 2, multiway: false };
        let with = |alpha, reference| AlphaExt { alpha, reference }.check(facts);
        assert!(with(0.5, ReferenceDistribution::Flipped).is_ok());
        assert!(with(1.0, ReferenceDistribution::Flipped).is_err());
        assert!(with(0.5, ReferenceDistribution::Given(vec![1.0, 0.0])).is_ok());
        assert!(with(1.0, ReferenceDistribution::Given(vec![1.0, 0.0])).is_err());
        assert!(with(1.0, ReferenceDistribution::Given(vec![0.5, 0.4])).is_err());
        assert!(with(1.0, ReferenceDistribution::Given(vec![1.0])).is_err());
    }
}

//! Gini decrease (Breiman et al. 1984).

use crate::criterion::{BranchMasses, Criterion, NodeScorer, branch_mass};
use crate::threshold_scorer::{ClassSumCriterion, ThresholdScorer};
use serde::{Deserialize, Serialize};

/// Decrease of the Gini impurity, `sum_b pi_b sum_k p_kb^2 - sum_k p_k^2`.
///
/// Branch `b` has the fraction `pi_b` of the mass. Class `k` has the proportion `p_k` at the node and `p_kb`
/// in branch `b`. For c classes the decrease is in [0, 1 - 1/c].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gini {}

/// Scorer of the splits of one node for [`Gini`].
#[derive(Debug)]
pub struct GiniNodeScorer {
    totals: Vec<f64>,
    total: f64,
}

impl Criterion for Gini {
    type Node = GiniNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> GiniNodeScorer {
        GiniNodeScorer { totals: totals.to_vec(), total: branch_mass(totals) }
    }
}

impl NodeScorer for GiniNodeScorer {
    /// Stable form `sum_b pi_b sum_k ((n_bk n - n_b n_k) / (n_b n))^2` of the decrease.
    #[inline]
    fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        let mut score = 0.0;
        for branch in branches.iter_branches() {
            let in_branch = branch_mass(branch);
            if in_branch <= 0.0 {
                continue;
            }
            let mut squares = 0.0;
            for (&cell, &class) in branch.iter().zip(&self.totals) {
                let excess = cell * self.total - in_branch * class;
                squares += excess * excess;
            }
            score += squares / in_branch;
        }
        score / (self.total * self.total * self.total)
    }

    fn threshold_scorer(&self, _rows: Option<&[u32]>) -> Option<ThresholdScorer> {
        Some(ThresholdScorer::for_class_sums(ClassSumCriterion::Gini, &self.totals))
    }
}

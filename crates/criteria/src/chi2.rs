//! Pearson's chi-square (Pearson 1900) as a split criterion.

use crate::criterion::{BranchMasses, Criterion, NodeScorer, branch_mass};
use crate::threshold_scorer::{ClassSumCriterion, ThresholdScorer};
use serde::{Deserialize, Serialize};

/// Pearson's chi-square statistic of the branch-by-class table, divided by the node's mass.
///
/// It is in [0, min(branches, classes) - 1].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chi2 {}

/// Scorer of the splits of one node for [`Chi2`].
#[derive(Debug)]
pub struct Chi2NodeScorer {
    totals: Vec<f64>,
    total: f64,
}

impl Criterion for Chi2 {
    type Node = Chi2NodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> Chi2NodeScorer {
        Chi2NodeScorer { totals: totals.to_vec(), total: branch_mass(totals) }
    }
}

impl NodeScorer for Chi2NodeScorer {
    /// `sum_bk (n_bk n - n_b n_k)^2 / (n^2 n_b n_k)` over branches `b` and classes `k`.
    ///
    /// It is a sum of squares, so there is no cancellation between terms.
    #[inline]
    fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        let mut score = 0.0;
        for branch in branches.iter_branches() {
            let in_branch = branch_mass(branch);
            if in_branch <= 0.0 {
                continue;
            }
            for (&cell, &class) in branch.iter().zip(&self.totals).filter(|&(_, &class)| class > 0.0) {
                let excess = cell * self.total - in_branch * class;
                score += excess * excess / (in_branch * class);
            }
        }
        score / (self.total * self.total)
    }

    fn threshold_scorer(&self, _rows: Option<&[u32]>) -> Option<ThresholdScorer> {
        // The statistic divided by the mass is twice the alpha-divergence with `alpha = 2`.
        Some(ThresholdScorer::for_class_sums(ClassSumCriterion::Divergence(2.0, 2.0), &self.totals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_split_of_two_classes_scores_one_and_a_useless_one_zero() {
        let mut node = Chi2 {}.node_scorer(&[30.0, 6.0]);
        assert_eq!(node.score(BranchMasses::new(&[30.0, 0.0, 0.0, 6.0], 2)), 1.0);
        assert_eq!(node.score(BranchMasses::new(&[10.0, 2.0, 20.0, 4.0], 2)), 0.0);
    }

    #[test]
    fn it_agrees_with_the_textbook_statistic() {
        let score = Chi2 {}.node_scorer(&[14.0, 2.0]).score(BranchMasses::new(&[10.0, 0.0, 4.0, 2.0], 2));
        let statistic: f64 = [8.75, 1.25, 5.25, 0.75].iter().map(|cell| 1.25 * 1.25 / cell).sum();
        assert!((score - statistic / 16.0).abs() < 1e-15);
    }
}

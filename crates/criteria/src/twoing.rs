//! The twoing rule (Breiman et al. 1984, section 4.3.1).

use crate::criterion::{BranchMasses, Criterion, DataProperties, METHOD, NodeScorer, branch_mass};
use crate::threshold_scorer::{BipartitionCriterion, ThresholdScorer};
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Twoing score `pi_L pi_R / 4 (sum_k |p_k|L - p_k|R|)^2`, in [0, 1/4].
///
/// The left and the right branch have the fractions `pi_L` and `pi_R` of the rows, and class `k` has the
/// proportions `p_k|L` and `p_k|R` there. The score is the largest decrease of the impurity `p (1 - p)` over
/// all divisions of the classes into two groups. For two classes it is half the Gini decrease.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twoing {}

/// Scorer of the splits of one node for [`Twoing`].
#[derive(Debug)]
pub struct TwoingNodeScorer {
    totals: Vec<f64>,
    total: f64,
}

impl Criterion for Twoing {
    type Node = TwoingNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> TwoingNodeScorer {
        TwoingNodeScorer { totals: totals.to_vec(), total: branch_mass(totals) }
    }

    fn check(&self, facts: DataProperties) -> Result<()> {
        if facts.multiway {
            let expected = "a two-branch option with the criterion \"twoing\": \"ovr\", \"ovr_multiway\" (which \
                            is scored as \"ovr\"), \"dummy\" or \"subset\"";
            return Err(Error::parameter(METHOD, "categorical_split", expected, "\"multiway\""));
        }
        Ok(())
    }
}

impl NodeScorer for TwoingNodeScorer {
    /// Score in the stable form `(sum_k |n_Lk n_R - n_Rk n_L|)^2 / (4 n^2 n_L n_R)`.
    ///
    /// `n_Lk` and `n_Rk` are the masses of class `k` in the two branches that have mass; `n` is the mass of
    /// the node.
    fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        let mut live =
            branches.iter_branches().map(|cells| (cells, branch_mass(cells))).filter(|&(_, size)| size > 0.0);
        let (Some((left, n_left)), Some((right, n_right))) = (live.next(), live.next()) else {
            return 0.0;
        };
        let difference: f64 = left.iter().zip(right).map(|(l, r)| (l * n_right - r * n_left).abs()).sum();
        let share = difference / self.total;
        share * share / (4.0 * n_left * n_right)
    }

    fn threshold_scorer(&self, rows: Option<&[u32]>) -> Option<ThresholdScorer> {
        Some(ThresholdScorer::for_bipartitions(BipartitionCriterion::Twoing, &self.totals, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_even_split_scores_a_quarter_and_a_useless_one_zero() {
        let mut node = Twoing {}.node_scorer(&[6.0, 2.0, 8.0]);
        assert_eq!(node.score(BranchMasses::new(&[6.0, 2.0, 0.0, 0.0, 0.0, 8.0], 3)), 0.25);
        assert_eq!(node.score(BranchMasses::new(&[3.0, 1.0, 4.0, 3.0, 1.0, 4.0], 3)), 0.0);
    }

    #[test]
    fn multiway_splits_are_refused() {
        let error = Twoing {}.check(DataProperties { n_classes: 3, multiway: true }).unwrap_err();
        assert!(error.to_string().contains("categorical_split"));
        assert!(Twoing {}.check(DataProperties { n_classes: 3, multiway: false }).is_ok());
    }
}

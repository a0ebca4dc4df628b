//! Information gain, and its ratio to the split information (Quinlan 1993).

use crate::alpha::{AlphaNodeScorer, DivergenceUnit};
use crate::criterion::Criterion;
use serde::{Deserialize, Serialize};

/// Information gain in bits, in [0, log2 c] for c classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entropy {}

impl Criterion for Entropy {
    type Node = AlphaNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> AlphaNodeScorer {
        AlphaNodeScorer::new(1.0, DivergenceUnit::Bits, totals)
    }
}

/// Information gain divided by split information; 0 if the split information is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GainRatio {}

impl Criterion for GainRatio {
    type Node = AlphaNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> AlphaNodeScorer {
        AlphaNodeScorer::new(1.0, DivergenceUnit::SplitInfo, totals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criterion::{BranchMasses, NodeScorer, split_info};

    #[test]
    fn a_perfect_even_split_gains_one_bit() {
        let table = [4.0, 0.0, 0.0, 4.0];
        let branches = BranchMasses::new(&table, 2);
        assert!((Entropy {}.node_scorer(&[4.0, 4.0]).score(branches) - 1.0).abs() < 1e-15);
        assert!((GainRatio {}.node_scorer(&[4.0, 4.0]).score(branches) - 1.0).abs() < 1e-15);
        assert!((split_info(branches.with_missing_mass(8.0)) - 1.5).abs() < 1e-15);
    }

    #[test]
    fn the_split_information_of_a_tiny_branch_is_accurate() {
        // The entropy of the proportions x and 1 - x is x (1 - ln x) - x^2 / 2 - x^3 / 6 - ... nats.
        for n in [1e5, 1e7, 1e9] {
            let x = 1.0 / n;
            let expected = (x * (1.0 - f64::ln(x)) - x * x / 2.0 - x * x * x / 6.0) / std::f64::consts::LN_2;
            for table in [[1.0, 0.0, 0.0, n - 1.0], [0.0, n - 1.0, 1.0, 0.0]] {
                let info = split_info(BranchMasses::new(&table, 2));
                assert!((info - expected).abs() < 1e-14 * expected, "{n}: {info} instead of {expected}");
            }
        }
    }

    #[test]
    fn one_branch_has_no_ratio() {
        let table = [4.0, 3.0, 0.0, 0.0];
        assert_eq!(GainRatio {}.node_scorer(&[4.0, 3.0]).score(BranchMasses::new(&table, 2)), 0.0);
    }
}

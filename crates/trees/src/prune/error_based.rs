//! C4.5's pessimistic estimate of a leaf's errors (Quinlan 1993, chapter 4).

use crate::tree::{Tree, TreeSplit};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Source of the normal quantile at `1 - CF`, where CF is the confidence of the error bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NormalQuantileSource {
    /// The quantile is computed exactly, as in Weka: 0.6745 at CF = 0.25.
    Exact,
    /// The quantile is interpolated from the short table in C4.5's source: 0.6925 at CF = 0.25.
    Table,
}

/// Extra errors of a leaf that misclassifies almost all of its rows.
/// `N` is the mass of the leaf and `E` its errors. The rule applies if `E >= 1` and `E + 0.5 >= N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExtraErrorRule {
    /// Rule of C4.5: `0.67 (N - E)` extra errors.
    C45,
    /// Rule of Weka: `max(N - E, 0)` extra errors.
    Weka,
}

/// Upper confidence bounds of the errors of a leaf at the confidence CF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBounds {
    confidence: f64,
    z: f64,
    floor: ExtraErrorRule,
}

/// Values of CF, with the normal quantile at `1 - CF` (from `AddErrs` of C4.5 release 8).
const TABLE: [(f64, f64); 9] = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.0, 0.0),
];

/// Maximum by which the expected errors may increase if a subtree is replaced.
pub(super) const SLACK: f64 = 0.1;

/// Maximum by which the training errors may increase if a subtree is collapsed.
const COLLAPSE_SLACK: f64 = 1e-3;

impl ErrorBounds {
    /// Creates bounds at a confidence in (0, 0.5].
    pub fn new(confidence: f64, z: NormalQuantileSource, floor: ExtraErrorRule) -> Self {
        let z = match z {
            NormalQuantileSource::Exact => Normal::standard().inverse_cdf(1.0 - confidence),
            NormalQuantileSource::Table => normal_quantile_from_table(confidence),
        };
        Self { confidence, z, floor }
    }

    /// Expected errors of a leaf in addition to its training errors.
    ///
    /// `total` is the mass `N` of its rows, and `errors` is `E`, the mass of its misclassified rows. The
    /// result is `N U(E, N) - E`, where `U(E, N)` is the upper confidence bound of the error rate. For
    /// `0 < E < 1`, the result is interpolated between `E = 0` and `E = 1`. If `E >= 1` and `E + 0.5 >= N`,
    /// [`ExtraErrorRule`] gives the result.
    pub fn extra_errors(&self, total: f64, errors: f64) -> f64 {
        if errors < 1.0 {
            let of_none = total * (1.0 - self.confidence.powf(1.0 / total));
            return if errors <= 0.0 {
                of_none
            } else {
                of_none + errors * (self.extra_errors_normal(total, 1.0) - of_none)
            };
        }
        self.extra_errors_normal(total, errors)
    }

    /// [`Self::extra_errors`] for `E >= 1`, by the normal approximation of the binomial bound.
    fn extra_errors_normal(&self, total: f64, errors: f64) -> f64 {
        if errors + 0.5 >= total {
            return match self.floor {
                ExtraErrorRule::C45 => 0.67 * (total - errors),
                ExtraErrorRule::Weka => (total - errors).max(0.0),
            };
        }
        let (z, n) = (self.z, total);
        let f = (errors + 0.5) / n;
        let spread = z * (f / n - f * f / n + z * z / (4.0 * n * n)).sqrt();
        n * (f + z * z / (2.0 * n) + spread) / (1.0 + z * z / n) - errors
    }

    pub(crate) fn expected_errors(&self, mass: &[f64]) -> f64 {
        let (total, wrong) = weight_and_errors(mass);
        if total > 0.0 { wrong + self.extra_errors(total, wrong) } else { 0.0 }
    }

    /// Returns the nodes that bottom-up pruning without raising turns into leaves, ascending.
    ///
    /// If a node becomes a leaf, the result also contains nodes below it that became leaves earlier.
    pub fn prunable_nodes(&self, tree: &Tree) -> Vec<u32> {
        let mut expected = vec![0.0; tree.n_nodes()];
        let mut weak = Vec::new();
        let errors = tree.map_node_masses(|mass| self.expected_errors(mass));
        for node in (0..tree.n_nodes()).rev() {
            let as_leaf = if tree.n_node_rows(node) == 0 { 0.0 } else { errors[node] };
            expected[node] = as_leaf;
            if tree.split(node) != TreeSplit::Leaf {
                let as_tree: f64 = expected[tree.children(node)].iter().sum();
                if as_leaf <= as_tree + SLACK {
                    weak.push(node as u32);
                } else {
                    expected[node] = as_tree;
                }
            }
        }
        weak.reverse();
        weak
    }
}

pub(super) fn collapsible_nodes(tree: &Tree) -> Vec<u32> {
    let all_wrong = tree.map_node_masses(|mass| weight_and_errors(mass).1);
    let wrong = |node: usize| if tree.n_node_rows(node) == 0 { 0.0 } else { all_wrong[node] };
    let mut errors: Vec<f64> = (0..tree.n_nodes()).map(wrong).collect();
    for node in (0..tree.n_nodes()).rev().filter(|&node| tree.split(node) != TreeSplit::Leaf) {
        errors[node] = errors[tree.children(node)].iter().sum();
    }
    let mut found = Vec::new();
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        if tree.split(node) == TreeSplit::Leaf {
            continue;
        }
        if errors[node] >= wrong(node) - COLLAPSE_SLACK {
            found.push(node as u32);
        } else {
            stack.extend(tree.children(node));
        }
    }
    found.sort_unstable();
    found
}

fn weight_and_errors(mass: &[f64]) -> (f64, f64) {
    let largest = imbcore_core::index_of_first_largest(mass) as usize;
    let wrong = mass.iter().enumerate().filter(|&(class, _)| class != largest).map(|(_, mass)| mass).sum();
    (mass.iter().sum(), wrong)
}

fn normal_quantile_from_table(confidence: f64) -> f64 {
    let pair = TABLE.windows(2).find(|pair| confidence <= pair[1].0);
    pair.map_or(0.0, |pair| {
        let ((low, at_low), (high, at_high)) = (pair[0], pair[1]);
        at_low + (at_high - at_low) * (confidence - low) / (high - low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quinlans_example() {
        // Quinlan 1993, page 41, gives the proportions U(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.750 and
        // U(1, 16) = 0.157 at CF = 25 %. For U(1, 16) the book uses the exact binomial bound; the normal
        // approximation is 1.5 % lower.
        let limits = ErrorBounds::new(0.25, NormalQuantileSource::Exact, ExtraErrorRule::C45);
        for (total, share) in [(6.0, 0.206), (9.0, 0.143), (1.0, 0.750)] {
            assert!((limits.extra_errors(total, 0.0) / total - share).abs() < 5e-4);
        }
        let share = (1.0 + limits.extra_errors(16.0, 1.0)) / 16.0;
        assert!((share - 0.157).abs() < 5e-3, "{share}");
    }

    #[test]
    fn the_table_of_c45_is_interpolated() {
        assert!((normal_quantile_from_table(0.25) - 0.6925).abs() < 1e-12);
        assert!((normal_quantile_from_table(0.05) - 1.65).abs() < 1e-12);
        let extra = |z| ErrorBounds::new(0.25, z, ExtraErrorRule::C45).extra_errors(20.0, 3.0);
        assert!(extra(NormalQuantileSource::Exact) < extra(NormalQuantileSource::Table));
    }

    #[test]
    fn a_leaf_wrong_everywhere() {
        let floor = |rule| ErrorBounds::new(0.25, NormalQuantileSource::Exact, rule).extra_errors(6.0, 5.8);
        assert!(
            (floor(ExtraErrorRule::C45) - 0.134).abs() < 1e-12
                && (floor(ExtraErrorRule::Weka) - 0.2).abs() < 1e-12
        );
    }
}

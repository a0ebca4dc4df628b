//! The alpha-divergence criterion of Park and Ghosh (2012), Definition 1.

use crate::criterion::METHOD;
use crate::criterion::{BranchMasses, Criterion, DataProperties, NodeScorer, branch_mass, split_info};
use crate::threshold_scorer::{ClassSumCriterion, ThresholdScorer};
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;

/// Alpha-divergence of the joint distribution of branch and class from independence.
///
/// The unit is nats. With `alpha = 1` it is the information gain. With `alpha = 2` it is Pearson's chi-square
/// divided by 2 n, where n is the mass of the node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Alpha {
    /// Exponent alpha, in (0, 2].
    pub alpha: f64,
}

impl Default for Alpha {
    fn default() -> Self {
        Self { alpha: 1.0 }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum DivergenceUnit {
    Nats,
    Bits,
    /// Information gain in bits divided by the split information; 0 for a split information of 0.
    SplitInfo,
}

/// Scorer of one node's splits for [`Alpha`] and all criteria based on information gain.
#[derive(Debug)]
pub struct AlphaNodeScorer {
    alpha: f64,
    unit: DivergenceUnit,
    totals: Vec<f64>,
    total: f64,
}

impl Criterion for Alpha {
    type Node = AlphaNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> AlphaNodeScorer {
        AlphaNodeScorer::new(self.alpha, DivergenceUnit::Nats, totals)
    }

    fn check(&self, _facts: DataProperties) -> Result<()> {
        check_alpha(self.alpha, "in (0, 2]", self.alpha > 0.0 && self.alpha <= 2.0)
    }
}

pub(crate) fn check_alpha(alpha: f64, expected: &str, inside: bool) -> Result<()> {
    if inside { Ok(()) } else { Err(Error::parameter(METHOD, "criterion.alpha", expected, alpha)) }
}

impl AlphaNodeScorer {
    pub(crate) fn new(alpha: f64, unit: DivergenceUnit, totals: &[f64]) -> Self {
        Self { alpha, unit, totals: totals.to_vec(), total: branch_mass(totals) }
    }
}

impl NodeScorer for AlphaNodeScorer {
    /// `sum_bk (n_b n_k / n^2) phi_alpha(delta_bk)` over branches `b` and classes `k`.
    ///
    /// `delta_bk = p(b, k) / (p(b) p(k)) - 1` is 0 if branch and class are independent.
    #[inline]
    fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        let mut score = 0.0;
        for branch in branches.iter_branches() {
            let in_branch = branch_mass(branch);
            if in_branch <= 0.0 {
                continue;
            }
            for (&cell, &class) in branch.iter().zip(&self.totals) {
                if class > 0.0 {
                    let product = in_branch * class;
                    let delta = (cell * self.total - product) / product;
                    let delta = if cell == 0.0 { -1.0 } else { delta };
                    score += product * alpha_divergence_generator(self.alpha, delta);
                }
            }
        }
        let score = score / (self.total * self.total);
        match self.unit {
            DivergenceUnit::Nats => score,
            DivergenceUnit::Bits => score / LN_2,
            DivergenceUnit::SplitInfo => match split_info(branches) {
                info if info > 0.0 => score / LN_2 / info,
                _ => 0.0,
            },
        }
    }

    fn threshold_scorer(&self, _rows: Option<&[u32]>) -> Option<ThresholdScorer> {
        let score = match self.unit {
            DivergenceUnit::Nats => ClassSumCriterion::Divergence(self.alpha, 1.0),
            DivergenceUnit::Bits => ClassSumCriterion::Divergence(self.alpha, LN_2.recip()),
            DivergenceUnit::SplitInfo => ClassSumCriterion::GainRatio,
        };
        Some(ThresholdScorer::for_class_sums(score, &self.totals))
    }
}

/// Term of the alpha-divergence for one outcome, divided by `q`.
///
/// `p` and `q` are the probabilities of the outcome in the two distributions, and `r = p / q = 1 + delta`.
/// The value is `(alpha r + 1 - alpha - r^alpha) / (alpha (1 - alpha))`, at least 0. For accuracy, it is
/// computed by a series near `delta = 0`, and by formulas with `expm1` near `alpha = 0` and `alpha = 1`.
#[inline]
pub(crate) fn alpha_divergence_generator(alpha: f64, delta: f64) -> f64 {
    if delta == 0.0 {
        return 0.0;
    }
    if delta <= -1.0 {
        return 1.0 / alpha;
    }
    if delta.abs() < 0.05 {
        return alpha_divergence_series(alpha, delta);
    }
    if alpha == 2.0 {
        return delta * delta / 2.0;
    }
    let log = delta.ln_1p();
    if alpha < 0.5 {
        return (alpha * delta - (alpha * log).exp_m1()) / (alpha * (1.0 - alpha));
    }
    let rest = 1.0 - alpha;
    let r = 1.0 + delta;
    if rest == 0.0 { r * log - delta } else { (-rest * delta - r * (-rest * log).exp_m1()) / (alpha * rest) }
}

/// Power series of [`alpha_divergence_generator`]: `delta^2 / 2 * (1 + t_3 + t_4 + ...)`.
///
/// The terms are `t_k = t_(k-1) (alpha - k + 1) delta / k` with `t_2 = 1`.
fn alpha_divergence_series(alpha: f64, delta: f64) -> f64 {
    let mut sum = 1.0;
    let mut term = 1.0;
    let mut k = 3.0;
    while f64::abs(term) >= 1e-19 * f64::abs(sum) && term != 0.0 {
        term *= (alpha - k + 1.0) * delta / k;
        sum += term;
        k += 1.0;
    }
    delta * delta / 2.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_at_one_and_two_are_kl_and_half_chi_square() {
        for delta in [-0.9, -0.3, -0.01, 1e-9, 0.02, 0.7, 30.0] {
            let r: f64 = 1.0 + delta;
            // The reference `r ln r - delta` loses about six digits to cancellation for the smallest deltas,
            // so its tolerance is 1e-9.
            let kl = r * r.ln() - delta;
            assert!((alpha_divergence_generator(1.0, delta) - kl).abs() <= 1e-15 + 1e-9 * kl.abs());
            assert!(
                (alpha_divergence_generator(2.0, delta) - delta * delta / 2.0).abs() <= 1e-15 * delta * delta
            );
            let half = 2.0 * (r.sqrt() - 1.0).powi(2);
            assert!((alpha_divergence_generator(0.5, delta) - half).abs() <= 1e-15 + 1e-12 * half);
        }
        assert_eq!(alpha_divergence_generator(0.25, -1.0), 4.0);
    }

    #[test]
    fn regimes_meet() {
        for alpha in [0.1, 0.5, 1.0, 1.7] {
            for edge in [-0.05_f64, 0.05] {
                let (inside, outside) = (
                    alpha_divergence_generator(alpha, edge * 0.999_999),
                    alpha_divergence_generator(alpha, edge * 1.000_001),
                );
                assert!((inside / outside - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn alpha_outside_its_domain_is_refused() {
        let facts = DataProperties { n_classes: 2, multiway: false };
        for alpha in [0.0, -1.0, 2.1, f64::NAN] {
            assert!(Alpha { alpha }.check(facts).is_err());
        }
        assert!(Alpha { alpha: 2.0 }.check(facts).is_ok());
    }
}

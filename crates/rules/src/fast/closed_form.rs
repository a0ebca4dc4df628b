//! Closed form for the position of one bound of a box.
//!
//! See Goh and Rudin 2014, propositions 1 and 2. A bound that moves outwards by `delta` from the start box
//! has the loss `P e^-delta + c N e^delta - beta delta`. P is a sum over rows of the cluster of the box, N a
//! sum over other rows ([`super::bound_sums`] defines both). `c` is the weight of the other rows, and `beta`
//! rewards large boxes. All computations use logarithms to avoid overflow and underflow. The paper multiplies
//! P by e^-1 and N by e; the code omits these factors.

use serde::{Deserialize, Serialize};

/// Rule for the final adjustment of a bound after the closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundAdjustmentRule {
    /// Adjustment of the paper (equations 31 and 32).
    ///
    /// A bound does not move inwards. After the closed form it moves outwards to a point near the next row of
    /// the other class. Without such a row, the bound becomes infinite.
    Paper,
    /// Adjustment of the authors' program.
    ///
    /// The result is the outer one of two points: the closed form, and a point near the next row of any class
    /// outside the start box. Without such a row, the bound becomes infinite.
    Program,
    /// A bound does not move inwards, and there is no other adjustment.
    Expand,
    /// No adjustment: the closed form may also move bounds inwards.
    None,
}

/// Distance by which a bound moves outwards, negative for inwards.
///
/// P and N are the sums over rows for this bound ([`super::bound_sums`]), `c` is the weight of the other
/// rows, and `beta` rewards large boxes. The distance is infinite if N is 0. Otherwise it is
/// `delta = ln[(beta + sqrt(beta^2 + 4 c P N)) / (2 c N)]`. This is the logarithm of the positive root of
/// `c N q^2 - beta q - P`, where `q = e^delta`.
pub(crate) fn bound_displacement(log_p: f64, log_n: f64, c: f64, beta: f64) -> f64 {
    if log_n == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    let log_c = c.ln();
    let even = (log_p - log_n - log_c) / 2.0;
    if beta == 0.0 {
        return even;
    }
    // The result is `even` + asinh(e^s), where e^s = beta / (2 sqrt(c P N)).
    let s = beta.ln() - std::f64::consts::LN_2 - (log_c + log_p + log_n) / 2.0;
    let extra = if s > 0.0 { s + (1.0 + (-2.0 * s).exp()).sqrt().ln_1p() } else { s.exp().asinh() };
    even + extra
}

/// Logarithm of the largest `c` at which a bound moves outwards by at least `distance`.
///
/// `c` is the weight of a negative row. The result is `ln((P e^-d + beta) e^-d / N)`, where d is the
/// distance. P and N are the sums over rows for this bound ([`super::bound_sums`]), and `beta` rewards large
/// boxes.
pub(crate) fn log_critical_weight(log_p: f64, log_n: f64, log_beta: f64, distance: f64) -> f64 {
    if log_n == f64::NEG_INFINITY || distance == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    let (a, b) = (log_p - distance, log_beta);
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    let sum = if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() };
    sum - distance - log_n
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn asinh_branches_agree_at_the_boundary() {
        for s in [-1e-9_f64, 0.0, 1e-9] {
            let (p, n) = (0.0, 0.0);
            let beta = 2.0 * s.exp();
            assert!((bound_displacement(p, n, 1.0, beta) - s.exp().asinh()).abs() < 1e-15);
        }
        // With P = N = c = 1 and beta = 0 the bound does not move. With beta = 1.5 the equation q^2 - 1.5 q -
        // 1 = 0 has the root 2.
        assert_eq!(bound_displacement(0.0, 0.0, 1.0, 0.0), 0.0);
        assert!((bound_displacement(0.0, 0.0, 1.0, 1.5) - 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(bound_displacement(0.0, f64::NEG_INFINITY, 1.0, 0.0), f64::INFINITY);
        assert!(bound_displacement(0.0, -2000.0, 0.1, 1e3).is_finite());
    }

    proptest! {
        #[test]
        fn the_shift_is_stationary_and_least(
            log_p in -3.0..8.0_f64, log_n in -9.0..9.0_f64, c in 0.01..1.0_f64, beta in 0.0..50.0_f64,
        ) {
            let loss = |d: f64| (log_p - d).exp() + c * (log_n + d).exp() - beta * d;
            let found = bound_displacement(log_p, log_n, c, beta);
            let least = loss(found);
            for step in [-0.5, -1e-3, 1e-3, 0.5] {
                prop_assert!(loss(found + step) > least - 1e-12 * least.abs());
            }
            let slope = -(log_p - found).exp() + c * (log_n + found).exp() - beta;
            let size = (log_p - found).exp() + c * (log_n + found).exp() + beta;
            prop_assert!(slope.abs() <= 1e-12 * size);
        }

        #[test]
        fn the_critical_weight_undoes_the_shift(
            log_p in -3.0..8.0_f64, log_n in -9.0..9.0_f64, log_c in -5.0..0.0_f64, beta in 0.0..50.0_f64,
        ) {
            let moved = bound_displacement(log_p, log_n, log_c.exp(), beta);
            prop_assert!((log_critical_weight(log_p, log_n, beta.ln(), moved) - log_c).abs() < 1e-10);
        }
    }
}

//! Closed-form displacement of one bound (Goh and Rudin 2014, propositions 1 and 2).
//!
//! A bound at distance `delta` outside its start has the loss `P e^-delta + c N e^delta - beta delta`. P sums over the
//! rows of the cluster and N over all others, each with the exponential of its distance to the start. All computations
//! use logarithms to avoid overflow and underflow. The printed form multiplies P and N by e^-1 and e, which cancel.

use serde::{Deserialize, Serialize};

/// Final adjustment of the bounds after the closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FinalRule {
    /// Adjustment of the paper (eq. 31 and 32).
    ///
    /// A bound never moves inwards; then the bound moves outwards to near the next row of the other class.
    Paper,
    /// Adjustment of the authors' program.
    ///
    /// The result is the outer one of the moved bound and a point near the next row of any class.
    Program,
    /// A bound never moves inwards; there is no further adjustment.
    Expand,
    /// No adjustment; bounds may also move inwards.
    None,
}

/// Distance by which a bound moves outwards; infinite if `log_n` is minus infinity.
///
/// It is `ln[(beta + sqrt(beta^2 + 4 c P N)) / (2 c N)]`, from the root of `c N q^2 - beta q - P` in `q = e^delta`.
pub fn shift(log_p: f64, log_n: f64, c: f64, beta: f64) -> f64 {
    if log_n == f64::NEG_INFINITY {
        return f64::INFINITY;
    }
    let log_c = c.ln();
    let even = (log_p - log_n - log_c) / 2.0;
    if beta == 0.0 {
        return even;
    }
    // asinh(e^s) with e^s = beta / (2 sqrt(c P N)).
    let s = beta.ln() - std::f64::consts::LN_2 - (log_c + log_p + log_n) / 2.0;
    let extra = if s > 0.0 { s + (1.0 + (-2.0 * s).exp()).sqrt().ln_1p() } else { s.exp().asinh() };
    even + extra
}

/// Log of the largest `c` at which a bound moves by at least `distance`.
/// It is `ln((P e^-d + beta) e^-d / N)`.
pub(crate) fn log_critical(log_p: f64, log_n: f64, log_beta: f64, distance: f64) -> f64 {
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
            assert!((shift(p, n, 1.0, beta) - s.exp().asinh()).abs() < 1e-15);
        }
        // P = N = c = 1, beta = 0: nothing moves; beta = 1.5: q^2 - 1.5 q - 1 = 0 has the root 2.
        assert_eq!(shift(0.0, 0.0, 1.0, 0.0), 0.0);
        assert!((shift(0.0, 0.0, 1.0, 1.5) - 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(shift(0.0, f64::NEG_INFINITY, 1.0, 0.0), f64::INFINITY);
        assert!(shift(0.0, -2000.0, 0.1, 1e3).is_finite());
    }

    proptest! {
        #[test]
        fn the_shift_is_stationary_and_least(
            log_p in -3.0..8.0_f64, log_n in -9.0..9.0_f64, c in 0.01..1.0_f64, beta in 0.0..50.0_f64,
        ) {
            let loss = |d: f64| (log_p - d).exp() + c * (log_n + d).exp() - beta * d;
            let found = shift(log_p, log_n, c, beta);
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
            let moved = shift(log_p, log_n, log_c.exp(), beta);
            prop_assert!((log_critical(log_p, log_n, beta.ln(), moved) - log_c).abs() < 1e-10);
        }
    }
}

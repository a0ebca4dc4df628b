//! Distribution of alpha in a BEAT forest (Park and Ghosh 2012, Algorithm 2).

use imbcore_core::SeedKey;
use rand_chacha::rand_core::Rng;
use statrs::function::beta::{beta_reg, ln_beta};

/// Minimum distance of alpha from 0 and from 2.
/// At 0, the alpha-divergence is infinite if a branch lacks a class.
const MARGIN: f64 = 1e-6;

/// Distribution of `alpha = 2 x`; `x` has the beta distribution with the shapes `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaDistribution {
    /// First shape parameter of the beta distribution, positive.
    /// The mean of alpha is `2 a / (a + b)`.
    pub a: f64,
    /// Second shape parameter of the beta distribution, positive.
    pub b: f64,
}

impl AlphaDistribution {
    /// Draws an alpha from the random stream of `key`.
    pub fn draw(self, key: SeedKey) -> f64 {
        let bits = key.rng().next_u64() >> 11;
        self.quantile((bits as f64 + 0.5) / (1_u64 << 53) as f64)
    }

    /// Quantile of alpha, kept away from 0 and from 2.
    ///
    /// It is `2 q`, where `q` is the `u`-quantile of the beta distribution.
    pub fn quantile(self, u: f64) -> f64 {
        (2.0 * beta_quantile(self.a, self.b, u)).clamp(MARGIN, 2.0 - MARGIN)
    }
}

fn beta_quantile(a: f64, b: f64, u: f64) -> f64 {
    if a == 1.0 {
        return -((-u).ln_1p() / b).exp_m1();
    }
    if b == 1.0 {
        return (u.ln() / a).exp();
    }
    let ln_beta = ln_beta(a, b);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let mut x = a / (a + b);
    // Newton's method, with a bisection step if the Newton step leaves the bracket.
    for _ in 0..200 {
        let excess = beta_reg(a, b, x) - u;
        if excess > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let density = ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - ln_beta).exp();
        let step = x - excess / density;
        let next = if step > low && step < high { step } else { low + (high - low) / 2.0 };
        if (next - x).abs() <= 1e-16 * x || next <= low || next >= high {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_and_the_solver_agree() {
        for u in [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999] {
            // The quantile has a closed form only if a shape is exactly 1. If a shape is close to 1, Newton's
            // method must give almost the same quantile.
            let near = 1.0 + 1e-12;
            for other in [0.3, 2.0, 7.0] {
                let pairs = [((1.0, other), (near, other)), ((other, 1.0), (other, near))];
                for (closed, solved) in pairs {
                    let (closed, solved) =
                        (beta_quantile(closed.0, closed.1, u), beta_quantile(solved.0, solved.1, u));
                    assert!((closed - solved).abs() <= 1e-9 * closed, "{other} {u}: {closed} {solved}");
                }
            }
        }
    }

    #[test]
    fn quantiles_are_symmetric_and_ascend() {
        for (a, b) in [(0.5, 0.5), (2.0, 2.0), (0.05, 3.0), (40.0, 60.0)] {
            let mut before = 0.0;
            for step in 1..200 {
                let u = f64::from(step) / 200.0;
                let x = beta_quantile(a, b, u);
                assert!(x >= before && x <= 1.0, "{a} {b} {u}: {x} after {before}");
                assert!((x + beta_quantile(b, a, 1.0 - u) - 1.0).abs() < 1e-12, "{a} {b} {u}");
                before = x;
            }
        }
    }

    #[test]
    fn draws_are_in_range_and_have_the_expected_mean() {
        let distribution = AlphaDistribution { a: 1.0, b: 3.0 };
        let draws: Vec<f64> = (0..20_000).map(|i| distribution.draw(SeedKey::root(5).child(1, i))).collect();
        assert!(draws.iter().all(|alpha| (MARGIN..=2.0 - MARGIN).contains(alpha)));
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        // Alpha has the mean 0.5 and the standard deviation 0.387. The mean of 20,000 draws has the standard
        // error 0.0027. The tolerance is five standard errors.
        assert!((mean - 0.5).abs() < 0.014, "{mean}");
        let extreme = AlphaDistribution { a: 1e-3, b: 1e-3 };
        assert!(extreme.quantile(1e-6) == MARGIN && extreme.quantile(1.0 - 1e-6) == 2.0 - MARGIN);
    }
}

//! Tail probabilities and quantiles of the distributions used by statistical tests.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;
use std::f64::consts::FRAC_1_SQRT_2;

/// P(Z > z) of the standard normal distribution.
pub(crate) fn normal_sf(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

/// The z with P(Z <= z) = `p`.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// P(T > t) of Student's t distribution.
pub(crate) fn t_sf(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    if t < 0.0 { 1.0 - tail } else { tail }
}

/// Quantile of Student's t distribution for a probability `p` of at least 1/2.
pub(crate) fn t_quantile(p: f64, freedom: f64) -> f64 {
    let x = beta_quantile(2.0 * (1.0 - p), freedom / 2.0, 0.5);
    (freedom * (1.0 / x - 1.0)).sqrt()
}

/// P(X <= x) of the beta distribution.
pub(crate) fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    match x {
        x if x <= 0.0 => 0.0,
        x if x >= 1.0 => 1.0,
        x => beta_reg(a, b, x),
    }
}

/// Quantile of the beta distribution for probability `p`, by bisection to machine precision.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high || high - low < f64::EPSILON * high {
            return middle;
        }
        *(if beta_cdf(middle, a, b) < p { &mut low } else { &mut high }) = middle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_t_distribution_match_tables() {
        for (p, freedom, t) in
            [(0.975, 4.0, 2.776_445_105), (0.975, 1.0, 12.706_204_74), (0.95, 9.0, 1.833_112_933)]
        {
            assert!((t_quantile(p, freedom) - t).abs() < 1e-8, "{}", t_quantile(p, freedom));
        }
    }

    #[test]
    fn known_values() {
        // The expected values are from published tables.
        assert!((normal_sf(1.959_963_984_540_054) - 0.025).abs() < 1e-15);
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((t_sf(2.570_581_835_636_314, 5.0) - 0.025).abs() < 1e-12);
        assert!((t_sf(-2.570_581_835_636_314, 5.0) - 0.975).abs() < 1e-12);
        assert_eq!((t_sf(f64::INFINITY, 3.0), t_sf(0.0, 3.0)), (0.0, 0.5));
    }
}

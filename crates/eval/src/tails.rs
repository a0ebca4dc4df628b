//! Tail probabilities and quantiles of the distributions used by the tests.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::{beta::beta_reg, gamma::gamma_ur};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// P(Z > z) of the standard normal distribution.
pub(crate) fn normal_above(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

/// The z with P(Z <= z) = `p`.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// P(X > x) of the chi-square distribution; 1 for `x` at most 0.
pub(crate) fn chi_square_above(x: f64, freedom: f64) -> f64 {
    if x > 0.0 { gamma_ur(freedom / 2.0, x / 2.0) } else { 1.0 }
}

/// P(X > x) of Snedecor's F distribution; 1 for `x` at most 0, 0 for infinity.
pub(crate) fn f_above(x: f64, between: f64, within: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if x.is_infinite() {
        return 0.0;
    }
    beta_reg(within / 2.0, between / 2.0, within / (within + between * x))
}

/// P(T > t) of Student's t distribution.
pub(crate) fn t_above(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    if t < 0.0 { 1.0 - tail } else { tail }
}

/// The t with P(T <= t) = `p` of Student's t distribution, for `p` of at least one half.
pub(crate) fn t_quantile(p: f64, freedom: f64) -> f64 {
    let x = beta_quantile(2.0 * (1.0 - p), freedom / 2.0, 0.5);
    (freedom * (1.0 / x - 1.0)).sqrt()
}

/// P(X <= x) of the beta distribution.
pub(crate) fn beta_below(x: f64, a: f64, b: f64) -> f64 {
    match x {
        x if x <= 0.0 => 0.0,
        x if x >= 1.0 => 1.0,
        x => beta_reg(a, b, x),
    }
}

/// The x with P(X <= x) = `p` of the beta distribution, by bisection to machine precision.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high || high - low < f64::EPSILON * high {
            return middle;
        }
        *(if beta_below(middle, a, b) < p { &mut low } else { &mut high }) = middle;
    }
}

/// P(range of `k` standard normal numbers <= `width`).
///
/// The trapezoid rule is accurate to rounding for an integrand that decays this fast at both ends.
pub(crate) fn normal_range_within(width: f64, k: usize) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    const STEPS: i32 = 10 * 16;
    let power = i32::try_from(k).unwrap_or(i32::MAX) - 1;
    let at = |z: f64| {
        let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        density * (normal_above(z - width) - normal_above(z)).max(0.0).powi(power)
    };
    k as f64 * STEP * (-STEPS..=STEPS).map(|step| at(f64::from(step) * STEP)).sum::<f64>()
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
        // From tables with more digits than tested here.
        assert!((normal_above(1.959_963_984_540_054) - 0.025).abs() < 1e-15);
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((chi_square_above(3.841_458_820_694_124, 1.0) - 0.05).abs() < 1e-13);
        assert!((f_above(4.964_602_743_730_711, 1.0, 10.0) - 0.05).abs() < 1e-12);
        assert_eq!((f_above(f64::INFINITY, 2.0, 3.0), f_above(0.0, 2.0, 3.0)), (0.0, 1.0));
        assert_eq!(chi_square_above(0.0, 3.0), 1.0);
        assert!((t_above(2.570_581_835_636_314, 5.0) - 0.025).abs() < 1e-12);
        assert!((t_above(-2.570_581_835_636_314, 5.0) - 0.975).abs() < 1e-12);
        assert_eq!((t_above(f64::INFINITY, 3.0), t_above(0.0, 3.0)), (0.0, 0.5));
    }

    #[test]
    fn the_range_of_two_is_a_folded_normal() {
        for width in [0.1, 1.0, 2.5] {
            let expected = 1.0 - 2.0 * normal_above(width / 2.0_f64.sqrt());
            assert!((normal_range_within(width, 2) - expected).abs() < 1e-14);
        }
        assert!((normal_range_within(60.0, 5) - 1.0).abs() < 1e-14);
    }
}

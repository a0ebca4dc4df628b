//! Comparison of two methods by scores on test folds whose training rows overlap.

use crate::argument_checks::check_differences_finite;
use crate::bayesian::EquivalenceProbabilities;
use crate::summary::mean_and_sd;
use crate::tails;
use imbcore_core::{Error, Result, unknown_name_error};

/// Alternative hypothesis of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// The mean difference is not zero.
    TwoSided,
    /// The mean difference is positive.
    Greater,
    /// The mean difference is negative.
    Less,
}

impl Alternative {
    /// Returns the alternative called `name`.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "two-sided" => Ok(Self::TwoSided),
            "greater" => Ok(Self::Greater),
            "less" => Ok(Self::Less),
            _ => Err(unknown_name_error("alternative", name, ["two-sided", "greater", "less"])),
        }
    }

    /// Computes the p-value of the test from the probabilities of both tails.
    ///
    /// `at_most` is the probability that the statistic is at most the observed value, and `at_least` that it
    /// is at least the observed value.
    pub(crate) fn p_value(self, at_most: f64, at_least: f64) -> f64 {
        match self {
            Self::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
            Self::Greater => at_least,
            Self::Less => at_most,
        }
    }
}

/// Result of the corrected t test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectedT {
    /// Mean of the score differences.
    pub mean: f64,
    /// Corrected t statistic; for m differences, it has m - 1 degrees of freedom.
    pub t: f64,
    /// P-value of the t statistic.
    pub p: f64,
}

/// Corrected resampled t test (Nadeau and Bengio 2003).
///
/// `t = mean / sqrt((1/m + ratio) s^2)`, where m is the number of differences and s^2 their variance. `ratio`
/// is the number of test rows divided by the number of training rows; 0 gives the usual paired t test. If all
/// differences are 0, t is 0. If all differences have the same nonzero value, t is infinite.
///
/// # Errors
/// [`Error::Data`] for fewer than two differences, or a difference that is not finite; [`Error::Parameter`]
/// for a ratio that is negative or not finite.
pub fn corrected_t(differences: &[f64], ratio: f64, alternative: Alternative) -> Result<CorrectedT> {
    let (mean, scale, freedom) = posterior_parameters("corrected_t_test", differences, ratio)?;
    let t = divide_zero_safe(mean, scale);
    Ok(CorrectedT { mean, t, p: alternative.p_value(tails::t_sf(-t, freedom), tails::t_sf(t, freedom)) })
}

/// Posterior probabilities that the difference is below, within and above `[-rope, rope]`.
///
/// `[-rope, rope]` is the region of practical equivalence. The posterior is a t distribution around the mean
/// difference, with the variance of [`corrected_t`] (Corani and Benavoli 2015).
///
/// # Errors
/// Same errors as [`corrected_t`]; [`Error::Parameter`] for a negative `rope`.
pub fn bayesian_t(differences: &[f64], ratio: f64, rope: f64) -> Result<EquivalenceProbabilities> {
    EquivalenceProbabilities::check_rope("bayesian_t_test", rope)?;
    let (mean, scale, freedom) = posterior_parameters("bayesian_t_test", differences, ratio)?;
    if scale == 0.0 {
        return Ok(EquivalenceProbabilities::for_known_difference(mean, rope));
    }
    let less = tails::t_sf((mean + rope) / scale, freedom);
    let greater = tails::t_sf((rope - mean) / scale, freedom);
    let equivalent = if rope == 0.0 { 0.0 } else { (1.0 - less - greater).max(0.0) };
    Ok(EquivalenceProbabilities { less, equivalent, greater })
}

/// A mean and its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanInterval {
    /// Mean; NaN without values.
    pub mean: f64,
    /// Lower end of the confidence interval of the mean; NaN with fewer than two values.
    pub low: f64,
    /// Upper end of the confidence interval of the mean; NaN with fewer than two values.
    pub high: f64,
    /// Number of values that are not NaN.
    pub n: usize,
}

/// Confidence interval of a mean over test folds, corrected for overlapping training rows.
///
/// The interval is based on the t distribution, with the variance of [`corrected_t`] (Nadeau and Bengio 2003,
/// section 5). NaN values are left out.
///
/// # Errors
/// [`Error::Parameter`] for a level outside (0, 1) or a ratio that is negative or not finite; [`Error::Data`]
/// for infinite numbers.
pub fn corrected_interval(values: &[f64], ratio: f64, level: f64) -> Result<MeanInterval> {
    if !(level > 0.0 && level < 1.0) {
        return Err(Error::parameter("evaluate", "level", "in (0, 1)", level));
    }
    let defined: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = defined.len();
    if n < 2 {
        let mean = mean_and_sd(&defined).mean;
        return Ok(MeanInterval { mean, low: f64::NAN, high: f64::NAN, n });
    }
    let (mean, scale, freedom) = posterior_parameters("evaluate", &defined, ratio)?;
    let half = scale * tails::t_quantile(f64::midpoint(1.0, level), freedom);
    Ok(MeanInterval { mean, low: mean - half, high: mean + half, n })
}

/// Comparison of two methods on the same test folds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedComparison {
    /// Mean score of the first method minus mean score of the second method.
    /// The means are over the test folds for which both scores are defined.
    pub difference: MeanInterval,
    /// Two-sided p-value of [`corrected_t`]; NaN with fewer than two folds.
    pub p: f64,
}

/// Compares two methods by paired scores on the same test folds.
///
/// # Errors
/// Same errors as [`corrected_interval`]; [`Error::Data`] for unequal lengths.
pub fn compare_paired_scores(
    first: &[f64],
    second: &[f64],
    ratio: f64,
    level: f64,
) -> Result<PairedComparison> {
    if first.len() != second.len() {
        return Err(Error::Data(format!(
            "scores of {} and {} test folds cannot be paired",
            first.len(),
            second.len()
        )));
    }
    let differences: Vec<f64> =
        first.iter().zip(second).map(|(a, b)| a - b).filter(|difference| !difference.is_nan()).collect();
    let difference = corrected_interval(&differences, ratio, level)?;
    let p =
        if difference.n < 2 { f64::NAN } else { corrected_t(&differences, ratio, Alternative::TwoSided)?.p };
    Ok(PairedComparison { difference, p })
}

/// Mean difference, its corrected standard error, and the degrees of freedom.
fn posterior_parameters(caller: &str, differences: &[f64], ratio: f64) -> Result<(f64, f64, f64)> {
    check_differences_finite(differences)?;
    if !(ratio >= 0.0 && ratio.is_finite()) {
        return Err(Error::parameter(caller, "test_to_train", "a number of at least 0", ratio));
    }
    let found = mean_and_sd(differences);
    if found.n < 2 {
        return Err(Error::Data(format!("{caller} needs at least 2 pairs of scores, got {}", found.n)));
    }
    // If all differences are equal, a rounding error of the mean could make the standard deviation positive.
    let constant = differences.iter().all(|d| *d == differences[0]);
    let (mean, sd) = if constant { (differences[0], 0.0) } else { (found.mean, found.sd) };
    let n = found.n as f64;
    Ok((mean, sd * (1.0 / n + ratio).sqrt(), n - 1.0))
}

/// Quotient with 0 / 0 = 0.
fn divide_zero_safe(distance: f64, scale: f64) -> f64 {
    if distance == 0.0 { 0.0 } else { distance / scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_differences_have_p_one_half_and_constant_ones_p_0() {
        let t = |d: &[f64]| corrected_t(d, 0.5, Alternative::Greater).unwrap();
        assert_eq!((t(&[0.0; 3]).t, t(&[0.0; 3]).p), (0.0, 0.5));
        assert_eq!((t(&[0.1; 3]).t, t(&[0.1; 3]).p), (f64::INFINITY, 0.0));
        let probabilities = |d: f64, rope| {
            let found = bayesian_t(&[d; 3], 1.0, rope).unwrap();
            (found.less, found.equivalent, found.greater)
        };
        assert_eq!(probabilities(0.0, 0.0), (0.5, 0.0, 0.5));
        assert_eq!((probabilities(0.1, 0.0), probabilities(0.1, 0.2)), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)));
        assert_eq!(probabilities(-0.1, 0.01), (1.0, 0.0, 0.0));
    }

    #[test]
    fn the_interval_holds_the_values_the_test_does_not_reject() {
        let values = [0.3, 0.1, f64::NAN, 0.25, 0.2, 0.32];
        let found = corrected_interval(&values, 0.25, 0.95).unwrap();
        assert_eq!(found.n, 5);
        let p = |center: f64| {
            let shifted: Vec<f64> = values.iter().filter(|v| !v.is_nan()).map(|v| v - center).collect();
            corrected_t(&shifted, 0.25, Alternative::TwoSided).unwrap().p
        };
        assert!((p(found.low) - 0.05).abs() < 1e-12 && (p(found.high) - 0.05).abs() < 1e-12);
        // The corrected interval is wider than the usual t interval, which assumes that folds are
        // independent.
        let plain = corrected_interval(&values, 0.0, 0.95).unwrap();
        let ratio = (found.high - found.mean) / (plain.high - plain.mean);
        assert!((ratio - (1.0_f64 + 5.0 * 0.25).sqrt()).abs() < 1e-12);
        let one = corrected_interval(&[0.5, f64::NAN], 0.25, 0.95).unwrap();
        assert!(one.mean == 0.5 && one.low.is_nan() && one.n == 1);
        let same = corrected_interval(&[0.5; 4], 0.25, 0.95).unwrap();
        assert_eq!((same.low, same.high), (0.5, 0.5));
        assert!(corrected_interval(&values, 0.25, 1.0).is_err());
    }

    #[test]
    fn pairs_are_compared_if_both_are_defined() {
        let (first, second) = ([0.5, 0.75, f64::NAN, 1.0], [0.25, 0.25, 0.0, f64::NAN]);
        let found = compare_paired_scores(&first, &second, 0.5, 0.95).unwrap();
        let direct = corrected_t(&[0.25, 0.5], 0.5, Alternative::TwoSided).unwrap();
        assert_eq!((found.difference.mean, found.difference.n, found.p), (0.375, 2, direct.p));
        assert!(compare_paired_scores(&first, &second[..2], 0.5, 0.95).is_err());
        assert!(compare_paired_scores(&[0.1], &[0.2], 0.5, 0.95).unwrap().p.is_nan());
    }

    #[test]
    fn invalid_input_is_an_error() {
        let t = |d: &[f64], ratio| corrected_t(d, ratio, Alternative::Less);
        assert!(
            t(&[0.1], 1.0).is_err() && t(&[0.1, 0.2], -1.0).is_err() && t(&[0.1, f64::NAN], 1.0).is_err()
        );
        assert!(bayesian_t(&[0.1, 0.2], 1.0, -0.1).is_err());
    }
}

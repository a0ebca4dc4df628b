//! Measures of class imbalance.

use crate::argument_checks;
use imbcore_core::{Error, Result};

/// Returns the total weight (by default, the number) of the rows of each class.
///
/// # Errors
/// [`imbcore_core::Error::Data`] for a code outside `n_classes`, an invalid weight, or a sum that overflows.
pub fn class_counts(truth: &[u32], n_classes: usize, weights: Option<&[f64]>) -> Result<Vec<f64>> {
    argument_checks::check_class_codes("y", truth, n_classes)?;
    argument_checks::check_summable_weights(weights, truth.len())?;
    let mut counts = vec![0.0; n_classes];
    for (row, &class) in truth.iter().enumerate() {
        counts[class as usize] += argument_checks::weight_or_one(weights, row);
    }
    let sum: f64 = counts.iter().sum();
    if sum.is_finite() {
        return Ok(counts);
    }
    Err(Error::Data(format!("sample_weight adds up to {sum}; divide all weights by the same number")))
}

fn smallest_count(counts: &[f64]) -> f64 {
    counts.iter().copied().fold(f64::NAN, f64::min)
}

/// Imbalance ratio: weight of the largest class divided by the weight of the smallest class.
///
/// Infinite if a class has no rows, and NaN if no class has rows.
pub fn imbalance_ratio(counts: &[f64]) -> f64 {
    counts.iter().copied().fold(0.0, f64::max) / smallest_count(counts)
}

/// Proportion of the smallest class; NaN without rows.
pub fn minority_fraction(counts: &[f64]) -> f64 {
    smallest_count(counts) / counts.iter().sum::<f64>()
}

/// Coefficient of variation: standard deviation of the K class counts divided by their mean.
///
/// The divisor of the variance is K. The result is NaN without rows. Hoens, Qian, Chawla and Zhou 2012 call
/// data imbalanced if it is at least 0.35; two classes in the ratio 2:1 have the value 1/3.
pub fn coefficient_of_variation(counts: &[f64]) -> f64 {
    let k = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / k;
    // Counts are scaled to numbers near 1, so that squares neither overflow nor underflow.
    let unit = argument_checks::floor_power_of_two(mean);
    let variance = counts.iter().map(|count| ((count - mean) / unit).powi(2)).sum::<f64>() / k;
    variance.sqrt() / (mean / unit)
}

/// Difference `ln K - H` between the maximum and the actual entropy of the classes, in nats.
///
/// H is the entropy of the proportions of the K classes (Morán Jiménez 2018). The result is 0 for equal
/// classes and `ln K` for one class only; it is NaN without rows. It is computed as the Kullback-Leibler
/// divergence of the proportions from the uniform distribution.
pub fn entropy_deficit(counts: &[f64]) -> f64 {
    let (k, all) = (counts.len() as f64, counts.iter().sum::<f64>());
    let term = |&count: &f64| if count > 0.0 { count / all * (k * count / all).ln() } else { 0.0 };
    if all > 0.0 { counts.iter().map(term).sum::<f64>().max(0.0) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_worked_measures() {
        let counts = class_counts(&[0, 0, 1, 0], 2, None).unwrap();
        assert_eq!(counts, [3.0, 1.0]);
        assert_eq!((imbalance_ratio(&counts), minority_fraction(&counts)), (3.0, 0.25));
        assert_eq!(coefficient_of_variation(&counts), 0.5);
        let scaled = |scale: f64| coefficient_of_variation(&[3.0 * scale, scale]);
        assert_eq!((scaled(2.0_f64.powi(-700)), scaled(2.0_f64.powi(700))), (0.5, 0.5));
        assert_eq!(class_counts(&[0, 1], 2, Some(&[0.5, 2.0])).unwrap(), [0.5, 2.0]);
        let entropy = -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
        assert!((entropy_deficit(&counts) - (2.0_f64.ln() - entropy)).abs() < 1e-15);
        assert_eq!((entropy_deficit(&[7.0; 3]), entropy_deficit(&[5.0, 0.0])), (0.0, 2.0_f64.ln()));
    }

    #[test]
    fn empty_classes() {
        assert_eq!(imbalance_ratio(&[2.0, 0.0]), f64::INFINITY);
        assert!(imbalance_ratio(&[]).is_nan() && minority_fraction(&[]).is_nan());
        assert!(coefficient_of_variation(&[0.0, 0.0]).is_nan() && entropy_deficit(&[0.0, 0.0]).is_nan());
        assert!(class_counts(&[2], 2, None).is_err());
    }
}

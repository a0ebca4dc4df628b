//! Standardized encoding of numeric columns.

use crate::vectors::{dot, sum_of_mapped_products};
use multiversion::multiversion;
use std::borrow::Cow;

/// Largest absolute value of a standardized number, so that scores are finite.
pub(crate) const MOST_STANDARD: f64 = 1e100;

/// `(1 / unit, center, factor)` of the standardized value `(x / unit - center) * factor`.
pub(crate) type LinearScale = (f64, f64, f64);

/// Multiplication by the inverse of the unit is exact, because the unit is a power of two.
#[inline]
pub(crate) fn standardize(value: f64, (inverse_unit, center, factor): LinearScale) -> f64 {
    ((value * inverse_unit - center) * factor).clamp(-MOST_STANDARD, MOST_STANDARD)
}

/// The weights have the sum 1.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub(crate) fn mean_and_absolute_deviation(weights: &[f64], values: &[f64], scale: LinearScale) -> (f64, f64) {
    let mean = sum_of_mapped_products(weights, values, |value| standardize(value, scale));
    (mean, sum_of_mapped_products(weights, values, |value| (standardize(value, scale) - mean).abs()))
}

/// Unit, center and factor of weighted values; `None` if the values are equal up to rounding.
///
/// `total` is the sum of the weights.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub(crate) fn fit_scaling(values: &[f64], (weights, total): (&[f64], f64)) -> Option<(f64, f64, f64)> {
    let (low, high) = value_range(values);
    if low == high {
        return None;
    }
    let largest = low.abs().max(high.abs());
    // Numbers are divided by a power of two only if their squares could overflow or underflow. The exponent
    // is at most 1023, because the largest double that is a power of two is 2^1023.
    let unit = if (1e-100..1e100).contains(&largest) {
        1.0
    } else {
        largest.log2().floor().clamp(-1022.0, 1023.0).exp2()
    };
    let mut values = Cow::Borrowed(values);
    if unit != 1.0 {
        let inverse = unit.recip();
        values = values.iter().map(|value| value * inverse).collect();
    }
    // If the sum of the weights is very large or small, the weights are divided by it first. Otherwise
    // products could overflow or underflow.
    let mut weights = Cow::Borrowed(weights);
    let mut divisor = total;
    if !(1e-50..1e100).contains(&total) {
        weights = weights.iter().map(|weight| weight / total).collect();
        divisor = 1.0;
    }
    let center = dot(&weights, &values) / divisor;
    let squares = sum_of_mapped_products(&weights, &values, |value| (value - center) * (value - center));
    let factor = (squares / divisor).sqrt().recip();
    factor.is_finite().then_some((unit, center, factor))
}

/// Compares eight values at a time by vector instructions.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub(crate) fn has_missing(values: &[f64]) -> bool {
    let (many, few) = values.as_chunks::<8>();
    let mut missing = [false; 8];
    for chunk in many {
        for (missing, value) in missing.iter_mut().zip(chunk) {
            *missing |= value.is_nan();
        }
    }
    missing.iter().any(|&missing| missing) || few.iter().any(|value| value.is_nan())
}

#[inline(always)]
fn value_range(values: &[f64]) -> (f64, f64) {
    let (many, few) = values.as_chunks::<8>();
    let (mut lows, mut highs) = ([f64::INFINITY; 8], [f64::NEG_INFINITY; 8]);
    for chunk in many {
        for ((low, high), &value) in lows.iter_mut().zip(&mut highs).zip(chunk) {
            *low = if value < *low { value } else { *low };
            *high = if value > *high { value } else { *high };
        }
    }
    let low = lows.iter().chain(few).copied().fold(f64::INFINITY, f64::min);
    (low, highs.iter().chain(few).copied().fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standardized_values_are_finite_for_all_numbers() {
        for values in [vec![1e300, -1.7e308, 1.7e308], vec![5e-324, 0.0, 1e-323], vec![1e-200, 3e-200]] {
            let weights = vec![1e50; values.len()];
            let (unit, center, factor) =
                fit_scaling(&values, (&weights, 1e50 * values.len() as f64)).unwrap();
            let standard: Vec<f64> =
                values.iter().map(|&value| standardize(value, (unit.recip(), center, factor))).collect();
            let mean: f64 = standard.iter().sum();
            let square: f64 = standard.iter().map(|value| value * value).sum();
            assert!(mean.abs() < 1e-9 && (square - values.len() as f64).abs() < 1e-9, "{standard:?}");
            assert!(standardize(1e308, (unit.recip(), center, factor)).is_finite());
        }
        assert_eq!(fit_scaling(&[2.0, 2.0], (&[1.0, 3.0], 4.0)), None);
    }
}

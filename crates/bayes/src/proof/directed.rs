//! Sums and products with directed rounding, so that computed bounds hold exactly.
//!
//! A rounded result is off by at most half a unit in the last place, so the next floating-point number in the
//! chosen direction is a bound. The numbers of a certificate may be huge, so a result may be NaN.
//! [`is_above`] treats NaN as larger than every limit.

/// Upper bound on the exact sum.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    (a + b).next_up()
}

/// Lower bound on the exact sum.
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    (a + b).next_down()
}

/// Upper bound on the exact difference.
pub(crate) fn sub_up(a: f64, b: f64) -> f64 {
    (a - b).next_up()
}

/// Lower bound on the exact difference.
pub(crate) fn sub_down(a: f64, b: f64) -> f64 {
    (a - b).next_down()
}

/// Upper bound on the exact product.
pub(crate) fn mul_up(a: f64, b: f64) -> f64 {
    (a * b).next_up()
}

/// Lower bound on the exact product.
pub(crate) fn mul_down(a: f64, b: f64) -> f64 {
    (a * b).next_down()
}

/// Upper bound on the exact sum of all terms.
pub(crate) fn sum_up(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, add_up)
}

/// Lower bound on the exact sum of all terms.
pub(crate) fn sum_down(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, add_down)
}

/// Whether a value exceeds a limit; a NaN counts as exceeding every limit.
pub(crate) fn is_above(value: f64, limit: f64) -> bool {
    value.partial_cmp(&limit).is_none_or(std::cmp::Ordering::is_gt)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The upper and the lower sum enclose the exact sum, even if large terms cancel.
    #[test]
    fn sums_enclose_the_exact_value() {
        let terms = [1e11, 1e-7, -1e11, 1e-7, 0.1, -0.1, 1e300, 3.0, -1e300];
        // The exact sum is 3.0000002.
        assert!(sum_down(terms.into_iter()) <= 3.000_000_2 && sum_up(terms.into_iter()) >= 3.000_000_2);
        assert!(mul_down(0.1, 0.1) < 0.1 * 0.1 && mul_up(0.1, 0.1) > 0.1 * 0.1);
        assert!(
            sub_down(1e16, 1.0) <= 9_999_999_999_999_999.0 && sub_up(1e16, 1.0) >= 9_999_999_999_999_999.0
        );
        // If a sum overflows, rounding down still gives a finite lower bound.
        assert_eq!(sum_down([f64::MAX, f64::MAX].into_iter()), f64::MAX);
        assert_eq!(add_up(f64::MIN, f64::MIN), f64::MIN);
    }
}

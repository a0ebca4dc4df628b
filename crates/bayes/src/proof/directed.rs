//! Sums and products with directed rounding, so that computed bounds hold exactly.
//!
//! A rounded result is off by at most half a unit in the last place, so the next floating-point number in the
//! chosen direction is a bound. The numbers of a certificate may be huge, so a result may be NaN.
//! [`is_above_or_nan`] treats NaN as larger than every limit.

pub(crate) fn add_rounded_up(a: f64, b: f64) -> f64 {
    (a + b).next_up()
}

pub(crate) fn add_rounded_down(a: f64, b: f64) -> f64 {
    (a + b).next_down()
}

pub(crate) fn subtract_rounded_up(a: f64, b: f64) -> f64 {
    (a - b).next_up()
}

pub(crate) fn subtract_rounded_down(a: f64, b: f64) -> f64 {
    (a - b).next_down()
}

pub(crate) fn multiply_rounded_up(a: f64, b: f64) -> f64 {
    (a * b).next_up()
}

pub(crate) fn multiply_rounded_down(a: f64, b: f64) -> f64 {
    (a * b).next_down()
}

pub(crate) fn sum_rounded_up(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, add_rounded_up)
}

pub(crate) fn sum_rounded_down(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, add_rounded_down)
}

/// Whether a value exceeds a limit; a NaN counts as exceeding every limit.
pub(crate) fn is_above_or_nan(value: f64, limit: f64) -> bool {
    value.partial_cmp(&limit).is_none_or(std::cmp::Ordering::is_gt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_enclose_the_exact_value() {
        let terms = [1e11, 1e-7, -1e11, 1e-7, 0.1, -0.1, 1e300, 3.0, -1e300];
        // The exact sum is 3.0000002.
        assert!(
            sum_rounded_down(terms.into_iter()) <= 3.000_000_2
                && sum_rounded_up(terms.into_iter()) >= 3.000_000_2
        );
        assert!(multiply_rounded_down(0.1, 0.1) < 0.1 * 0.1 && multiply_rounded_up(0.1, 0.1) > 0.1 * 0.1);
        assert!(
            subtract_rounded_down(1e16, 1.0) <= 9_999_999_999_999_999.0
                && subtract_rounded_up(1e16, 1.0) >= 9_999_999_999_999_999.0
        );
        // If a sum overflows, rounding down still gives a finite lower bound.
        assert_eq!(sum_rounded_down([f64::MAX, f64::MAX].into_iter()), f64::MAX);
        assert_eq!(add_rounded_up(f64::MIN, f64::MIN), f64::MIN);
    }
}

//! Equally spaced thresholds between the smallest and the largest value of a node.

use crate::rows::train_column::{FlaggedRow, row_of_entry};
use imbcore_core::Strided;

/// `low + i (high - low) / (n + 1)` for i = 1 to `n`; empty if `low` equals `high`.
pub(crate) fn equally_spaced_thresholds(low: f64, high: f64, n: u32) -> impl Iterator<Item = f64> {
    let n = if low < high { n } else { 0 };
    (1..=n).map(move |i| {
        let (steps, all) = (f64::from(i), f64::from(n) + 1.0);
        let spaced = low + steps * (high - low) / all;
        // The difference of a very large and a very small number may overflow.
        let spaced =
            if spaced.is_finite() { spaced } else { low * (1.0 - steps / all) + high * (steps / all) };
        // If the values are adjacent floating-point numbers, rounding must not leave a side without rows.
        // Adding 0 turns -0 into 0.
        spaced.max(low).min(high.next_down()) + 0.0
    })
}

pub(crate) fn first_threshold_between(
    values: Strided<'_>,
    known: &[FlaggedRow],
    n: u32,
    below: f64,
    above: f64,
) -> Option<f64> {
    let value = |entry: &FlaggedRow| values.get(row_of_entry(*entry));
    let (low, high) = (value(known.first()?), value(known.last()?));
    equally_spaced_thresholds(low, high, n).find(|&threshold| below <= threshold && threshold < above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_lie_at_equal_distances_and_leave_no_side_empty() {
        assert_eq!(equally_spaced_thresholds(1.0, 3.0, 3).collect::<Vec<_>>(), [1.5, 2.0, 2.5]);
        assert_eq!(equally_spaced_thresholds(2.0, 2.0, 3).count(), 0);
        for (low, high) in [(1.0, 1.0_f64.next_up()), (f64::MIN, f64::MAX), (-5e-324, 5e-324), (-0.0, 5e-324)]
        {
            for n in [1, 2, 7] {
                let all: Vec<f64> = equally_spaced_thresholds(low, high, n).collect();
                assert_eq!(all.len(), n as usize);
                assert!(
                    all.iter().all(|&t| low <= t && t < high && (t != 0.0 || t.is_sign_positive())),
                    "{all:?}"
                );
                assert!(all.is_sorted());
            }
        }
    }

    #[test]
    fn the_threshold_of_a_cut_is_the_first_between_its_values() {
        let values = Strided::from_slice(&[0.0, 1.0, 9.0, 10.0]);
        let between = |below, above| first_threshold_between(values, &[0, 1, 2, 3], 4, below, above);
        assert_eq!((between(0.0, 1.0), between(1.0, 9.0), between(9.0, 10.0)), (None, Some(2.0), None));
        assert_eq!(first_threshold_between(values, &[], 4, 0.0, 1.0), None);
    }
}

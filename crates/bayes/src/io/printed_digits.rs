//! Tolerance for sums of probabilities that a file gives with a limited number of digits.

use crate::cpt::normalize_rows;
use imbcore_core::{Error, Result};

/// A row sum that differs from 1 by at most this is corrected without a warning.
///
/// The factor `1 + 1e-9` allows for the rounding of the sum.
const SILENT: f64 = 1e-6 * (1.0 + 1e-9);

/// Maximum number of decimals with which sums are counted exactly, in units of the last one.
const COUNTED: i32 = 14;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PrintedPrecision(u32);

impl PrintedPrecision {
    pub(super) fn record_decimals(&mut self, word: &str) {
        let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
        let fraction =
            mantissa.split_once('.').map_or(0, |(_, digits)| i64::try_from(digits.len()).unwrap_or(i64::MAX));
        let decimals = fraction.saturating_sub(exponent.parse::<i64>().unwrap_or(0));
        self.0 = self.0.max(u32::try_from(decimals.max(0)).unwrap_or(u32::MAX));
    }

    /// Maximum rounding error of a sum of `entries` numbers with the stored number of decimals.
    ///
    /// Each number has an error of less than half a unit of its last digit.
    fn rounding_tolerance(&self, entries: usize) -> f64 {
        entries as f64 * (0.5 * 0.1_f64.powi(i32::try_from(self.0).unwrap_or(i32::MAX))).max(f64::EPSILON)
    }

    fn can_explain_deviation(&self, off: f64, entries: usize) -> bool {
        if off.abs() <= SILENT {
            return true;
        }
        let decimals = i32::try_from(self.0).unwrap_or(i32::MAX);
        if decimals <= COUNTED {
            // All numbers and their sum are multiples of one unit of the last digit. The difference of the
            // sum from 1 is therefore a whole number of units. For example, 0.8 + 0.1 differs from 1 by
            // exactly 0.1.
            let units = (off * 10_f64.powi(decimals)).round().abs();
            return 2.0 * units < entries as f64;
        }
        off.abs() <= self.rounding_tolerance(entries)
    }

    /// Normalizes rows of `levels` cells; returns a warning if a sum is over 1e-6 away from 1.
    ///
    /// # Errors
    /// [`Error::Data`] for a cell that is not a probability, and for a row whose deviation is larger than
    /// rounding to the printed digits can explain.
    pub(super) fn normalize_rounded_rows(&self, cells: &mut [f64], levels: usize) -> Result<Option<String>> {
        let mut farthest = None;
        let tolerance = self.rounding_tolerance(levels).max(SILENT);
        for row in cells.chunks_exact(levels) {
            if let Some(cell) = row.iter().find(|&&cell| !(0.0..=1.0 + tolerance).contains(&cell)) {
                return Err(Error::Data(format!("{cell} is not a probability; it must be in [0, 1]")));
            }
            let sum = compensated_sum(row);
            if sum <= 0.0 || !self.can_explain_deviation(sum - 1.0, levels) {
                return Err(Error::Data(format!(
                    "a row of probabilities adds up to {sum} instead of 1; rounding explains deviations below {}",
                    round_to_four_digits(tolerance.max(1e-6))
                )));
            }
            if (sum - 1.0).abs() > SILENT
                && farthest.is_none_or(|far: f64| (sum - 1.0).abs() > (far - 1.0).abs())
            {
                farthest = Some(sum);
            }
        }
        normalize_rows(cells, levels, tolerance)?;
        Ok(farthest.map(|sum| format!("has a row that adds up to {sum} instead of 1; it was normalized")))
    }
}

fn round_to_four_digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// Compensated sum (Neumaier 1974).
fn compensated_sum(row: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for &cell in row {
        let next: f64 = sum + cell;
        lost += if sum >= cell { (sum - next) + cell } else { (cell - next) + sum };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str, levels: usize) -> std::result::Result<Option<String>, String> {
        let mut digits = PrintedPrecision::default();
        for word in words.split(' ') {
            digits.record_decimals(word);
        }
        let mut cells: Vec<f64> = words.split(' ').map(|word| word.parse().unwrap()).collect();
        digits.normalize_rounded_rows(&mut cells, levels).map_err(|error| error.to_string())
    }

    #[test]
    fn digits_explain_less_than_half_a_unit_an_entry() {
        for (words, levels) in [
            ("0.8 0.1", 2),
            ("0.80 0.19", 2),
            ("0.6 0.45 0.4 0.55", 2),
            ("0.333 0.333 0.332", 3),
            ("0.333333 0.333333 0.333332 0.333 0.333 0.333", 3),
            ("8e-1 1e-1", 2),
            ("0 0 0", 3),
            ("1 1", 2),
            ("0.5 0.5 0.50001 0.5", 2),
            ("0.33333333 0.33333333 0.33330000", 3),
        ] {
            let error = read(words, levels).unwrap_err();
            assert!(error.contains("instead of 1"), "{words}: {error}");
        }
        for (words, levels, warns) in [
            ("0.3 0.3 0.3", 3, true),
            ("0.33 0.33 0.33", 3, true),
            ("0.333333 0.333333 0.333333", 3, false),
            ("0.33333 0.33333 0.33333", 3, true),
            ("0.1 0.2 0.7", 3, false),
            ("1 0 0", 3, false),
            ("0.33333333 0.33333333 0.33333324", 3, false),
            ("1e-3 0.999", 2, false),
            ("3.33e-1 0.333 33.3E-2", 3, true),
            ("0.14 0.14 0.14 0.14 0.14 0.14 0.14", 7, true),
        ] {
            assert_eq!(read(words, levels).unwrap().is_some(), warns, "{words}");
        }
        assert!(read("-0.1 1.1", 2).unwrap_err().contains("-0.1 is not a probability"));
        assert!(read("NaN 1", 2).unwrap_err().contains("NaN is not a probability"));
    }
}

//! 16-bit quantized points that exclude far rows from a search for nearest neighbors.
//!
//! An exact search spends most of its time on rows that are far away. With 16-bit integers, far rows are
//! found in a fraction of this time on every processor with vector instructions.
//! [`Quantizer::quantized_limit`] includes a bound on the rounding error, so no row within the limit is
//! excluded. The other rows are compared only by [`DistanceSpace::squared_distance_between`], so results are
//! identical on every machine.
//!
//! Coordinates are divided by a unit, so that nearest rows are about [`NEAR`] units apart. A unit has
//! [`STEPS`] steps, and coordinates are rounded to steps, modulo 2^16. The modulo operation never increases a
//! difference. So for distant clusters and outliers, more exact distances may be computed, but no neighbor is
//! lost.

use crate::distance_space::DistanceSpace;

/// Steps per unit; shifting a squared difference in steps right by 16 gives squared units.
const STEPS: f64 = 256.0;

/// Approximate distance between a row and its nearest row, in units.
///
/// With a larger value, rounding errors are smaller, but squared distances overflow 16 bits at smaller
/// distances.
const NEAR: f64 = 64.0;

/// Maximum absolute value in steps for which the rounding error is below one step.
const SHARP: f64 = (1_u64 << 50) as f64;

/// Constant that is added to a number of steps to round it to the nearest integer.
///
/// If the number is at most [`SHARP`], the integer is in the low bits of the sum.
const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;

/// Size of the sample of rows from which the unit is estimated.
const GUESSED_FROM: usize = 256;
/// Number of rows of the sample for which the nearest row of the sample is searched.
const GUESSES: usize = 16;

/// Quantizer, which converts rows to vectors of 16-bit integers.
///
/// A vector contains the numeric columns by descending variance, in steps modulo 2^16, and then the nominal
/// codes.
#[derive(Clone, Debug)]
pub(crate) struct Quantizer {
    order: Vec<usize>,
    /// Number of steps for a difference of 1 in a scaled numeric column.
    steps: f64,
    n_nominal: usize,
    /// Number that each differing nominal column adds to a squared distance, in squared units.
    pub(crate) mismatch: u16,
}

impl Quantizer {
    pub(crate) fn fit(space: &DistanceSpace<'_>, rows: &[u32]) -> Self {
        let stride = rows.len().div_ceil(GUESSED_FROM).max(1);
        let sample: Vec<u32> = rows.iter().step_by(stride).copied().collect();
        let mut order: Vec<usize> = (0..space.n_numeric()).collect();
        let spread: Vec<f64> = order.iter().map(|&column| column_variance(space, &sample, column)).collect();
        // Any order of the columns gives correct results. Columns with a large variance come first, because
        // they exclude far rows earliest.
        order.sort_by(|&a, &b| spread[b].total_cmp(&spread[a]));
        let unit = median_neighbor_distance(space, &sample) / NEAR;
        let mismatch = (space.nominal_mismatch() / (unit * unit)).min(f64::from(u16::MAX));
        #[allow(clippy::cast_sign_loss)] // Not negative.
        Self {
            order,
            steps: STEPS / unit,
            n_nominal: space.n_compared_nominal_columns(),
            mismatch: mismatch as u16,
        }
    }

    /// Length of a vector; the last [`Quantizer::n_nominal`] values are codes.
    pub(crate) fn vector_length(&self) -> usize {
        self.order.len() + self.n_nominal
    }

    pub(crate) fn n_numeric(&self) -> usize {
        self.order.len()
    }

    /// Passes the 16-bit values of a row to `put`; returns whether they are exact to one step.
    ///
    /// A vector that is not exact must not be used to exclude rows.
    pub(crate) fn quantize(
        &self,
        space: &DistanceSpace<'_>,
        row: u32,
        mut put: impl FnMut(usize, i16),
    ) -> bool {
        let numbers = space.numeric_values(row);
        let mut sharp = true;
        for (i, &column) in self.order.iter().enumerate() {
            let steps = numbers[column] * self.steps;
            // This comparison is also false if `steps` is NaN.
            sharp &= steps.abs() <= SHARP;
            put(i, (steps + WHOLE).to_bits() as i16);
        }
        for (i, &code) in space.nominal_codes(row).iter().take(self.n_nominal).enumerate() {
            // Truncation to 16 bits may make different codes equal. Then rows only appear nearer than they
            // are, so no neighbor is excluded.
            put(self.order.len() + i, code as i16);
        }
        sharp
    }

    /// Upper bound on the 16-bit squared distance of rows at squared distance up to `limit`.
    ///
    /// The result is in squared units, and negative for a negative limit. The squares of the columns are
    /// rounded down. Each quantized value has an error of at most one step, so a difference of two values has
    /// an error of at most two steps. The error of a distance is then at most `2 sqrt(n_columns)` steps. The
    /// factor `1 + 1e-9` covers the rounding errors of exact distances, and the smallest normal number per
    /// column those of squares that underflow.
    pub(crate) fn quantized_limit(&self, limit: f64) -> i32 {
        if limit < 0.0 {
            return -1;
        }
        let n_columns = self.order.len() as f64;
        let off = 2.0 * n_columns.sqrt();
        let units = ((limit + n_columns * f64::MIN_POSITIVE).sqrt() * self.steps + off) / STEPS;
        let squared = units * units * (1.0 + 1e-9) + 1.0;
        // The filter's sums saturate at the largest 16-bit value, so a limit of this value excludes no row.
        // If `squared` is NaN, the result is also this value.
        if squared < f64::from(u16::MAX) { squared as i32 } else { i32::from(u16::MAX) }
    }
}

fn column_variance(space: &DistanceSpace<'_>, sample: &[u32], column: usize) -> f64 {
    let values = || sample.iter().map(|&row| space.numeric_values(row)[column]);
    let n = sample.len() as f64;
    let mean = values().sum::<f64>() / n;
    values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n
}

/// Median distance from a row of the sample to the nearest row with different coordinates.
///
/// The median is over a few rows of the sample. The result is 1 if all rows of the sample are equal.
fn median_neighbor_distance(space: &DistanceSpace<'_>, sample: &[u32]) -> f64 {
    let nearest = |&row: &u32| {
        let others = sample.iter().map(|&other| space.squared_distance_between(row, other));
        others.filter(|&distance| distance > 0.0).fold(f64::INFINITY, f64::min)
    };
    let stride = sample.len().div_ceil(GUESSES).max(1);
    let mut found: Vec<f64> = sample.iter().step_by(stride).map(nearest).filter(|d| d.is_finite()).collect();
    found.sort_by(f64::total_cmp);
    found.get(found.len() / 2).map_or(1.0, |distance| distance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Frame, RunContext};

    /// Squared distance between two rows as the filter computes it, in squared units.
    fn apart(lens: &Quantizer, space: &DistanceSpace<'_>, a: u32, b: u32) -> i32 {
        let vector = |row| {
            let mut vector = vec![0; lens.vector_length()];
            assert!(lens.quantize(space, row, |i, value| vector[i] = value));
            vector
        };
        let square = |difference: i16| (i32::from(difference) * i32::from(difference)) >> 16;
        vector(a).iter().zip(vector(b)).map(|(x, y)| square(x.wrapping_sub(y))).sum()
    }

    fn assert_all_pairs_are_within_reach(lens: &Quantizer, space: &DistanceSpace<'_>, n_rows: u32) {
        for a in 0..n_rows {
            for b in 0..a {
                let reach = lens.quantized_limit(space.squared_distance_between(a, b));
                assert!(apart(lens, space, a, b).min(65_535) <= reach, "{a} {b}");
            }
        }
    }

    #[test]
    fn no_row_within_a_limit_is_out_of_reach() {
        // The data have distant clusters, an outlier, and columns of very different scales.
        let values: Vec<f64> = (0..600_u32)
            .map(|at| {
                let (row, noise) = (at / 3, f64::from(at.wrapping_mul(2_654_435_761) >> 8) / 65_536.0);
                match at % 3 {
                    0 => noise + if row % 2 == 0 { 1e6 } else { -3e5 },
                    1 => noise * 1e-3,
                    _ => noise * if row == 7 { 1e9 } else { 1.0 },
                }
            })
            .collect();
        let frame = Frame::from_row_major(&values, 200, 3).unwrap();
        let space = DistanceSpace::from_numeric(&frame, None, RunContext::silent()).unwrap();
        let lens = Quantizer::fit(&space, &(0..200).collect::<Vec<u32>>());
        assert_all_pairs_are_within_reach(&lens, &space, 200);
        assert_eq!((lens.quantized_limit(-1.0), lens.quantized_limit(f64::INFINITY)), (-1, 65_535));
        assert!(lens.quantized_limit(0.0) < 4, "at limit 0 only equal rows are within reach");
    }

    #[test]
    fn squares_that_underflow_are_within_a_limit() {
        let values: Vec<f64> = (0..40).map(|row| f64::from(row * row % 37) * 3e-163).collect();
        let frame = Frame::from_row_major(&values, 40, 1).unwrap();
        let space = DistanceSpace::from_numeric(&frame, None, RunContext::silent()).unwrap();
        let lens = Quantizer::fit(&space, &(0..40).collect::<Vec<u32>>());
        assert_all_pairs_are_within_reach(&lens, &space, 40);
    }

    #[test]
    fn numbers_too_large_for_exact_steps_are_not_sharp() {
        let values = [0.0, 1.0, 2.0, 1e300, f64::MAX, -f64::MAX];
        let frame = Frame::from_row_major(&values, 6, 1).unwrap();
        let space = DistanceSpace::from_numeric(&frame, None, RunContext::silent()).unwrap();
        let lens = Quantizer::fit(&space, &[0, 1, 2, 3, 4, 5]);
        let sharp = |row| lens.quantize(&space, row, |_, _| {});
        assert!(sharp(0));
        assert!(!sharp(3) || lens.steps < 1e-200);
        assert!(!sharp(4) || !sharp(5) || lens.steps < 1e-200);
    }
}

//! Removes values that cannot be nearer to any query than the values found in a sample.
//!
//! A query is the position of a bound of a box.

use super::sorted_queries::{IntervalExtrema, QueryValues, SortedQueries};
use crate::row_source::BLOCK;

/// Number of intervals of the filter, a power of two.
const CELLS: usize = 1 << 12;

/// Adding this constant to a number in 0..=2^51 puts the nearest integer in the lowest bits.
const ROUND: f64 = (1_u64 << 52) as f64;

/// Filter that divides the real line into cells and marks the cells whose values are kept.
///
/// A cell is marked if one of its values can be nearer to a query than the values of the sample. Cells have
/// equal width, except the first and last cell, which are unbounded. Despite rounding, a larger value never
/// has a smaller cell index. So all values between two numbers are in the cells between the cells of these
/// numbers.
#[derive(Clone)]
pub(super) struct ValueFilter {
    origin: f64,
    per_cell: f64,
    open: Box<[u8; CELLS]>,
}

impl ValueFilter {
    /// Builds the filter from the values that a search of the sample found.
    ///
    /// Returns `None` if at least half of the cells would be marked, because the filter would remove too
    /// little.
    pub(super) fn new(ladder: &SortedQueries, rungs: &IntervalExtrema) -> Option<Self> {
        let steps = ladder.distinct_queries();
        let seen = ladder.nearest_values_per_query(
            rungs.clone(),
            &QueryValues { below: steps.to_vec(), above: steps.to_vec() },
        );
        // Only a value strictly between the two sample values next to a query can be nearer to the query.
        let values = || seen.below.iter().chain(&seen.above).copied().filter(|value| value.is_finite());
        let (origin, end) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let per_cell = (CELLS - 3) as f64 / (end - origin);
        if !per_cell.is_normal() {
            return None;
        }
        let mut sieve = Self { origin, per_cell, open: Box::new([0; CELLS]) };
        for (&below, &above) in seen.below.iter().zip(&seen.above) {
            let cells = sieve.filter_cell_of_value(below)..=sieve.filter_cell_of_value(above);
            sieve.open[cells].fill(1);
        }
        let n_open: usize = sieve.open.iter().map(|&open| usize::from(open)).sum();
        (n_open * 2 < CELLS).then_some(sieve)
    }

    /// Cell of a value; the first cell if the value is missing.
    fn filter_cell_of_value(&self, x: f64) -> usize {
        let place = (x - self.origin) * self.per_cell + 1.0;
        // For NaN the comparison is false.
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < (CELLS - 1) as f64 { place } else { (CELLS - 1) as f64 };
        (place + ROUND).to_bits() as usize & (CELLS - 1)
    }

    pub(super) fn write_kept_value_indices(&self, values: &[f64], places: &mut [u32; BLOCK]) -> usize {
        let mut n = 0;
        // The loop has no branches. Every index is written, and it is overwritten if `n` does not increase.
        for (place, &x) in values.iter().enumerate().take(BLOCK) {
            places[n & (BLOCK - 1)] = place as u32;
            n += usize::from(self.open[self.filter_cell_of_value(x)]);
        }
        n
    }
}

//! Filter that removes values that cannot be nearer to any bound than those already seen.

use super::sorted_queries::{IntervalExtrema, Queries, SortedQueries};
use crate::blocks::BLOCK;

/// Number of cells of a filter, a power of two.
const CELLS: usize = 1 << 12;

/// Constant whose addition rounds a number in 0..=2^51 to an integer in the lowest bits.
const ROUND: f64 = (1_u64 << 52) as f64;

/// Marks the cells of the real line whose values can still change a result.
///
/// Cells have equal width, except the first and last, which extend to infinity. The cell index is monotone in the value
/// despite rounding, so all values between two numbers are in the cells between theirs.
#[derive(Clone)]
pub(super) struct ValueFilter {
    origin: f64,
    per_cell: f64,
    open: Box<[u8; CELLS]>,
}

impl ValueFilter {
    /// Builds the filter from the result of the sample.
    /// `None` if it would pass half of the cells or more.
    pub(super) fn new(ladder: &SortedQueries, rungs: &IntervalExtrema) -> Option<Self> {
        let steps = ladder.steps();
        let seen = ladder.answer(rungs.clone(), &Queries { below: steps.to_vec(), above: steps.to_vec() });
        // Only values strictly between the two neighbors of a query can be nearer to it.
        let values = || seen.below.iter().chain(&seen.above).copied().filter(|value| value.is_finite());
        let (origin, end) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let per_cell = (CELLS - 3) as f64 / (end - origin);
        if !per_cell.is_normal() {
            return None;
        }
        let mut sieve = Self { origin, per_cell, open: Box::new([0; CELLS]) };
        for (&below, &above) in seen.below.iter().zip(&seen.above) {
            let cells = sieve.cell(below)..=sieve.cell(above);
            sieve.open[cells].fill(1);
        }
        let n_open: usize = sieve.open.iter().map(|&open| usize::from(open)).sum();
        (n_open * 2 < CELLS).then_some(sieve)
    }

    /// Cell of a value; a missing value is in the first cell.
    fn cell(&self, x: f64) -> usize {
        let place = (x - self.origin) * self.per_cell + 1.0;
        // False for NaN.
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < (CELLS - 1) as f64 { place } else { (CELLS - 1) as f64 };
        (place + ROUND).to_bits() as usize & (CELLS - 1)
    }

    /// Writes the indices of the values that can change a result and returns their number.
    pub(super) fn pass(&self, values: &[f64], places: &mut [u32; BLOCK]) -> usize {
        let mut n = 0;
        // Branch-free: every index is written, and kept only if `n` advances.
        for (place, &x) in values.iter().enumerate().take(BLOCK) {
            places[n & (BLOCK - 1)] = place as u32;
            n += usize::from(self.open[self.cell(x)]);
        }
        n
    }
}

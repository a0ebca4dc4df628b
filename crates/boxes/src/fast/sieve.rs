//! Holds back values that cannot lie nearer to any bound than those seen before.

use super::ladder::{Asked, Ladder, Rungs};
use crate::blocks::BLOCK;

/// Cells of a sieve; a power of two.
const CELLS: usize = 1 << 12;

/// Adding it to a number between 0 and 2^51 leaves the nearest whole number in the lowest bits.
const ROUND: f64 = (1_u64 << 52) as f64;

/// Marks the parts of the line of numbers whose values may still change an answer.
///
/// Cells are of equal width but for the first and the last, which reach to infinity. A larger value is never in a lower
/// cell, whatever the rounding, so all values between two numbers are in the cells from that of the one to that of the other.
#[derive(Clone)]
pub(super) struct Sieve {
    origin: f64,
    per_cell: f64,
    open: Box<[u8; CELLS]>,
}

impl Sieve {
    /// The sieve for what a first look left open; none where it would hold back little.
    pub(super) fn new(ladder: &Ladder, rungs: &Rungs) -> Option<Self> {
        let steps = ladder.steps();
        let seen = ladder.answer(rungs.clone(), &Asked { below: steps.to_vec(), above: steps.to_vec() });
        // Only values strictly between those next to a step can lie nearer to it.
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

    /// Cell of a value; the first for a missing one.
    fn cell(&self, x: f64) -> usize {
        let place = (x - self.origin) * self.per_cell + 1.0;
        // False for NaN as well.
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < (CELLS - 1) as f64 { place } else { (CELLS - 1) as f64 };
        (place + ROUND).to_bits() as usize & (CELLS - 1)
    }

    /// Places of the values that may change an answer.
    pub(super) fn pass(&self, values: &[f64], places: &mut [u32; BLOCK]) -> usize {
        let mut n = 0;
        // No jumps: the place is always written, and kept by counting it.
        for (place, &x) in values.iter().enumerate().take(BLOCK) {
            places[n & (BLOCK - 1)] = place as u32;
            n += usize::from(self.open[self.cell(x)]);
        }
        n
    }
}

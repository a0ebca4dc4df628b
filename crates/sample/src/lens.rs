//! Points as whole numbers of 16 bits, and how far rounding may mislead: what searches look through before they measure.
//!
//! A search by exact distances spends its time on rows that are far away. Small whole numbers show which those are at a
//! fraction of the cost, on whatever vector instructions the machine has, and [`Lens::reach`] is wide enough that no row
//! within the limit is lost to rounding. The rows that pass are measured by [`Space::distance`] alone: so the answers are
//! the same numbers on every machine.
//!
//! A column goes round a circle of [`ROUND`] units, of which nearest rows lie some [`NEAR`] apart: along the circle no two
//! rows are farther from each other than in truth, so far clusters and wild values cost nothing but a second look.

use crate::space::Space;

/// Steps of a unit: squares of 16-bit differences, shifted by 16, are whole units.
const STEPS: f64 = 256.0;

/// Units that a nearest row is away by a rough guess. A larger number rounds less, and squares of far rows saturate sooner.
const NEAR: f64 = 64.0;

/// Up to so many steps a number is exact enough: what is rounded away of it is below half a step.
const SHARP: f64 = (1_u64 << 50) as f64;

/// Added to a number of at most [`SHARP`] steps, its nearest whole number stands in the last bits of the sum.
const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;

/// Rows from which the unit is guessed, and those of them whose nearest is looked for.
const GUESSED_FROM: usize = 256;
const GUESSES: usize = 16;

/// How points become vectors of whole numbers: steps along a circle, widest columns first, nominal codes last.
#[derive(Clone, Debug)]
pub(crate) struct Lens {
    order: Vec<usize>,
    /// Steps in 1.
    steps: f64,
    n_nominal: usize,
    /// What a difference in a nominal column adds, in square units.
    pub(crate) mismatch: u16,
}

impl Lens {
    /// A lens for searches among `rows`, which it looks at here and there.
    pub(crate) fn of(space: &Space<'_>, rows: &[u32]) -> Self {
        let stride = rows.len().div_ceil(GUESSED_FROM).max(1);
        let sample: Vec<u32> = rows.iter().step_by(stride).copied().collect();
        let mut order: Vec<usize> = (0..space.n_numbers()).collect();
        let spread: Vec<f64> = order.iter().map(|&column| spread(space, &sample, column)).collect();
        // Any order is right; a wide column tells soonest that a row is far away.
        order.sort_by(|&a, &b| spread[b].total_cmp(&spread[a]));
        let unit = distance_guess(space, &sample) / NEAR;
        let mismatch = (space.mismatch() / (unit * unit)).min(f64::from(u16::MAX));
        #[allow(clippy::cast_sign_loss)] // Not negative.
        Self { order, steps: STEPS / unit, n_nominal: space.n_compared(), mismatch: mismatch as u16 }
    }

    /// Numbers of a vector, of which the last [`Lens::n_nominal`] are codes.
    pub(crate) fn width(&self) -> usize {
        self.order.len() + self.n_nominal
    }

    /// Numbers of a vector that are no codes.
    pub(crate) fn n_numbers(&self) -> usize {
        self.order.len()
    }

    /// Hands on the vector of a row, number after number; whether it is a sharp one. Of others nothing can be told but by
    /// measuring.
    pub(crate) fn project(&self, space: &Space<'_>, row: u32, mut put: impl FnMut(usize, i16)) -> bool {
        let numbers = space.numbers(row);
        let mut sharp = true;
        for (at, &column) in self.order.iter().enumerate() {
            let steps = numbers[column] * self.steps;
            // False for NaN, too.
            sharp &= steps.abs() <= SHARP;
            put(at, (steps + WHOLE).to_bits() as i16);
        }
        for (at, &code) in space.codes(row).iter().take(self.n_nominal).enumerate() {
            // Codes that fall together make rows look nearer than they are: that is harmless.
            put(self.order.len() + at, code as i16);
        }
        sharp
    }

    /// How many square units two sharp vectors within the squared distance `limit` may be apart at most, each column
    /// rounded down; negative, which nothing is within, for a negative limit.
    ///
    /// A number is off by a step at most, so a distance by two for each column at right angles. The last factor stands for
    /// the rounding of distances themselves.
    pub(crate) fn reach(&self, limit: f64) -> i32 {
        if limit < 0.0 {
            return -1;
        }
        let off = 2.0 * (self.order.len() as f64).sqrt();
        let units = (limit.sqrt() * self.steps + off) / STEPS;
        let squared = units * units * (1.0 + 1e-9) + 1.0;
        // Sums saturate at the largest number, which is therefore within reach of everything. So it is of NaN.
        if squared < f64::from(u16::MAX) { squared as i32 } else { i32::from(u16::MAX) }
    }
}

/// Variance of a column among some rows.
fn spread(space: &Space<'_>, sample: &[u32], column: usize) -> f64 {
    let values = || sample.iter().map(|&row| space.numbers(row)[column]);
    let n = sample.len() as f64;
    let mean = values().sum::<f64>() / n;
    values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n
}

/// A distance of the size at which nearest rows lie, from a few rows; 1 where they tell nothing.
fn distance_guess(space: &Space<'_>, sample: &[u32]) -> f64 {
    let nearest = |&row: &u32| {
        let others = sample.iter().map(|&other| space.distance(row, other));
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
    use imbcore_base::{Frame, RunCtl};

    /// Square units between the vectors of two rows, as searches add them up.
    fn apart(lens: &Lens, space: &Space<'_>, a: u32, b: u32) -> i32 {
        let vector = |row| {
            let mut vector = vec![0; lens.width()];
            assert!(lens.project(space, row, |at, value| vector[at] = value));
            vector
        };
        let square = |difference: i16| (i32::from(difference) * i32::from(difference)) >> 16;
        vector(a).iter().zip(vector(b)).map(|(x, y)| square(x.wrapping_sub(y))).sum()
    }

    #[test]
    fn no_row_within_a_limit_is_out_of_reach() {
        // Clusters far apart, a wild value, columns of very different size.
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
        let frame = Frame::from_rows(&values, 200, 3).unwrap();
        let space = Space::of_numbers(&frame, None, RunCtl::silent()).unwrap();
        let lens = Lens::of(&space, &(0..200).collect::<Vec<u32>>());
        for a in 0..200 {
            for b in 0..a {
                let reach = lens.reach(space.distance(a, b));
                assert!(apart(&lens, &space, a, b).min(65_535) <= reach, "{a} {b}");
            }
        }
        assert_eq!((lens.reach(-1.0), lens.reach(f64::INFINITY)), (-1, 65_535));
        assert!(lens.reach(0.0) < 4, "equal rows alone are within reach of nothing");
    }

    #[test]
    fn numbers_that_are_too_large_to_be_told_apart_are_not_sharp() {
        let values = [0.0, 1.0, 2.0, 1e300, f64::MAX, -f64::MAX];
        let frame = Frame::from_rows(&values, 6, 1).unwrap();
        let space = Space::of_numbers(&frame, None, RunCtl::silent()).unwrap();
        let lens = Lens::of(&space, &[0, 1, 2, 3, 4, 5]);
        let sharp = |row| lens.project(&space, row, |_, _| {});
        assert!(sharp(0));
        assert!(!sharp(3) || lens.steps < 1e-200);
        assert!(!sharp(4) || !sharp(5) || lens.steps < 1e-200);
    }
}

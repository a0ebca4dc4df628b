//! Points in single precision, and how far rounding may mislead: what searches look through before they measure.
//!
//! A search by exact distances spends its time on rows that are far away. Single precision shows which those are at a
//! fraction of the cost, on whatever vector instructions the machine has, and [`Lens::reach`] is wide enough that no row
//! within the limit is lost to rounding. The rows that pass are measured by [`Space::distance`] alone: so the answers are
//! the same numbers on every machine, while the screening may use every instruction it likes.

use crate::space::Space;
use imbcore_base::{Result, RunCtl};

/// Half a unit in the last place of a number near 1 in single precision.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// How points become vectors of single precision: centred, multiplied by one power of two, widest columns first, nominal
/// codes last.
#[derive(Clone, Debug)]
pub(crate) struct Lens {
    order: Vec<usize>,
    centre: Vec<f64>,
    /// 0 where the numbers are too large to be multiplied: then the lens shows nothing, and everything is measured.
    scale: f64,
    n_nominal: usize,
    /// What a difference in a nominal column adds.
    pub(crate) mismatch: f32,
}

impl Lens {
    /// A lens for all rows of a space.
    pub(crate) fn of(space: &Space<'_>, ctl: RunCtl<'_>) -> Result<Self> {
        const ROWS: usize = 4096;
        let (n, width) = (space.n_rows(), space.n_numbers());
        let (mut sums, mut squares) = (vec![0.0; width], vec![0.0; width]);
        let (mut low, mut high) = (vec![f64::INFINITY; width], vec![f64::NEG_INFINITY; width]);
        for row in 0..n {
            if row % ROWS == 0 {
                ctl.check()?;
            }
            for (column, &x) in space.numbers(row as u32).iter().enumerate() {
                sums[column] += x;
                squares[column] += x * x;
                low[column] = low[column].min(x);
                high[column] = high[column].max(x);
            }
        }
        let centre: Vec<f64> = sums
            .iter()
            .map(|sum| sum / n as f64)
            .map(|mean| if mean.is_finite() { mean } else { 0.0 })
            .collect();
        let spread = |column: usize| squares[column] / n as f64 - centre[column] * centre[column];
        let mut order: Vec<usize> = (0..width).collect();
        // Any order is right; a wide column tells soonest that a row is far away.
        order.sort_by(|&a, &b| spread(b).total_cmp(&spread(a)));
        let largest = (0..width)
            .map(|column| (high[column] - centre[column]).max(centre[column] - low[column]))
            .fold(0.0, f64::max);
        let scale = match largest.log2().ceil() {
            _ if !largest.is_finite() => 0.0,
            _ if largest == 0.0 => 1.0,
            exponent => 2.0_f64.powf(-exponent.clamp(-1000.0, 1000.0)),
        };
        let mismatch = (space.mismatch() * scale * scale) as f32;
        Ok(Self { order, centre, scale, n_nominal: space.n_compared(), mismatch })
    }

    /// Numbers of a vector, of which the last [`Lens::n_nominal`] are codes.
    pub(crate) fn width(&self) -> usize {
        self.order.len() + self.n_nominal
    }

    /// Numbers of a vector that are no codes.
    pub(crate) fn n_numbers(&self) -> usize {
        self.order.len()
    }

    /// Hands on the vector of a row, number after number, and gives the length of its numbers.
    pub(crate) fn project(&self, space: &Space<'_>, row: u32, mut put: impl FnMut(usize, f32)) -> f64 {
        if self.scale == 0.0 {
            (0..self.width()).for_each(|at| put(at, 0.0));
            return 0.0;
        }
        let numbers = space.numbers(row);
        let mut length = 0.0;
        for (at, &column) in self.order.iter().enumerate() {
            let value = (numbers[column] - self.centre[column]) * self.scale;
            length += value * value;
            put(at, value as f32);
        }
        for (at, &code) in space.codes(row).iter().take(self.n_nominal).enumerate() {
            // Codes beyond 2^24 may fall together, which makes rows look nearer than they are: that is harmless.
            put(self.order.len() + at, code as f32);
        }
        length.sqrt()
    }

    /// How far a row within the squared distance `limit` may lie at most in vectors, before the lengths of both ends are
    /// added (`+ SLACK * length` each); negative, which nothing is within, for a negative limit.
    ///
    /// The vector of a row is off by at most `ROUNDING` of its length, so the difference of two is off by at most
    /// `ROUNDING` of the sum of their lengths, and by as much again where it is rounded itself.
    pub(crate) fn reach(&self, limit: f64) -> f64 {
        if limit < 0.0 {
            f64::NEG_INFINITY
        } else if self.scale == 0.0 {
            f64::INFINITY
        } else {
            // The last summand stands for numbers too small to be written in single precision.
            limit.sqrt() * self.scale + 2.0_f64.powi(-60)
        }
    }

    /// By what the square of a reach is to be multiplied: every term and every sum may be rounded up.
    pub(crate) fn inflation(&self) -> f64 {
        1.0 + 1.1 * ROUNDING * (self.width() + 8) as f64
    }
}

/// Share of the lengths of both ends by which the distance of their vectors may be off.
pub(crate) const SLACK: f64 = 2.1 * ROUNDING;

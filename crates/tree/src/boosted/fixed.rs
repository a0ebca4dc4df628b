//! Derivatives as whole numbers, so that the order in which rows are added up cannot matter.
//!
//! A row's gradient and Hessian are rounded to multiples of powers of two, so small that sums over all rows fit a word. The Hessian shares its
//! word with the number of rows: a histogram holds three sums in two words, and adding a row to a bin is one step of two lanes.

/// Sums of a bin: gradients; Hessians above the number of rows.
pub(crate) type Cell = [i64; 2];

/// Bits of a row's gradient and Hessian at most.
const MOST_BITS: u32 = 30;

/// 1.5 * 2^52: a sum with it is a whole number, rounded as all sums are. Rounding itself is a call on older processors.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// A row's gradient and Hessian in whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slope {
    gradient: i32,
    hessian: u32,
}

/// Sums over some rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sums {
    pub(crate) gradient: f64,
    pub(crate) hessian: f64,
    pub(crate) rows: u32,
}

/// How derivatives become whole numbers and sums of them become derivatives again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Units in 1, and the other way round; powers of two.
    units: [f64; 2],
    sizes: [f64; 2],
    /// Bits below the Hessians that count rows.
    count_bits: u32,
}

impl Scale {
    /// For so many rows, whose gradients and Hessians are no larger than `most`.
    pub(crate) fn new(most: [f64; 2], n_rows: usize) -> Self {
        let count_bits = usize::BITS - n_rows.leading_zeros();
        let bits = [62 - count_bits, 63 - 2 * count_bits.min(31)].map(|bits| bits.min(MOST_BITS));
        let exponent = |at: usize| bits[at].cast_signed() - exponent_above(most[at]);
        let units = [exponent(0), exponent(1)].map(|exponent| 2.0_f64.powi(exponent));
        Self { units, sizes: units.map(f64::recip), count_bits }
    }

    /// A row's derivatives, rounded, of halves to the even number.
    #[inline]
    pub(crate) fn slope(&self, gradient: f64, hessian: f64) -> Slope {
        // The sum has its last digit at 1, and its lowest bits are those of the rounded number.
        let rounded = |value: f64, at: usize| (value * self.units[at] + ROUNDING).to_bits();
        Slope { gradient: rounded(gradient, 0) as i32, hessian: rounded(hessian, 1) as u32 }
    }

    /// A row as what it adds to a bin.
    #[inline]
    pub(crate) fn cell(&self, slope: Slope) -> Cell {
        [i64::from(slope.gradient), i64::from(slope.hessian) << self.count_bits | 1]
    }

    /// Rows of a bin.
    #[inline]
    pub(crate) fn rows(&self, cell: Cell) -> u32 {
        // No more bits than row numbers have.
        #[allow(clippy::cast_sign_loss)]
        let rows = (cell[1] & ((1 << self.count_bits) - 1)) as u32;
        rows
    }

    /// What the sums of a bin stand for.
    #[inline]
    pub(crate) fn sums(&self, cell: Cell) -> Sums {
        Sums {
            gradient: cell[0] as f64 * self.sizes[0],
            hessian: (cell[1] >> self.count_bits) as f64 * self.sizes[1],
            rows: self.rows(cell),
        }
    }
}

/// The least whole number that a number's binary logarithm is below.
fn exponent_above(number: f64) -> i32 {
    (number.to_bits() >> 52 & 0x7ff) as i32 - 1022
}

/// Adds the sums of a bin.
#[inline]
pub(crate) fn add(sum: &mut Cell, part: Cell) {
    sum[0] += part[0];
    sum[1] += part[1];
}

/// The sums of a whole without those of a part.
#[inline]
pub(crate) fn less(whole: Cell, part: Cell) -> Cell {
    [whole[0] - part[0], whole[1] - part[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_many_rows_come_back_and_none_overflows() {
        for n_rows in [1_usize, 2, 1000, 1 << 20, (1 << 24) + 5, u32::MAX as usize >> 1] {
            for most in [[1.0, 0.25], [3.0e5, 7.0], [1e-9, 1e-12]] {
                let scale = Scale::new(most, n_rows);
                let row = scale.cell(scale.slope(-most[0], most[1]));
                let all = scale.sums(row.map(|sum| sum * n_rows.cast_signed() as i64));
                assert_eq!(all.rows as usize, n_rows);
                for (found, true_sum) in [(all.gradient, -most[0]), (all.hessian, most[1])] {
                    assert!((found / n_rows as f64 / true_sum - 1.0).abs() < 0.5, "{n_rows} {most:?}");
                }
            }
        }
    }

    #[test]
    fn a_usual_table_loses_nothing_that_counts() {
        let scale = Scale::new([1.0, 0.25], 100_000);
        let found = scale.sums(scale.cell(scale.slope(-0.123_456_789, 0.001_234_567)));
        assert!(
            (found.gradient + 0.123_456_789).abs() < 1e-9 && (found.hessian - 0.001_234_567).abs() < 2e-9
        );
        assert_eq!(less(scale.cell(scale.slope(0.5, 0.1)), scale.cell(scale.slope(0.5, 0.1))), [0, 0]);
    }
}

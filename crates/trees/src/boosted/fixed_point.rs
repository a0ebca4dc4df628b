//! Fixed-point gradients and Hessians, so that sums do not depend on the order of the rows.
//!
//! A row's gradient and Hessian are rounded to multiples of powers of two. These powers are chosen such that
//! the sum over all rows fits into one 64-bit word. The Hessian shares its word with the row count. Thus a
//! histogram cell stores three sums in two words, and adding a row adds two words at once.

/// Sums over the rows of a bin: the gradient, and the Hessian combined with the row count.
/// The low bits of the second word are the number of rows, and the higher bits are the Hessian.
pub(crate) type GradientCell = [i64; 2];

/// Maximum number of bits for the gradient of a row, and for its Hessian.
const MOST_BITS: u32 = 30;

/// The number 1.5 * 2^52, which rounds a small number to an integer when added to it.
///
/// The sum has no fractional bits. The `round` function is slower, because it is a library call on older
/// processors.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FixedPointDerivatives {
    gradient: i32,
    hessian: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DerivativeSums {
    pub(crate) gradient: f64,
    pub(crate) hessian: f64,
    pub(crate) rows: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedPointScale {
    /// Numbers of fixed-point units in a gradient of 1 and in a Hessian of 1.
    ///
    /// `sizes` contains the reciprocals of these two numbers. All four numbers are powers of two.
    units: [f64; 2],
    sizes: [f64; 2],
    count_bits: u32,
}

impl FixedPointScale {
    /// `most` contains upper bounds of the absolute gradient and of the Hessian of a row.
    pub(crate) fn new(most: [f64; 2], n_rows: usize) -> Self {
        let count_bits = usize::BITS - n_rows.leading_zeros();
        let bits = [62 - count_bits, 63 - 2 * count_bits.min(31)].map(|bits| bits.min(MOST_BITS));
        let exponent = |index: usize| bits[index].cast_signed() - upper_exponent(most[index]);
        let units = [exponent(0), exponent(1)].map(|exponent| 2.0_f64.powi(exponent));
        Self { units, sizes: units.map(f64::recip), count_bits }
    }

    /// Rounds a row's gradient and Hessian to fixed point, half to even.
    #[inline]
    pub(crate) fn to_fixed_point(self, gradient: f64, hessian: f64) -> FixedPointDerivatives {
        // In the sum with `ROUNDING`, the last bit of the mantissa stands for 1, so the low bits are the
        // rounded integer.
        let rounded = |value: f64, index: usize| (value * self.units[index] + ROUNDING).to_bits();
        FixedPointDerivatives { gradient: rounded(gradient, 0) as i32, hessian: rounded(hessian, 1) as u32 }
    }

    #[inline]
    pub(crate) fn pack_into_cell(&self, slope: FixedPointDerivatives) -> GradientCell {
        [i64::from(slope.gradient), i64::from(slope.hessian) << self.count_bits | 1]
    }

    #[inline]
    pub(crate) fn n_rows_in_cell(&self, cell: GradientCell) -> u32 {
        // Row numbers have 32 bits, so the count fits into 32 bits.
        #[allow(clippy::cast_sign_loss)]
        let rows = (cell[1] & ((1 << self.count_bits) - 1)) as u32;
        rows
    }

    #[inline]
    pub(crate) fn cell_to_float_sums(&self, cell: GradientCell) -> DerivativeSums {
        DerivativeSums {
            gradient: cell[0] as f64 * self.sizes[0],
            hessian: (cell[1] >> self.count_bits) as f64 * self.sizes[1],
            rows: self.n_rows_in_cell(cell),
        }
    }
}

/// Returns an exponent `e` with `number < 2^e`.
fn upper_exponent(number: f64) -> i32 {
    (number.to_bits() >> 52 & 0x7ff) as i32 - 1022
}

#[inline]
pub(crate) fn add_cell(sum: &mut GradientCell, part: GradientCell) {
    sum[0] += part[0];
    sum[1] += part[1];
}

#[inline]
pub(crate) fn subtract_cells(whole: GradientCell, part: GradientCell) -> GradientCell {
    [whole[0] - part[0], whole[1] - part[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_sums_do_not_overflow() {
        for n_rows in [1_usize, 2, 1000, 1 << 20, (1 << 24) + 5, u32::MAX as usize >> 1] {
            for most in [[1.0, 0.25], [3.0e5, 7.0], [1e-9, 1e-12]] {
                let scale = FixedPointScale::new(most, n_rows);
                let row = scale.pack_into_cell(scale.to_fixed_point(-most[0], most[1]));
                let all = scale.cell_to_float_sums(row.map(|sum| sum * n_rows.cast_signed() as i64));
                assert_eq!(all.rows as usize, n_rows);
                for (found, true_sum) in [(all.gradient, -most[0]), (all.hessian, most[1])] {
                    assert!((found / n_rows as f64 / true_sum - 1.0).abs() < 0.5, "{n_rows} {most:?}");
                }
            }
        }
    }

    #[test]
    fn fixed_point_sums_are_accurate() {
        let scale = FixedPointScale::new([1.0, 0.25], 100_000);
        let found = scale
            .cell_to_float_sums(scale.pack_into_cell(scale.to_fixed_point(-0.123_456_789, 0.001_234_567)));
        assert!(
            (found.gradient + 0.123_456_789).abs() < 1e-9 && (found.hessian - 0.001_234_567).abs() < 2e-9
        );
        assert_eq!(
            subtract_cells(
                scale.pack_into_cell(scale.to_fixed_point(0.5, 0.1)),
                scale.pack_into_cell(scale.to_fixed_point(0.5, 0.1))
            ),
            [0, 0]
        );
    }
}

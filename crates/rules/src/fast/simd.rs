//! Vectorized loops over the rows of a block.
//!
//! All instruction sets apply the same operations in the same order to a row, so their results are
//! bit-identical.

use multiversion::multiversion;

#[derive(Clone, Copy)]
pub(super) struct BoundsAndFeatureValues<'a> {
    pub(super) values: &'a [f64],
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) per_unit: f64,
}

/// Adds to `distances` the scaled distance of each row to the box in some features.
///
/// The distance in a feature is 0 for a value inside the bounds and for a missing value.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn add_distances_to_box<const N: usize>(
    walls: &[BoundsAndFeatureValues<'_>; N],
    distances: &mut [f64],
) {
    let values = walls.map(|walls| &walls.values[..distances.len()]);
    for (place, distance) in distances.iter_mut().enumerate() {
        let mut sum = 0.0;
        for (walls, values) in walls.iter().zip(values) {
            let (below, above) = (walls.low - values[place], values[place] - walls.high);
            let beyond = if below > above { below } else { above };
            // For NaN the comparison is false.
            sum += if beyond > 0.0 { beyond } else { 0.0 } * walls.per_unit;
        }
        *distance += sum;
    }
}

/// Sums of `pull` over the rows with values below `low`, and over the rows above `high`.
///
/// Each sum has four accumulators, so that the loop is vectorized.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn sums_outside_interval(values: &[f64], pull: &[f64], low: f64, high: f64) -> (f64, f64) {
    const LANES: usize = 4;
    let (chunks, rest) = values.as_chunks::<LANES>();
    let (pulls, pull_rest) = pull.as_chunks::<LANES>();
    let (mut below, mut above) = ([0.0; LANES], [0.0; LANES]);
    for (x, pull) in chunks.iter().zip(pulls) {
        for lane in 0..LANES {
            below[lane] += select_or_zero(x[lane] < low, pull[lane]);
            above[lane] += select_or_zero(x[lane] > high, pull[lane]);
        }
    }
    for ((&x, &pull), lane) in rest.iter().zip(pull_rest).zip(0..LANES) {
        below[lane] += select_or_zero(x < low, pull);
        above[lane] += select_or_zero(x > high, pull);
    }
    (below.iter().sum(), above.iter().sum())
}

/// Returns `number` if `test` is true, otherwise 0.
///
/// A bit mask replaces a branch, which would be hard to predict.
#[allow(clippy::inline_always)]
#[inline(always)] // Compiled with the instruction set of each caller.
pub(super) fn select_or_zero(test: bool, number: f64) -> f64 {
    f64::from_bits(number.to_bits() & u64::from(test).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(n: usize, seed: u64) -> Vec<f64> {
        let one = |i: u64| (i * 2 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (0..n as u64)
            .map(|i| if one(i) >> 60 == 0 { f64::NAN } else { (one(i) >> 40) as f64 / 3e6 - 2.7 })
            .collect()
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for n in [0, 1, 7, 1003] {
            let columns = [1, 3, 5, 7].map(|seed| values(n, seed));
            let walls = [0.3, 0.7, 0.1, 1.9].map(|unit| (unit - 0.9, unit, 1.0 / unit));
            let lanes: [BoundsAndFeatureValues<'_>; 4] = std::array::from_fn(|at| {
                let (low, high, per_unit) = walls[at];
                BoundsAndFeatureValues { values: &columns[at], low, high, per_unit }
            });
            let mut found = vec![0.1; n];
            add_distances_to_box(&lanes, &mut found);
            // The expected value is computed row by row with the baseline instruction set.
            let plain = |row: usize| {
                let far = |of: &BoundsAndFeatureValues<'_>| {
                    let x = of.values[row];
                    if x < of.low {
                        (of.low - x) * of.per_unit
                    } else if x > of.high {
                        (x - of.high) * of.per_unit
                    } else {
                        0.0
                    }
                };
                0.1 + lanes.iter().fold(0.0, |sum, of| sum + far(of))
            };
            for (row, found) in found.iter().enumerate() {
                assert_eq!(found.to_bits(), plain(row).to_bits(), "{n} {row}");
            }
            let pull: Vec<f64> =
                values(n, 11).into_iter().map(|x| if x.is_nan() { 0.0 } else { x.abs() }).collect();
            let mut strands = [[0.0_f64; 4]; 2];
            for (row, (&x, &pull)) in columns[0].iter().zip(&pull).enumerate() {
                strands[0][row % 4] += if x < -0.6 { pull } else { 0.0 };
                strands[1][row % 4] += if x > 0.3 { pull } else { 0.0 };
            }
            let expected = strands.map(|strand| strand.iter().sum::<f64>());
            let (below, above) = sums_outside_interval(&columns[0], &pull, -0.6, 0.3);
            assert_eq!([below, above].map(f64::to_bits), expected.map(f64::to_bits), "{n}");
        }
    }
}

//! Vectorized exponential function.

use multiversion::multiversion;

/// Computes `e^-d` for every distance `d >= 0`, with a relative error of 1e-15.
///
/// Distances above [`LARGEST`] count as [`LARGEST`]. Unlike the exponential of the standard library, this
/// loop is vectorized. All instruction sets apply the same operations in the same order to a number, so their
/// results are bit-identical.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
pub(crate) fn exp_of_negative(distances: &[f64], out: &mut [f64]) {
    for (out, &distance) in out.iter_mut().zip(distances) {
        *out = exp_of_negative_scalar(if distance < LARGEST { distance } else { LARGEST });
    }
}

/// Limit for distances: up to this limit, `e^-d` is not a subnormal float.
pub(crate) const LARGEST: f64 = 700.0;

/// Constant that rounds: adding it to a number leaves the nearest integer in the lowest bits.
const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;

/// ln 2 as the sum of two numbers.
///
/// The first number ends in zero bits, so that its products with small integers are exact.
const LN2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// Coefficients 1/13!, 1/12!, ..., 1/2! of the exponential series in r.
///
/// For |r| <= ln 2 / 2 the next term is below 1e-17.
const TERMS: [f64; 12] = {
    let mut terms = [0.0; 12];
    let mut factorial = 1.0;
    let mut power = 2;
    while power <= 13 {
        factorial *= power as f64;
        terms[13 - power] = 1.0 / factorial;
        power += 1;
    }
    terms
};

#[allow(clippy::inline_always)]
#[inline(always)] // Compiled with the instruction set of each caller.
fn exp_of_negative_scalar(distance: f64) -> f64 {
    let rounded = ROUND - distance * std::f64::consts::LOG2_E;
    let k = rounded - ROUND;
    let r = (-distance - k * LN2[0]) - k * LN2[1];
    let mut sum = TERMS[0];
    let mut term = 1;
    while term < TERMS.len() {
        sum = sum * r + TERMS[term];
        term += 1;
    }
    // The polynomial is 1 + r + r^2 `sum`. Its terms are added from the smallest to the largest.
    let value = (sum * r * r + r) + 1.0;
    // The last factor is 2^k as a float. The lowest bits of `rounded` contain k.
    value * f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_matches_the_standard_library() {
        let distances: Vec<f64> =
            (0..700_000).map(|i| f64::from(i) * 0.001).chain([LARGEST, 1e-300]).collect();
        let mut found = vec![0.0; distances.len()];
        exp_of_negative(&distances, &mut found);
        for (&distance, &found) in distances.iter().zip(&found) {
            let expected = (-distance).exp();
            assert!((found - expected).abs() <= 5e-16 * expected, "{distance}: {found} {expected}");
        }
        assert_eq!(found[0], 1.0);
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let distances: Vec<f64> = (0..10_001).map(|i| f64::from(i).powf(1.7) * 1e-4).collect();
        let mut found = vec![0.0; distances.len()];
        exp_of_negative(&distances, &mut found);
        for (&distance, &found) in distances.iter().zip(&found) {
            // `expected` uses the baseline instruction set, and `found` uses the best one of this machine.
            assert_eq!(
                found.to_bits(),
                exp_of_negative_scalar(distance.min(LARGEST)).to_bits(),
                "{distance}"
            );
        }
    }

    #[test]
    fn large_distances_are_clamped() {
        let mut found = [0.0; 3];
        exp_of_negative(&[1e4, f64::INFINITY, 1e308], &mut found);
        let least = (-LARGEST).exp();
        assert!(found.iter().all(|found| (found - least).abs() <= 1e-15 * least));
    }
}

//! Logistic loss of many rows, by vector instructions.
//!
//! `exp` and `ln_1p` of the standard library are calls, which prevent vector instructions. The functions here
//! are polynomials with a relative error of about 1e-15, which is as exact as sums over rows can be.

/// `log2(e)`, and `ln(2)` as the sum of a rounded number and a small remainder.
const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding `1.5 * 2^52` rounds a double to an integer, which is then in the last bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
const BIAS: u64 = 1023;
const FRACTION_BITS: u32 = 52;
/// Largest argument of the exponential; `exp(-708)` is a normal number.
const MOST_EXPONENT: f64 = 708.0;

/// Replaces each score by the derivative of its loss; writes the losses to `losses`.
///
/// A score is the log-odds of the second class. `signs` are 1 for rows of the second class and -1 for rows of
/// the first class. The loss of a row is `ln(1 + exp(-m))`, where the margin `m` is the score times the sign.
/// NaN scores give NaN losses.
#[inline(always)]
pub(crate) fn logistic_losses<const N: usize>(
    scores: &mut [f64; N],
    signs: &[f64; N],
    losses: &mut [f64; N],
) {
    for ((score, sign), loss) in scores.iter_mut().zip(signs).zip(losses) {
        let margin = sign * *score;
        let small = exp_of_negative(margin.abs());
        let top = if margin <= 0.0 { 1.0 } else { small };
        *score = -sign * (top / (1.0 + small));
        *loss = ln_1p(small) + if margin < 0.0 { -margin } else { 0.0 };
    }
}

/// `exp(-x)` for x of at least 0; not smaller than `exp(-708)`.
#[inline(always)]
fn exp_of_negative(x: f64) -> f64 {
    // Not `min`, which would lose NaN.
    let x = if x > MOST_EXPONENT { MOST_EXPONENT } else { x };
    // exp(-x) = 2^-k exp(r), where k is the integer closest to x / ln(2), and |r| is at most ln(2) / 2.
    let shifted = x * LOG2_E + ROUNDING;
    let k = shifted - ROUNDING;
    let r = (k * LN_2_HIGH - x) + k * LN_2_LOW;
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING.to_bits());
    let power = f64::from_bits(BIAS.wrapping_sub(exponent) << FRACTION_BITS);
    // Taylor polynomial; the next term is below 5e-18.
    let mut sum = 1.0 / 6_227_020_800.0;
    for inverse in [
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        sum = sum * r + inverse;
    }
    sum * power
}

/// `ln(1 + s)` for s between 0 and 1.
#[inline(always)]
fn ln_1p(s: f64) -> f64 {
    // ln(1 + s) = 2 artanh(s / (2 + s)). Above sqrt(2) - 1, (1 + s) / 2 takes the place of 1 + s, and ln(2)
    // is added, so that the argument of artanh is at most 0.172.
    let is_large = s > std::f64::consts::SQRT_2 - 1.0;
    let (top, bottom, added) =
        if is_large { (s - 1.0, s + 3.0, std::f64::consts::LN_2) } else { (s, s + 2.0, 0.0) };
    let z = top / bottom;
    let square = z * z;
    // Power series of artanh(z) / z; the next term is below 1e-18.
    let mut sum = 1.0 / 21.0;
    for inverse in [
        1.0 / 19.0,
        1.0 / 17.0,
        1.0 / 15.0,
        1.0 / 13.0,
        1.0 / 11.0,
        1.0 / 9.0,
        1.0 / 7.0,
        1.0 / 5.0,
        1.0 / 3.0,
        1.0,
    ] {
        sum = sum * square + inverse;
    }
    2.0 * z * sum + added
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(value: f64, exact: f64) -> f64 {
        (value - exact).abs() / exact.abs().max(f64::MIN_POSITIVE)
    }

    #[test]
    fn polynomials_agree_with_the_standard_library() {
        for at in 0..200_000 {
            let x = f64::from(at) * 708.0 / 200_000.0;
            for x in [x, x / 100.0, x / 1e6] {
                assert!(error(exp_of_negative(x), (-x).exp()) < 2e-15, "exp(-{x})");
            }
            let s = f64::from(at) / 199_999.0;
            for s in [s, s * s * s, s * 1e-9] {
                assert!(error(ln_1p(s), s.ln_1p()) < 2e-15, "ln(1 + {s})");
            }
        }
        assert_eq!((exp_of_negative(0.0), ln_1p(0.0)), (1.0, 0.0));
        assert!(exp_of_negative(1e300) > 0.0 && exp_of_negative(f64::INFINITY) < 1e-300);
        assert!(exp_of_negative(f64::NAN).is_nan() && ln_1p(f64::NAN).is_nan());
    }

    #[test]
    fn losses_and_derivatives_follow_the_formulas() {
        let mut scores = [0.0, 3.0, -3.0, 1000.0, -1000.0, 0.5, f64::NAN, -2.0];
        let signs = [1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0];
        let (given, mut losses) = (scores, [0.0; 8]);
        logistic_losses(&mut scores, &signs, &mut losses);
        for at in 0..8 {
            let margin = signs[at] * given[at];
            if margin.is_nan() {
                assert!(losses[at].is_nan() && scores[at].is_nan());
                continue;
            }
            let loss = (-margin).max(0.0) + (-margin.abs()).exp().ln_1p();
            let derivative = -signs[at] / (1.0 + margin.exp());
            assert!(error(losses[at], loss) < 1e-14, "{at}");
            assert!((scores[at] - derivative).abs() < 1e-15, "{at}");
        }
    }
}

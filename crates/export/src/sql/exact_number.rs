//! Literals that `SQLite` parses to exactly the given double.
//!
//! Other databases round a decimal literal to the nearest double. `SQLite` before version 3.43 multiplies or
//! divides the digits by a power of ten. If the digits and the power are small enough, the result is the
//! nearest double. For many literals of 16 or 17 digits, however, the last bit is wrong. A number with such a
//! literal is written as the sum of a shorter literal and a correction. The correction need not be parsed
//! exactly, because the sum is rounded.

use std::fmt::Write;

/// All integers up to this number are exact in double precision.
///
/// `MOST_POWER` is the exponent of the largest exact power of ten.
const MOST_DIGITS: u64 = 1 << 53;
const MOST_POWER: u32 = 22;
/// A correction with this relative error must still give the same rounded sum.
const SLACK: f64 = 1e-12;

/// Writes an expression for a finite double.
pub(super) fn exact_literal(value: f64) -> String {
    let plain = format!("{:?}", value + 0.0);
    if value == 0.0 || is_parsed_exactly(value) {
        return plain;
    }
    // The value is written as the sum of a literal `head` and a short correction `tail`. Shorter and shorter
    // heads are tried, until the sum is exact even if `tail` has a relative error of [`SLACK`].
    for digits in (1..15).rev() {
        let Ok(head) = format!("{value:.digits$e}").parse::<f64>() else { continue };
        if !is_parsed_exactly(head) {
            continue;
        }
        for few in 1..9 {
            let Ok(tail) = format!("{:.few$e}", value - head).parse::<f64>() else { continue };
            if [-SLACK, 0.0, SLACK].iter().all(|slack| head + tail * (1.0 + slack) == value) {
                let (sign, tail) = if tail < 0.0 { ('-', -tail) } else { ('+', tail) };
                return format!("({head:?} {sign} {tail:?})");
            }
        }
    }
    exact_power_product(value)
}

/// Whether it is certain that `SQLite` parses the shortest literal of the value exactly.
fn is_parsed_exactly(value: f64) -> bool {
    let text = format!("{:e}", value.abs());
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let n_decimals = i32::try_from(digits.len().saturating_sub(2)).unwrap_or_default();
    let (Ok(digits), Ok(power)) = (digits.replace('.', "").parse::<u64>(), power.parse::<i32>()) else {
        return false;
    };
    let power = power - n_decimals;
    if power >= 0 {
        return value.abs() <= MOST_DIGITS as f64;
    }
    digits <= MOST_DIGITS
        && power.unsigned_abs() <= MOST_POWER
        && is_exact_quotient(digits, power.unsigned_abs(), value)
}

/// Whether `digits / 10^power`, rounded twice, gives `value`.
/// The quotient may be rounded to an extended double first, and then to a double. The result is `value` if
/// the quotient is far enough from the midpoint between two doubles.
fn is_exact_quotient(digits: u64, power: u32, value: f64) -> bool {
    let (mantissa, exponent) = mantissa_and_exponent(value);
    let ten = 10_u128.pow(power);
    // `value` and the quotient are multiplied by 10^power and measured in units of the last place of `value`.
    // Both are then integers below 2^53 times 10^22.
    let double = u128::from(mantissa) * ten;
    let shift = u32::try_from(-exponent).unwrap_or(0);
    let decimal = u128::from(digits).checked_shl(shift).unwrap_or(0);
    decimal.abs_diff(double << exponent.max(0)) * 512 < ten * 255
}

fn mantissa_and_exponent(value: f64) -> (u64, i32) {
    let bits = value.abs().to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

/// Writes the mantissa multiplied or divided by powers of two.
/// This expression is exact for all values, but hard to read.
fn exact_power_product(value: f64) -> String {
    const STEP: i32 = 52;
    let (mantissa, exponent) = mantissa_and_exponent(value);
    let sign = if value < 0.0 { "-" } else { "" };
    let (operator, mut left) = if exponent < 0 { ('/', -exponent) } else { ('*', exponent) };
    let mut text = format!("({sign}{mantissa}.0");
    while left > 0 {
        let step = left.min(STEP);
        // Writing to a string cannot fail.
        let _ = write!(text, " {operator} {}.0", 1_u64 << step);
        left -= step;
    }
    text.push(')');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> f64 {
        let Some(inside) = text.strip_prefix('(') else {
            return text.parse().unwrap();
        };
        let mut words = inside.trim_end_matches(')').split(' ');
        let mut value: f64 = words.next().unwrap().parse().unwrap();
        while let Some(operator) = words.next() {
            let next: f64 = words.next().unwrap().parse().unwrap();
            value = match operator {
                "+" => value + next,
                "-" => value - next,
                "*" => value * next,
                _ => value / next,
            };
        }
        value
    }

    #[test]
    fn short_numbers_are_unchanged() {
        for (value, text) in
            [(0.0, "0.0"), (-0.0, "0.0"), (31.5, "31.5"), (0.1, "0.1"), (-2.35, "-2.35"), (40.0, "40.0")]
        {
            assert_eq!(exact_literal(value), text);
        }
        assert_eq!(exact_literal(0.1 + 0.2), "(0.3 + 5.6e-17)");
    }

    #[test]
    fn every_number_survives_a_round_trip() {
        let extremes =
            [f64::MAX, f64::MIN, 5e-324, -5e-324, f64::MIN_POSITIVE, 1e22, 1e23, 9e15, 1e-300, 1.5e300];
        let many = (0..20_000_u64).map(|i| {
            let bits =
                i.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17).wrapping_mul(0xD129_0FA5_64A3_7B1D);
            if i % 3 == 0 {
                f64::from_bits(bits)
            } else {
                (bits >> 11) as f64 / (1_u64 << 53) as f64 * (i % 97) as f64
            }
        });
        for value in extremes.into_iter().chain(many.filter(|value| value.is_finite())) {
            assert_eq!(read(&exact_literal(value)), value + 0.0, "{}", exact_literal(value));
        }
    }
}

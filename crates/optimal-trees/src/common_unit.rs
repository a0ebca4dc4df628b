//! Conversion of numbers to integers with a common unit.

const ROUNDING: f64 = 3.6e-15;

const FINEST: f64 = 1_048_576.0;

/// Converts numbers to integer multiples of a common unit; returns multiples and unit.
///
/// Returns `None` if no tried unit turns all numbers into integers of at most `most`.
pub(crate) fn to_multiples_of_common_unit(values: &[f64], most: f64) -> Option<(Vec<f64>, f64)> {
    let largest = values.iter().copied().fold(0.0, f64::max);
    if largest <= 0.0 {
        return Some((vec![0.0; values.len()], 1.0));
    }
    let near = |value: f64| (value - value.round()).abs() <= ROUNDING * value;
    let fits = |unit: f64| largest / unit <= most && values.iter().all(|value| near(value / unit));
    let least = values.iter().copied().filter(|&value| value > 0.0).fold(f64::INFINITY, f64::min);
    let binary = (0..20).map(|power| 0.5_f64.powi(power));
    let decimal = (1..13).map(|power| 10.0_f64.powi(-power));
    let ratios = std::iter::once_with(|| least / common_denominator(values, least, FINEST));
    let mut units =
        std::iter::once(1.0).chain(std::iter::once(least)).chain(decimal).chain(binary).chain(ratios);
    let unit = units.find(|&unit| fits(unit))?;
    Some((values.iter().map(|value| (value / unit).round()).collect(), unit))
}

/// Common denominator of the ratios of the numbers to `least`, the smallest positive number.
///
/// Ratios with which the denominator would exceed `largest` are left out.
fn common_denominator(values: &[f64], least: f64, largest: f64) -> f64 {
    values.iter().filter(|&&value| value > 0.0).fold(1.0, |common, value| {
        let ratio = nearest_bounded_fraction(value / least * common, largest);
        if common * ratio.1 <= largest { common * ratio.1 } else { common }
    })
}

/// Fraction close to a positive number, with a denominator of at most 4096.
///
/// It is a convergent of the continued fraction of the number. For numbers below 1/4096, it is 1/4096.
pub(crate) fn nearest_fraction(value: f64) -> (f64, f64) {
    nearest_bounded_fraction(value, 4096.0)
}

fn nearest_bounded_fraction(value: f64, largest: f64) -> (f64, f64) {
    let (mut before, mut now) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = value;
    for _ in 0..32 {
        let whole = rest.floor();
        let next = (whole * now.0 + before.0, whole * now.1 + before.1);
        if next.0 > largest.max(value) || next.1 > largest {
            break;
        }
        (before, now) = (now, next);
        if (now.0 / now.1 - value).abs() <= 1e-12 * value || rest - whole < 1e-12 {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    if now.0 > 0.0 && now.1 > 0.0 { now } else { (1.0, (1.0 / value).round().clamp(1.0, largest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_multiples_are_found() {
        assert_eq!(
            [nearest_fraction(4.0), nearest_fraction(0.25), nearest_fraction(0.3 * 0.3)],
            [(4.0, 1.0), (1.0, 4.0), (9.0, 100.0)]
        );
        let multiples = |values: &[f64]| to_multiples_of_common_unit(values, 1e12);
        assert_eq!(multiples(&[0.5, 2.0, 0.0]), Some((vec![1.0, 4.0, 0.0], 0.5)));
        assert_eq!(multiples(&[3.0, 1.0]), Some((vec![3.0, 1.0], 1.0)));
        assert_eq!(multiples(&[0.1, 3e5]), Some((vec![1.0, 3e6], 0.1)));
        let balanced = [0.0, 250.0 / (2.0 * 241.0), 250.0 / (2.0 * 9.0), 0.0];
        assert_eq!(multiples(&balanced).unwrap().0, vec![0.0, 9.0, 241.0, 0.0]);
        let (three, unit) = multiples(&[90.0 / 7.0, 90.0 / 11.0, 90.0 / 13.0]).unwrap();
        assert_eq!(three, vec![143.0, 91.0, 77.0]);
        assert!((unit * 1001.0 - 90.0).abs() < 1e-9);
        let (found, unit) = multiples(&[0.3, 0.1, 7.25]).unwrap();
        assert!(found.iter().zip([0.3, 0.1, 7.25]).all(|(n, x)| (n * unit - x).abs() < 1e-14));
        assert_eq!(multiples(&[1.0, std::f64::consts::PI]), None);
        assert_eq!(multiples(&[1.0, 1.0 + 1e-12]), None);
        assert_eq!(multiples(&[1.0, 1e13]), None);
    }
}

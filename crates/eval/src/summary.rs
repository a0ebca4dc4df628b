//! Means and deviations of scores over folds, and shares of answers.

/// Mean and deviation of numbers, and how many they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Their mean; NaN of none.
    pub mean: f64,
    /// Their sample standard deviation; NaN of fewer than two.
    pub sd: f64,
    /// How many are defined.
    pub n: usize,
}

/// Mean and sample standard deviation of the numbers that are not NaN.
///
/// ```
/// let spread = imbcore_eval::spread(&[1.0, f64::NAN, 3.0]);
/// assert_eq!((spread.mean, spread.sd, spread.n), (2.0, 2.0_f64.sqrt(), 2));
/// assert!(imbcore_eval::spread(&[f64::NAN]).mean.is_nan());
/// ```
pub fn spread(values: &[f64]) -> Spread {
    let defined: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = defined.len();
    let mean = defined.iter().sum::<f64>() / n as f64;
    let squares: f64 = defined.iter().map(|value| (value - mean).powi(2)).sum();
    // Of one value 0 / 0, of none the NaN of the mean.
    let sd = if n == 0 { f64::NAN } else { (squares / (n as f64 - 1.0)).sqrt() };
    Spread { mean, sd, n }
}

/// Share of the weight of rows that is answered with yes; NaN without weight.
///
/// ```
/// let share = imbcore_eval::answered(&[true, false, true], |row| [1.0, 1.0, 2.0][row]);
/// assert_eq!(share, 0.75);
/// ```
pub fn answered(answers: &[bool], weight: impl Fn(usize) -> f64) -> f64 {
    let (mut yes, mut all) = (0.0, 0.0);
    for (row, &answer) in answers.iter().enumerate() {
        all += weight(row);
        yes += if answer { weight(row) } else { 0.0 };
    }
    yes / all
}

//! Means and deviations of scores over folds, and weighted proportions.

/// Mean, standard deviation and number of the values that are not NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanAndSd {
    /// Mean; NaN without values.
    pub mean: f64,
    /// Sample standard deviation; NaN with fewer than two values.
    pub sd: f64,
    /// Number of values that are not NaN.
    pub n: usize,
}

/// Mean and sample standard deviation of the numbers that are not NaN.
///
/// ```
/// let spread = imbcore_metrics::mean_and_sd(&[1.0, f64::NAN, 3.0]);
/// assert_eq!((spread.mean, spread.sd, spread.n), (2.0, 2.0_f64.sqrt(), 2));
/// assert!(imbcore_metrics::mean_and_sd(&[f64::NAN]).mean.is_nan());
/// assert_eq!(imbcore_metrics::mean_and_sd(&[0.3, 0.1 + 0.2, 0.3]).sd, 0.0);
/// ```
pub fn mean_and_sd(values: &[f64]) -> MeanAndSd {
    let defined: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = defined.len();
    let mean = defined.iter().sum::<f64>() / n as f64;
    let squares: f64 = defined.iter().map(|value| (value - mean).powi(2)).sum();
    // One value gives 0 / 0 = NaN.
    let sd = if n == 0 { f64::NAN } else { (squares / (n as f64 - 1.0)).sqrt() };
    // Equal scores of several folds may differ by rounding errors.
    let sd = if sd <= 4.0 * f64::EPSILON * mean.abs() { 0.0 } else { sd };
    MeanAndSd { mean, sd, n }
}

/// Weighted fraction of the rows for which `answers` is true; NaN if all weights are 0.
///
/// ```
/// let fraction = imbcore_metrics::weighted_fraction(&[true, false, true], |row| [1.0, 1.0, 2.0][row]);
/// assert_eq!(fraction, 0.75);
/// ```
pub fn weighted_fraction(answers: &[bool], weight: impl Fn(usize) -> f64) -> f64 {
    let (mut yes, mut all) = (0.0, 0.0);
    for (row, &answer) in answers.iter().enumerate() {
        all += weight(row);
        yes += if answer { weight(row) } else { 0.0 };
    }
    yes / all
}

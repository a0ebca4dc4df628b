//! Scores of class probabilities, and calibration.

use crate::check;
use imbcore_base::{Error, Result};

/// How probabilities are put into bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binning {
    /// Bins of equal width, [k/b, (k+1)/b), the last closed.
    Uniform,
    /// Bins of (nearly) equally many rows, by probability and then row.
    Quantile,
}

/// One bin of a calibration table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// Position of the bin, from 0; bins without rows are left out of a table.
    pub bin: usize,
    /// Weight of its rows.
    pub weight: f64,
    /// Mean probability of its rows.
    pub mean_probability: f64,
    /// Fraction of its rows that are positive.
    pub positive_fraction: f64,
}

fn checked(truth: &[u32], p: &[f64], weights: Option<&[f64]>) -> Result<()> {
    check::same_length("y_proba", p.len(), truth.len())?;
    check::weights(weights, truth.len())?;
    check::probabilities(p)
}

/// Weighted mean of `term(row)`; NaN without weight.
fn mean(n_rows: usize, weights: Option<&[f64]>, term: impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for row in 0..n_rows {
        let weight = check::weight(weights, row);
        sum += weight * term(row);
        total += weight;
    }
    sum / total
}

/// Mean of (p - y)^2, where y is 1 in the rows of class `positive` (Brier 1950, for two classes).
///
/// # Errors
/// [`Error::Data`] for unequal lengths, a probability outside [0, 1], or a bad weight.
pub fn brier(truth: &[u32], positive: u32, p: &[f64], weights: Option<&[f64]>) -> Result<f64> {
    checked(truth, p, weights)?;
    Ok(mean(truth.len(), weights, |row| {
        let y = f64::from(u8::from(truth[row] == positive));
        (p[row] - y).powi(2)
    }))
}

/// [`brier`] over the negative and over the positive rows; the minority's is the telling one.
///
/// # Errors
/// As [`brier`].
pub fn brier_by_class(truth: &[u32], positive: u32, p: &[f64], weights: Option<&[f64]>) -> Result<[f64; 2]> {
    checked(truth, p, weights)?;
    let of = |side: bool| {
        let masked: Vec<f64> = (0..truth.len())
            .map(|row| if (truth[row] == positive) == side { check::weight(weights, row) } else { 0.0 })
            .collect();
        brier(truth, positive, p, Some(&masked))
    };
    Ok([of(false)?, of(true)?])
}

/// Mean over rows of the sum over classes of (p - y)^2: for two classes twice [`brier`] (Brier 1950).
///
/// `halved` gives half of it, which lies in [0, 1] and is [`brier`] for two classes.
///
/// # Errors
/// [`Error::Data`] for wrong sizes, codes, weights, or a probability outside [0, 1].
pub fn brier_multiclass(
    truth: &[u32],
    proba: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    halved: bool,
) -> Result<f64> {
    check::matrix(proba, truth.len(), n_classes)?;
    check::codes("y_true", truth, n_classes)?;
    check::weights(weights, truth.len())?;
    check::probabilities(proba)?;
    let whole = mean(truth.len(), weights, |row| {
        proba[row * n_classes..(row + 1) * n_classes]
            .iter()
            .enumerate()
            .map(|(class, p)| (p - f64::from(u8::from(class == truth[row] as usize))).powi(2))
            .sum()
    });
    Ok(if halved { whole / 2.0 } else { whole })
}

/// Two columns, row-major, from the probability of the second of two classes.
pub fn with_complement(p: &[f64]) -> Vec<f64> {
    p.iter().flat_map(|&p| [1.0 - p, p]).collect()
}

/// Mean, or with `mean` false the sum, of -ln of the probability of the true class.
///
/// Probabilities are kept a machine epsilon away from 0 and 1, as scikit-learn does.
///
/// # Errors
/// As [`brier_multiclass`].
pub fn log_loss(
    truth: &[u32],
    proba: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    normalize: bool,
) -> Result<f64> {
    check::matrix(proba, truth.len(), n_classes)?;
    check::codes("y_true", truth, n_classes)?;
    check::weights(weights, truth.len())?;
    check::probabilities(proba)?;
    let loss = |row: usize| {
        -proba[row * n_classes + truth[row] as usize].clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln()
    };
    Ok(if normalize {
        mean(truth.len(), weights, loss)
    } else {
        (0..truth.len()).map(|row| check::weight(weights, row) * loss(row)).sum()
    })
}

/// The calibration table: mean probability against fraction of positives, in bins of `p`.
///
/// # Errors
/// As [`brier`]; [`Error::Parameter`] for 0 bins.
pub fn calibration_bins(
    truth: &[u32],
    positive: u32,
    p: &[f64],
    weights: Option<&[f64]>,
    n_bins: usize,
    binning: Binning,
) -> Result<Vec<CalibrationBin>> {
    checked(truth, p, weights)?;
    if n_bins == 0 {
        return Err(Error::parameter("calibration_table", "n_bins", "at least 1", n_bins));
    }
    let bin_of_row: Vec<usize> = match binning {
        Binning::Uniform => p.iter().map(|&p| uniform_bin(p, n_bins)).collect(),
        Binning::Quantile => {
            let mut order: Vec<usize> = (0..p.len()).collect();
            // Stable, so rows of equal probability keep their order.
            order.sort_by(|&a, &b| (p[a] + 0.0).total_cmp(&(p[b] + 0.0)));
            let mut bins = vec![0; p.len()];
            for (rank, row) in order.into_iter().enumerate() {
                bins[row] = (rank as u128 * n_bins as u128 / p.len() as u128) as usize;
            }
            bins
        }
    };
    let mut rows: Vec<usize> = (0..p.len()).collect();
    rows.sort_by_key(|&row| bin_of_row[row]);
    Ok(rows
        .chunk_by(|&a, &b| bin_of_row[a] == bin_of_row[b])
        .map(|rows| {
            let sum = |term: &dyn Fn(usize) -> f64| {
                rows.iter().map(|&row| check::weight(weights, row) * term(row)).sum::<f64>()
            };
            let weight = sum(&|_| 1.0);
            CalibrationBin {
                bin: bin_of_row[rows[0]],
                weight,
                mean_probability: sum(&|row| p[row]) / weight,
                positive_fraction: sum(&|row| f64::from(u8::from(truth[row] == positive))) / weight,
            }
        })
        .filter(|bin| bin.weight > 0.0)
        .collect())
}

/// The bin k with k/b <= p < (k+1)/b as the numbers stand, whatever p b rounds to; 1 falls into the last.
fn uniform_bin(p: f64, n_bins: usize) -> usize {
    let b = n_bins as f64;
    // p b is off by less than one bin, so one step puts it right.
    #[allow(clippy::cast_sign_loss)]
    let near = ((p * b) as usize).min(n_bins - 1);
    if near > 0 && p < near as f64 / b {
        near - 1
    } else if near + 1 < n_bins && p >= (near + 1) as f64 / b {
        near + 1
    } else {
        near
    }
}

/// Expected and maximum calibration error: weighted mean and largest |mean probability - positive fraction|.
///
/// Both are NaN for a table without bins.
pub fn calibration_errors(bins: &[CalibrationBin]) -> (f64, f64) {
    let gap = |bin: &CalibrationBin| (bin.mean_probability - bin.positive_fraction).abs();
    let total: f64 = bins.iter().map(|bin| bin.weight).sum();
    let expected = bins.iter().map(|bin| bin.weight * gap(bin)).sum::<f64>() / total;
    (expected, bins.iter().map(gap).fold(f64::NAN, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_worked_losses() {
        let (truth, p) = ([1, 0, 0, 1], [0.5, 0.5, 0.0, 1.0]);
        assert_eq!(brier(&truth, 1, &p, None).unwrap(), 0.125);
        assert_eq!(brier(&truth, 1, &p, Some(&[2.0, 0.0, 1.0, 1.0])).unwrap(), 0.125);
        assert_eq!(brier_by_class(&truth, 1, &p, None).unwrap(), [0.125, 0.125]);
        let proba = [0.5, 0.5, 0.5, 0.5, 1.0, 0.0, 0.0, 1.0];
        assert_eq!(brier_multiclass(&truth, &proba, 2, None, false).unwrap(), 0.25);
        assert_eq!(brier_multiclass(&truth, &proba, 2, None, true).unwrap(), 0.125);
        let loss = log_loss(&truth, &proba, 2, None, true).unwrap();
        assert!((loss - 0.5 * 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(log_loss(&truth, &proba, 2, None, false).unwrap(), 4.0 * loss);
    }

    #[test]
    fn a_certain_error_costs_a_finite_amount() {
        let loss = log_loss(&[0], &[0.0, 1.0], 2, None, true).unwrap();
        assert_eq!(loss, -f64::EPSILON.ln());
    }

    #[test]
    fn probabilities_on_an_edge_go_up() {
        for (p, bin) in [(0.0, 0), (0.29, 29), (0.57, 57), (0.58, 58), (0.999, 99), (1.0, 99)] {
            assert_eq!(uniform_bin(p, 100), bin, "{p}");
        }
        for k in 0..1000 {
            assert_eq!(uniform_bin(k as f64 / 1000.0, 1000), k);
        }
    }

    #[test]
    fn hand_worked_calibration() {
        let (truth, p) = ([0, 1, 1, 0, 1], [0.1, 0.3, 0.9, 0.7, 1.0]);
        let bins = calibration_bins(&truth, 1, &p, None, 2, Binning::Uniform).unwrap();
        let seen: Vec<_> = bins.iter().map(|b| (b.bin, b.weight, b.positive_fraction)).collect();
        assert_eq!(seen, [(0, 2.0, 0.5), (1, 3.0, 2.0 / 3.0)]);
        let (ece, mce) = calibration_errors(&bins);
        assert!((ece - (2.0 * 0.3 + 3.0 * 0.2) / 5.0).abs() < 1e-15 && (mce - 0.3).abs() < 1e-15);
        let quantile = calibration_bins(&truth, 1, &p, None, 2, Binning::Quantile).unwrap();
        assert_eq!(quantile.iter().map(|b| b.weight).collect::<Vec<_>>(), [3.0, 2.0]);
    }

    #[test]
    fn empty_tables_and_bad_input() {
        let none = calibration_bins(&[], 1, &[], None, 3, Binning::Quantile).unwrap();
        let (ece, mce) = calibration_errors(&none);
        assert!(none.is_empty() && ece.is_nan() && mce.is_nan());
        assert!(calibration_bins(&[1], 1, &[0.5], Some(&[0.0]), 3, Binning::Uniform).unwrap().is_empty());
        assert!(calibration_bins(&[1], 1, &[0.5], None, 0, Binning::Uniform).is_err());
        assert!(brier(&[1], 1, &[1.5], None).is_err() && brier(&[1], 1, &[f64::NAN], None).is_err());
        assert!(brier(&[], 1, &[], None).unwrap().is_nan());
    }
}

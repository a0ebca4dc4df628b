//! Scores of class probabilities.

use crate::argument_checks;
use imbcore_core::Result;

pub(crate) fn check_probabilities(truth: &[u32], p: &[f64], weights: Option<&[f64]>) -> Result<()> {
    argument_checks::check_length("y_proba", p.len(), truth.len())?;
    argument_checks::check_weights(weights, truth.len())?;
    argument_checks::check_probabilities(p)
}

fn weighted_mean_over_rows(n_rows: usize, weights: Option<&[f64]>, term: impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for row in 0..n_rows {
        let weight = argument_checks::weight_or_one(weights, row);
        sum += weight * term(row);
        total += weight;
    }
    sum / total
}

/// Brier score: mean of (p - y)^2, with y = 1 for class `positive`, otherwise 0 (Brier 1950).
///
/// # Errors
/// [`imbcore_core::Error::Data`] for unequal lengths, a probability outside [0, 1], or an invalid weight.
pub fn brier(truth: &[u32], positive: u32, p: &[f64], weights: Option<&[f64]>) -> Result<f64> {
    check_probabilities(truth, p, weights)?;
    Ok(weighted_mean_over_rows(truth.len(), weights, |row| {
        let y = f64::from(u8::from(truth[row] == positive));
        (p[row] - y).powi(2)
    }))
}

/// [`brier`] of the negative rows, and [`brier`] of the positive rows.
///
/// # Errors
/// Same errors as [`brier`].
pub fn brier_by_class(truth: &[u32], positive: u32, p: &[f64], weights: Option<&[f64]>) -> Result<[f64; 2]> {
    check_probabilities(truth, p, weights)?;
    let masked_brier = |side: bool| {
        let masked: Vec<f64> = (0..truth.len())
            .map(|row| {
                if (truth[row] == positive) == side {
                    argument_checks::weight_or_one(weights, row)
                } else {
                    0.0
                }
            })
            .collect();
        brier(truth, positive, p, Some(&masked))
    };
    Ok([masked_brier(false)?, masked_brier(true)?])
}

/// Multiclass Brier score: mean over rows of the sum over classes of (p - y)^2 (Brier 1950).
///
/// y is 1 for the class of the row and 0 for other classes. For two classes, the score is twice [`brier`]. If
/// `halved`, it is divided by 2, so that it lies in [0, 1].
///
/// # Errors
/// [`imbcore_core::Error::Data`] for wrong sizes, class codes, weights, or a probability outside [0, 1].
pub fn brier_multiclass(
    truth: &[u32],
    proba: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    halved: bool,
) -> Result<f64> {
    argument_checks::check_matrix_size(proba, truth.len(), n_classes)?;
    argument_checks::check_class_codes("y_true", truth, n_classes)?;
    argument_checks::check_weights(weights, truth.len())?;
    argument_checks::check_probabilities(proba)?;
    let whole = weighted_mean_over_rows(truth.len(), weights, |row| {
        proba[row * n_classes..(row + 1) * n_classes]
            .iter()
            .enumerate()
            .map(|(class, p)| (p - f64::from(u8::from(class == truth[row] as usize))).powi(2))
            .sum()
    });
    Ok(if halved { whole / 2.0 } else { whole })
}

/// Row-major probabilities `[1 - p, p]`, from the probability p of the second of two classes.
pub fn with_complement(p: &[f64]) -> Vec<f64> {
    p.iter().flat_map(|&p| [1.0 - p, p]).collect()
}

/// Log loss: mean, or sum if `normalize` is false, of -ln of the true class's probability.
///
/// Probabilities are clipped to one machine epsilon away from 0 and 1, as in scikit-learn.
///
/// # Errors
/// Same errors as [`brier_multiclass`].
pub fn log_loss(
    truth: &[u32],
    proba: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    normalize: bool,
) -> Result<f64> {
    argument_checks::check_matrix_size(proba, truth.len(), n_classes)?;
    argument_checks::check_class_codes("y_true", truth, n_classes)?;
    argument_checks::check_weights(weights, truth.len())?;
    argument_checks::check_probabilities(proba)?;
    let loss = |row: usize| {
        -proba[row * n_classes + truth[row] as usize].clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln()
    };
    Ok(if normalize {
        weighted_mean_over_rows(truth.len(), weights, loss)
    } else {
        (0..truth.len()).map(|row| argument_checks::weight_or_one(weights, row) * loss(row)).sum()
    })
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
    fn no_rows_and_bad_input() {
        assert!(brier(&[1], 1, &[1.5], None).is_err() && brier(&[1], 1, &[f64::NAN], None).is_err());
        assert!(brier(&[], 1, &[], None).unwrap().is_nan());
    }
}

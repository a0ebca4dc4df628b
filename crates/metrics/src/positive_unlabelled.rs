//! PU learning: training on positive and unlabeled rows (Elkan and Noto 2008).
//!
//! s is 1 for labeled rows and 0 for unlabeled rows; labeled rows are positive. Every positive row is labeled
//! with the same probability c, independently of its features.

use crate::argument_checks;
use imbcore_core::{Error, Result};

/// Estimates c, the probability that a positive row is labeled (estimator e1 of the paper).
///
/// `scores` has P(s = 1 | x) of labeled rows to which the model was not fitted. The estimate is their
/// weighted mean.
///
/// # Errors
/// [`Error::Data`] for no rows, invalid probabilities, or a mean of 0.
pub fn estimate_label_frequency(scores: &[f64], weights: &[f64]) -> Result<f64> {
    argument_checks::check_probabilities(scores)?;
    argument_checks::check_summable_weights(Some(weights), scores.len())?;
    let weighted = scores.iter().zip(weights).map(|(score, weight)| score * weight);
    let c = weighted.sum::<f64>() / weights.iter().sum::<f64>();
    if c > 0.0 {
        return Ok(c);
    }
    Err(Error::Data(
        "the model predicts probability 0 of a label for held-out labeled rows, so the label frequency cannot be estimated; use a model \
         that separates them, or more labeled rows"
            .into(),
    ))
}

/// Probability that a row is positive: P(y = 1 | x) = P(s = 1 | x) / c (lemma 1), at most 1.
///
/// # Errors
/// [`Error::Data`] for invalid probabilities; [`Error::Parameter`] unless c is in (0, 1].
pub fn positive_proba(scores: &[f64], c: f64) -> Result<Vec<f64>> {
    check_label_frequency(c)?;
    argument_checks::check_probabilities(scores)?;
    Ok(scores.iter().map(|score| (score / c).min(1.0)).collect())
}

/// Probability that an unlabeled row is positive (eq. 5), at most 1.
///
/// It is `(1 - c) / c * p / (1 - p)` for p = P(s = 1 | x). In a second fit, each unlabeled row is used twice:
/// as a positive row with this weight, and as a negative row with 1 minus this weight.
///
/// # Errors
/// Same errors as [`positive_proba`].
pub fn positive_proba_if_unlabelled(scores: &[f64], c: f64) -> Result<Vec<f64>> {
    check_label_frequency(c)?;
    argument_checks::check_probabilities(scores)?;
    let odds = |p: f64| if p < 1.0 { ((1.0 - c) / c * (p / (1.0 - p))).min(1.0) } else { 1.0 };
    Ok(scores.iter().map(|&score| odds(score)).collect())
}

fn check_label_frequency(c: f64) -> Result<()> {
    if c > 0.0 && c <= 1.0 {
        return Ok(());
    }
    Err(Error::parameter("PUClassifier", "label_frequency", "in (0, 1]", c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_positives_has_labels() {
        let c = estimate_label_frequency(&[0.125, 0.375], &[1.0; 2]).unwrap();
        assert_eq!(estimate_label_frequency(&[0.125, 0.375], &[1.0, 3.0]), Ok(0.3125));
        assert_eq!(c, 0.25);
        assert_eq!(positive_proba(&[0.0, 0.125, 0.5], c).unwrap(), [0.0, 0.5, 1.0]);
        assert_eq!(positive_proba_if_unlabelled(&[0.125, 0.25, 1.0], c).unwrap(), [3.0 / 7.0, 1.0, 1.0]);
        assert!(
            estimate_label_frequency(&[], &[]).is_err() && estimate_label_frequency(&[0.0], &[1.0]).is_err()
        );
        assert!(positive_proba(&[0.5], 0.0).is_err() && positive_proba_if_unlabelled(&[1.5], 0.5).is_err());
    }
}

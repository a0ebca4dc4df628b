//! Thresholds and probabilities of two classes after a change of base rates (Elkan 2001).

use crate::error::{Error, Result};

/// Factor for the weights of negative rows that changes the threshold of a learner.
///
/// A learner that uses the threshold `s = standard` and is fitted with these weights predicts as with the
/// threshold `t = target`. The factor is `t (1 - s) / ((1 - t) s)` (Elkan 2001, theorem 1).
///
/// # Errors
/// [`Error::Parameter`] unless both lie in (0, 1).
pub fn elkan_negative_weight(target: f64, standard: f64) -> Result<f64> {
    check_fraction("elkan_negative_weight", "p_star", target)?;
    check_fraction("elkan_negative_weight", "p0", standard)?;
    Ok(target / (1.0 - target) * (1.0 - standard) / standard)
}

/// Converts probabilities `p` from base rate `b = rate` to base rate `b' = new_rate`.
/// The result is `b' (p - p b) / (b - p b + b' p - b b')` (Elkan 2001, theorem 2). It is computed from
/// positive terms only.
///
/// # Errors
/// [`Error::Parameter`] unless both rates lie in (0, 1); [`Error::Data`] for a probability outside [0, 1].
pub fn prior_shift(proba: &[f64], rate: f64, new_rate: f64) -> Result<Vec<f64>> {
    check_fraction("prior_shift", "base_rate", rate)?;
    check_fraction("prior_shift", "new_base_rate", new_rate)?;
    if let Some(bad) = proba.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(Error::Data(format!("proba must lie in [0, 1], found {bad}")));
    }
    let shifted = |p: &f64| {
        let (positive, negative) = (p * new_rate * (1.0 - rate), (1.0 - p) * rate * (1.0 - new_rate));
        positive / (positive + negative)
    };
    Ok(proba.iter().map(shifted).collect())
}

/// Converts unbounded scores to probabilities: `1 / (1 + exp(-score))`.
pub fn logistic(scores: impl Iterator<Item = f64>) -> Vec<f64> {
    scores.map(|score| 1.0 / (1.0 + (-score).exp())).collect()
}

fn check_fraction(function: &str, name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::parameter(function, name, "a number in (0, 1)", value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negatives_weigh_more_to_lower_a_threshold() {
        // If a miss costs ten times as much as a false alert, the threshold changes from 1/2 to 1/11, and
        // negatives get a tenth of their weight.
        assert!((elkan_negative_weight(1.0 / 11.0, 0.5).unwrap() - 0.1).abs() < 1e-15);
        assert!(elkan_negative_weight(0.0, 0.5).is_err() && elkan_negative_weight(0.5, 1.0).is_err());
    }

    #[test]
    fn a_shift_and_its_inverse_cancel() {
        // b = 1/2, b' = 1/10, p = 3/4: odds 3 become 1/3, so p' = 1/4.
        let shifted = prior_shift(&[0.0, 0.75, 1.0], 0.5, 0.1).unwrap();
        assert!((shifted[1] - 0.25).abs() < 1e-15 && shifted[0] == 0.0 && shifted[2] == 1.0);
        let back = prior_shift(&shifted, 0.1, 0.5).unwrap();
        assert!((back[1] - 0.75).abs() < 1e-15);
        assert!(prior_shift(&[1.5], 0.5, 0.1).is_err() && prior_shift(&[f64::NAN], 0.5, 0.1).is_err());
    }

    #[test]
    fn scores_keep_their_order_and_sign() {
        let p = logistic([-800.0, -1.0, 0.0, 1.0, 800.0].into_iter());
        assert_eq!((p[0], p[2], p[4]), (0.0, 0.5, 1.0));
        assert!((p[1] + p[3] - 1.0).abs() < 1e-15 && p[1] < 0.5);
    }

    #[test]
    fn theorem_2_as_printed() {
        let (p, b, c): (f64, f64, f64) = (0.37, 0.2, 0.03);
        let printed = c * (p - p * b) / (b - p * b + c * p - b * c);
        assert!((prior_shift(&[p], b, c).unwrap()[0] - printed).abs() < 1e-15);
    }
}

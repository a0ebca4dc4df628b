//! `AdaBoost.M2` with row weights (Freund and Schapire 1997, figure 3).
//! The rule is used by `RUSBoost` and `SMOTEBoost`.

use super::round_result::{CHANCE_TOLERANCE, RoundResult, compensated_sum, normalize_weights};

/// Boosting rule based on the predicted probability of the true class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PseudoLossUpdate {
    /// Number of classes, at least 2.
    pub n_classes: usize,
    /// Learning rate, by which all votes are multiplied.
    pub learning_rate: f64,
}

impl PseudoLossUpdate {
    /// Computes the vote of a member and the weights D of the next round.
    /// Row i has class `y_i` and predicted probabilities `p_i(c)` of the K classes. The pseudo-loss is `e =
    /// 1/2 sum_i D_i / (K - 1) sum_{c != y_i} (1 - p_i(y_i) + p_i(c))`. With `beta = e / (1 - e)`, D of the
    /// next round is proportional to `D beta^((1 + p(y) - max_{c != y} p(c)) / 2)`, and the vote is `ln(1 /
    /// beta)` (Seiffert et al. 2010, steps d to f). The learning rate multiplies the vote and the exponent.
    #[must_use]
    pub fn compute_vote_and_weights(&self, weights: &[f64], rows: &[RowPseudoLoss]) -> RoundResult {
        let others = (self.n_classes - 1) as f64;
        let error = 0.5 * compensated_sum(weights.iter().zip(rows).map(|(d, row)| d / others * row.loss));
        if error <= 0.0 {
            return RoundResult::for_perfect_member();
        }
        if error >= 0.5 * (1.0 - CHANCE_TOLERANCE) {
            return RoundResult::Chance;
        }
        let vote = self.learning_rate * ((1.0 - error).ln() - error.ln());
        let next = weights.iter().zip(rows).map(|(d, row)| d * (-vote * row.lead / 2.0).exp());
        RoundResult::Kept { vote, error, next: Some(normalize_weights(next.collect())) }
    }
}

/// Two terms of the update rule for one row, computed from its predicted probabilities.
///
/// `y` is the class of the row, and `p(c)` is its predicted probability of class `c`. The pseudo-loss of a
/// member is proportional to the weighted sum of `loss` over all rows. A row with a larger `lead` gets a
/// smaller weight in the next round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowPseudoLoss {
    /// `sum_{c != y} (1 - p(y) + p(c))`.
    loss: f64,
    /// `1 + p(y) - max_{c != y} p(c)`.
    lead: f64,
}

impl RowPseudoLoss {
    /// Computes `loss` and `lead` of a row of class `class`.
    #[must_use]
    pub fn new(class: u32, row_proba: &[f64]) -> Self {
        let own = row_proba[class as usize];
        let rivals = || row_proba.iter().enumerate().filter(|&(c, _)| c != class as usize);
        let rival = rivals().fold(f64::NEG_INFINITY, |most, (_, &rival)| most.max(rival));
        Self { loss: rivals().map(|(_, &rival)| 1.0 - own + rival).sum(), lead: 1.0 + own - rival }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate_member(proba: &[f64]) -> RoundResult {
        let rows = [RowPseudoLoss::new(0, &proba[..2]), RowPseudoLoss::new(1, &proba[2..])];
        PseudoLossUpdate { n_classes: 2, learning_rate: 1.0 }.compute_vote_and_weights(&[0.5; 2], &rows)
    }

    #[test]
    fn the_loss_of_two_classes_is_the_mean_probability_of_the_wrong_one() {
        let proba = [0.9, 0.1, 0.4, 0.6];
        let RoundResult::Kept { vote, error, next: Some(next) } = evaluate_member(&proba) else {
            unreachable!("the loss is a quarter")
        };
        assert!((error - 0.25).abs() < 1e-15 && (vote - 3.0_f64.ln()).abs() < 1e-15);
        // The weights of the two rows are multiplied by 3^-0.9 and 3^-0.6.
        assert!((next[1] / next[0] - 3.0_f64.powf(0.3)).abs() < 1e-14);
    }

    #[test]
    fn a_perfect_member_ends_boosting_and_even_odds_are_dropped() {
        assert_eq!(evaluate_member(&[1.0, 0.0, 0.0, 1.0]), RoundResult::for_perfect_member());
        assert_eq!(evaluate_member(&[0.5; 4]), RoundResult::Chance);
    }
}

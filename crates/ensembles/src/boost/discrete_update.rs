//! `AdaBoost.M1` and SAMME.
//! Freund and Schapire 1997, figure 2; Zhu, Zou, Rosset and Hastie 2009, algorithm 2.

use super::round_result::{CHANCE_TOLERANCE, RoundResult, misclassified_weight, normalize_weights};

/// Boosting rule based on misclassified rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteUpdate {
    /// Number of classes, at least 2.
    pub n_classes: usize,
    /// Whether a member is kept if it beats random guessing among all classes (SAMME).
    ///
    /// Otherwise a member is kept if the rows that it predicts correctly have more than half of the total
    /// weight (M1). For two classes both criteria are the same.
    pub samme: bool,
    /// Learning rate, by which all votes are multiplied.
    pub learning_rate: f64,
}

impl DiscreteUpdate {
    /// Computes the vote of a member and the weights D of the next round.
    /// The error `e` is the sum of D over wrong rows. With K classes, the vote is `alpha = learning_rate
    /// (ln((1 - e) / e) + [SAMME] ln(K - 1))`, and D of the next round is proportional to `D exp(alpha
    /// [wrong])` (Zhu et al. 2009, algorithm 2, lines 2b to 2e). Brackets are 1 if their condition holds, and
    /// 0 otherwise.
    #[must_use]
    pub fn compute_vote_and_weights(&self, weights: &[f64], wrong: &[bool]) -> RoundResult {
        let error = misclassified_weight(weights, wrong);
        if error <= 0.0 {
            return RoundResult::for_perfect_member();
        }
        let guesses = if self.samme { self.n_classes as f64 } else { 2.0 };
        if error * guesses >= (guesses - 1.0) * (1.0 - CHANCE_TOLERANCE) {
            return RoundResult::Chance;
        }
        let vote = self.learning_rate * ((1.0 - error).ln() - error.ln() + (guesses - 1.0).ln());
        // The weights of correct rows are multiplied by exp(-vote). Multiplying the weights of wrong rows by
        // exp(vote) would give the same normalized weights, but could overflow.
        let lowered = (-vote).exp();
        let next = weights.iter().zip(wrong).map(|(d, wrong)| if *wrong { *d } else { d * lowered });
        RoundResult::Kept { vote, error, next: Some(normalize_weights(next.collect())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate_member(n_classes: usize, samme: bool, weights: &[f64], wrong: &[bool]) -> RoundResult {
        DiscreteUpdate { n_classes, samme, learning_rate: 1.0 }.compute_vote_and_weights(weights, wrong)
    }

    #[test]
    fn wrong_rows_have_half_of_the_weight_after_a_round() {
        let RoundResult::Kept { vote, error, next: Some(next) } =
            evaluate_member(2, false, &[0.25; 4], &[true, false, false, false])
        else {
            unreachable!("an error of a quarter is kept")
        };
        assert!((vote - 3.0_f64.ln()).abs() < 1e-15 && error == 0.25);
        assert!((next[0] - 0.5).abs() < 1e-15 && (next[1] - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn an_error_of_half_is_chance_for_m1_but_not_for_samme_of_three_classes() {
        let (weights, wrong) = ([0.25; 4], [true, true, false, false]);
        assert_eq!(evaluate_member(3, false, &weights, &wrong), RoundResult::Chance);
        assert!(matches!(evaluate_member(3, true, &weights, &wrong), RoundResult::Kept { .. }));
        assert_eq!(evaluate_member(2, true, &weights, &wrong), RoundResult::Chance);
        // With three classes, random guessing has an error of two thirds.
        assert_eq!(evaluate_member(3, true, &[1.0 / 3.0; 3], &[true, true, false]), RoundResult::Chance);
    }

    #[test]
    fn the_smallest_positive_error_gives_finite_results() {
        let RoundResult::Kept { vote, next: Some(next), .. } =
            evaluate_member(2, true, &[1.0, 5e-324], &[false, true])
        else {
            unreachable!("there is an error")
        };
        assert!(vote.is_finite() && next.iter().all(|weight| weight.is_finite()));
    }
}

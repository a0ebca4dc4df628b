//! Weight updates of `AdaC1`, `AdaC2` and `AdaC3` (Sun, Kamel, Wong and Wang 2007).

use super::round_result::{CHANCE_TOLERANCE, CompensatedSum, RoundResult, normalize_weights};

/// Position of the costs in the weight update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdaCRule {
    /// The costs are inside the exponent of the weight update.
    C1,
    /// The costs are factors outside the exponent of the weight update.
    C2,
    /// The costs are inside the exponent and also factors outside it.
    C3,
    /// Like [`Self::C2`], but with the vote of SAMME, for any number of classes.
    ///
    /// For two classes, the vote of a member is twice its vote in [`Self::C2`].
    C2Samme,
}

/// Boosting rule based on misclassified rows and their costs.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaCUpdate {
    /// Position of the costs in the weight update.
    pub rule: AdaCRule,
    /// Cost of misclassifying a row of each class, in (0, 1].
    pub costs: Vec<f64>,
    /// Learning rate, by which all votes are multiplied.
    pub learning_rate: f64,
}

impl AdaCUpdate {
    /// Computes the vote of a member and the weights D of the next round.
    ///
    /// `C` is the cost of a row, `K` is the number of classes, and `u` is 1 for correct rows and -1 for wrong
    /// rows. `S(x)` is the sum of `x` over all rows, `S+(x)` over the correct rows, and `S-(x)` over the
    /// wrong rows. For a learning rate of 1, each rule has this vote `alpha`, and this weight of a row in the
    /// next round before normalization:
    ///
    /// - C1: `alpha = 1/2 ln[(1 + S+(CD) - S-(CD)) / (1 - S+(CD) + S-(CD))]`, `D exp(-alpha C u)`;
    /// - C2: `alpha = 1/2 ln[S+(CD) / S-(CD)]`, `C D exp(-alpha u)`;
    /// - C3: `alpha = 1/2 ln[(S(CD) + S+(CCD) - S-(CCD)) / (S(CD) - S+(CCD) + S-(CCD))]`, `C D exp(-alpha C
    ///   u)`;
    /// - C2 with the vote of SAMME: `alpha = ln[(K - 1) S+(CD) / S-(CD)]`, `C D exp(alpha)` for wrong rows
    ///   and `C D` for correct rows.
    ///
    /// For another learning rate, the product of alpha and the learning rate replaces alpha in the vote and
    /// in the weights.
    ///
    /// The alpha of C1 and of C3 minimizes an upper bound on the normalization factor of the weights, and the
    /// alpha of C2 minimizes the factor itself. The error of the member is `S-(CD) / S(CD)`.
    #[must_use]
    pub fn compute_vote_and_weights(&self, weights: &[f64], classes: &[u32], wrong: &[bool]) -> RoundResult {
        let mut sums = vec![[CompensatedSum::default(); 2]; self.costs.len()];
        for ((&d, &class), &wrong) in weights.iter().zip(classes).zip(wrong) {
            sums[class as usize][usize::from(wrong)].add(d);
        }
        let masses: Vec<[f64; 2]> = sums.into_iter().map(|sides| sides.map(CompensatedSum::value)).collect();
        let with_costs = || masses.iter().zip(&self.costs);
        let most = with_costs().filter(|(masses, _)| masses[1] > 0.0).map(|(_, &cost)| cost);
        let Some(most) = most.reduce(f64::max) else { return RoundResult::for_perfect_member() };
        // The sums have only nonnegative terms. A wrong row with a tiny weight is therefore not lost by
        // cancellation.
        let sum_of = |of: &dyn Fn(f64) -> [f64; 2]| {
            let of_class = |([right, wrong], &cost): (&[f64; 2], &f64)| {
                let [of_right, of_wrong] = of(cost);
                right * of_right + wrong * of_wrong
            };
            with_costs().map(of_class).sum::<f64>()
        };
        let above = sum_of(&|cost| [1.0, -1.0].map(|u| self.vote_fraction_factor(cost, u)));
        let below = sum_of(&|cost| [-1.0, 1.0].map(|u| self.vote_fraction_factor(cost, u)));
        let samme = self.rule == AdaCRule::C2Samme;
        let above = if samme { (self.costs.len() - 1) as f64 * above } else { above };
        if above - below <= CHANCE_TOLERANCE * (above + below) {
            return RoundResult::Chance;
        }
        let alpha = if samme { 1.0 } else { 0.5 } * (above.ln() - below.ln());
        let vote = self.learning_rate * alpha;
        let factors =
            self.costs.iter().map(|&cost| [1.0, -1.0].map(|u| self.weight_factor(vote, most, cost, u)));
        let factors: Vec<[f64; 2]> = factors.collect();
        let next = weights.iter().zip(classes).zip(wrong);
        let next = next.map(|((d, &class), wrong)| d * factors[class as usize][usize::from(*wrong)]);
        let error = sum_of(&|cost| [0.0, cost]) / sum_of(&|cost| [cost; 2]);
        RoundResult::Kept { vote, error, next: Some(normalize_weights(next.collect())) }
    }

    /// Factor by which a row's weight is multiplied in the sums that determine the vote.
    ///
    /// The vote depends on the quotient of two such sums. In the numerator, `u` is 1 for correct rows and -1
    /// for wrong rows. In the denominator, `u` has the opposite signs.
    fn vote_fraction_factor(&self, cost: f64, u: f64) -> f64 {
        match self.rule {
            AdaCRule::C1 => 1.0 + cost * u,
            AdaCRule::C2 | AdaCRule::C2Samme => cost * (1.0 + u) / 2.0,
            AdaCRule::C3 => cost * (1.0 + cost * u),
        }
    }

    /// Factor of the weight of a row in the next round, before normalization.
    ///
    /// The exponential is divided by the largest exponential of any wrong row, so that it cannot overflow.
    /// Normalization cancels this division. `most` is the largest cost of a wrong row.
    fn weight_factor(&self, vote: f64, most: f64, cost: f64, u: f64) -> f64 {
        match self.rule {
            AdaCRule::C1 => (-vote * (cost * u + most)).exp(),
            AdaCRule::C2 => cost * (-vote * (u + 1.0)).exp(),
            AdaCRule::C2Samme => cost * (-vote * (u + 1.0) / 2.0).exp(),
            AdaCRule::C3 => cost * (-vote * (cost * u + most)).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boost::discrete_update::DiscreteUpdate;

    fn evaluate_member(rule: AdaCRule, costs: &[f64], wrong: &[bool]) -> RoundResult {
        AdaCUpdate { rule, costs: costs.to_vec(), learning_rate: 1.0 }.compute_vote_and_weights(
            &[0.25; 4],
            &[0, 0, 1, 1],
            wrong,
        )
    }

    #[test]
    fn costs_of_1_equal_adaboost() {
        let wrong = [true, false, false, false];
        let plain = DiscreteUpdate { n_classes: 2, samme: true, learning_rate: 1.0 }
            .compute_vote_and_weights(&[0.25; 4], &wrong);
        let RoundResult::Kept { vote: twice, next: Some(plain), .. } = plain else {
            unreachable!("a quarter is wrong")
        };
        for rule in [AdaCRule::C1, AdaCRule::C2, AdaCRule::C3, AdaCRule::C2Samme] {
            let RoundResult::Kept { vote, error, next: Some(next) } =
                evaluate_member(rule, &[1.0; 2], &wrong)
            else {
                unreachable!("a quarter is wrong")
            };
            let half = if rule == AdaCRule::C2Samme { 1.0 } else { 0.5 };
            assert!((vote - half * twice).abs() < 1e-15 && error == 0.25);
            assert!(next.iter().zip(&plain).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }

    #[test]
    fn members_whose_errors_cost_more_than_they_save_are_dropped() {
        let wrong = [false, false, true, false];
        for rule in [AdaCRule::C1, AdaCRule::C2, AdaCRule::C3, AdaCRule::C2Samme] {
            // In the first case, correct rows cost 1.2 in all and the wrong row costs 1.0, so the member is
            // kept. In the second case, correct rows cost 0.2 and wrong rows 2.0, so the member is dropped.
            assert!(matches!(evaluate_member(rule, &[0.1, 1.0], &wrong), RoundResult::Kept { .. }));
            assert_eq!(evaluate_member(rule, &[0.1, 1.0], &[false, false, true, true]), RoundResult::Chance);
            assert_eq!(evaluate_member(rule, &[0.1, 1.0], &[false; 4]), RoundResult::for_perfect_member());
        }
    }

    #[test]
    fn an_error_of_tiny_weight_gives_finite_votes_and_weights() {
        for rule in [AdaCRule::C1, AdaCRule::C2, AdaCRule::C3, AdaCRule::C2Samme] {
            for learning_rate in [1.0, 50.0, 1e6] {
                let costly = AdaCUpdate { rule, costs: vec![0.5, 1.0], learning_rate };
                let verdict =
                    costly.compute_vote_and_weights(&[0.0, 1.0, 1e-50], &[0, 1, 0], &[false, false, true]);
                let RoundResult::Kept { vote, error, next: Some(next) } = verdict else {
                    unreachable!("one is wrong")
                };
                let alpha = vote / learning_rate;
                assert!(alpha > 50.0 && alpha < 120.0 && error < 1e-49, "{rule:?}: {vote} and {error}");
                let sum: f64 = next.iter().sum();
                assert!((sum - 1.0).abs() < 1e-12 && next.iter().all(|&d| d > 0.0), "{rule:?}: {next:?}");
            }
        }
    }

    #[test]
    fn a_member_better_only_by_rounding_is_dropped() {
        for rule in [AdaCRule::C1, AdaCRule::C2, AdaCRule::C3, AdaCRule::C2Samme] {
            let costly = AdaCUpdate { rule, costs: vec![1.0; 2], learning_rate: 1.0 };
            assert_eq!(
                costly.compute_vote_and_weights(&[0.1, 0.2, 0.3], &[0, 0, 1], &[false, false, true]),
                RoundResult::Chance
            );
        }
    }
}

//! Result of a boosting round, and compensated sums of weights.

/// Result of a boosting round.
#[derive(Clone, Debug, PartialEq)]
pub enum RoundResult {
    /// The member is dropped, because it is no better than chance.
    Chance,
    /// The member is kept.
    Kept {
        /// Weight of the member's vote.
        vote: f64,
        /// Error of the member on the weighted training rows, by the loss of the update rule.
        error: f64,
        /// Weights of the next round, which sum to 1.
        /// `None` if the member has no training error, so boosting ends.
        next: Option<Vec<f64>>,
    },
}

impl RoundResult {
    /// Result for a member without training error: a vote of 1, and boosting ends.
    /// Freund and Schapire 1997 give such a member an infinite vote.
    pub(super) fn for_perfect_member() -> Self {
        Self::Kept { vote: 1.0, error: 0.0, next: None }
    }
}

/// Largest relative advantage over chance that is attributed to rounding.
///
/// A member with at most this advantage counts as no better than chance. If such members were kept, boosting
/// would run useless rounds with votes of about 1e-16. A single member with vote 0 would predict nothing.
pub(super) const CHANCE_TOLERANCE: f64 = 1e-12;

/// Smallest weight of a row in a round, if all weights sum to 1.
/// Trees accept no smaller weight. A row with this weight can still regain a larger weight in later rounds.
const MIN_WEIGHT: f64 = 1e-50;

/// Divides weights by their sum, and raises quotients below [`MIN_WEIGHT`] to [`MIN_WEIGHT`].
pub(super) fn normalize_weights(mut weights: Vec<f64>) -> Vec<f64> {
    let sum = compensated_sum(weights.iter().copied());
    for weight in &mut weights {
        *weight = (*weight / sum).max(MIN_WEIGHT);
    }
    weights
}

/// Compensated sum of nonnegative numbers (Neumaier 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    pub(super) fn add(&mut self, number: f64) {
        let next = self.sum + number;
        self.lost += if self.sum >= number { (self.sum - next) + number } else { (number - next) + self.sum };
        self.sum = next;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

pub(super) fn compensated_sum(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sum = CompensatedSum::default();
    numbers.for_each(|number| sum.add(number));
    sum.value()
}

pub(super) fn misclassified_weight(weights: &[f64], wrong: &[bool]) -> f64 {
    compensated_sum(weights.iter().zip(wrong).filter(|(_, wrong)| **wrong).map(|(&weight, _)| weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vanishing_weights_are_bounded_below() {
        assert_eq!(normalize_weights(vec![2.0, 0.0, 1e-80, 2.0]), [0.5, 1e-50, 1e-50, 0.5]);
    }

    #[test]
    fn a_million_weights_sum_to_1() {
        let weights = normalize_weights((0..1_000_000).map(|row| f64::from(row % 977 + 1)).collect());
        assert!((compensated_sum(weights.iter().copied()) - 1.0).abs() < 1e-15);
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

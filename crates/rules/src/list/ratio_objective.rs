//! Objective of a choice of rules: a ratio of two sums, with an optional constraint.

use super::params::{PrecisionConstraint, RecallConstraint, RuleFBeta, RuleObjective, RuleObjectiveName};
use std::cmp::Ordering;

/// Weights of the positive rows (TP) and negative rows (FP) that the chosen rules match.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MatchedWeights {
    pub(super) positive: f64,
    pub(super) other: f64,
}

/// Objective `times TP / (fixed + share (TP + FP))` of a choice of rules.
///
/// TP is the weight of the positive rows that the rules match, and FP that of the negative rows. If `floor`
/// is present, a choice is feasible if `floor.0 TP + floor.1 FP >= floor.2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RatioObjective {
    times: f64,
    fixed: f64,
    share: f64,
    pub(super) floor: Option<(f64, f64, f64)>,
    slack: f64,
}

/// Gain `positive TP - other FP + constant` of a choice of rules.
///
/// It is linear in TP and FP, the weights of the positive and the negative rows that the rules match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinearGain {
    pub(super) positive: f64,
    pub(super) other: f64,
    pub(super) constant: f64,
}

impl RatioObjective {
    /// Builds the objective from the total weight of the positive class and of all rows.
    pub(super) fn new(objective: RuleObjective, positives: f64, total: f64) -> Self {
        let slack = 1e-9 * total;
        let f = |beta: f64| {
            let square = beta * beta;
            Self { times: 1.0 + square, fixed: square * positives, share: 1.0, floor: None, slack }
        };
        match objective {
            RuleObjective::Named(RuleObjectiveName::F1) => f(1.0),
            RuleObjective::FBeta(RuleFBeta { f_beta }) => f(f_beta),
            RuleObjective::Precision(PrecisionConstraint { precision: p }) => {
                let floor = Some((1.0 - p, -p, 0.0));
                Self { times: 1.0, fixed: positives, share: 0.0, floor, slack }
            }
            RuleObjective::Recall(RecallConstraint { recall }) => {
                let floor = Some((1.0, 0.0, recall * positives));
                Self { times: 1.0, fixed: 0.0, share: 1.0, floor, slack }
            }
        }
    }

    /// Value of the objective: at most 1 despite rounding, and 0 if the denominator is 0.
    pub(super) fn objective_value(&self, held: MatchedWeights) -> f64 {
        let below = self.fixed + self.share * (held.positive + held.other);
        if below > 0.0 { (self.times * held.positive / below).min(1.0) } else { 0.0 }
    }

    pub(super) fn is_feasible(&self, held: MatchedWeights) -> bool {
        self.floor.is_none_or(|(positive, other, least)| {
            positive * held.positive + other * held.other >= least - self.slack
        })
    }

    /// Compares two choices: a feasible choice is better, then a larger value of the objective.
    ///
    /// If both choices are infeasible, the larger TP is better. Under a minimum recall, this choice is closer
    /// to a feasible choice.
    pub(super) fn compare_choices(&self, one: MatchedWeights, other: MatchedWeights) -> Ordering {
        let (first, second) = (self.is_feasible(one), self.is_feasible(other));
        first.cmp(&second).then_with(|| {
            if first {
                self.objective_value(one).total_cmp(&self.objective_value(other))
            } else {
                one.positive.total_cmp(&other.positive)
            }
        })
    }

    /// Linear gain that is positive iff the objective exceeds `value` (Dinkelbach 1967).
    pub(super) fn linear_gain(&self, value: f64) -> LinearGain {
        let share = value * self.share;
        LinearGain { positive: self.times - share, other: share, constant: -value * self.fixed }
    }

    /// Upper bound on the objective that follows from an upper bound on the linear gain.
    ///
    /// The linear gain for the objective `value` is at most `earned` for every choice of rules.
    pub(super) fn objective_upper_bound(&self, value: f64, earned: f64) -> f64 {
        // Lower bound on the denominator. Under a minimum recall, it holds for every feasible choice.
        // Otherwise it holds for every choice whose objective exceeds `value`.
        let least = match self.floor {
            Some((positive, _, least)) if self.share > 0.0 => least / positive,
            _ => self.fixed / (1.0 - self.share * value / self.times).max(f64::MIN_POSITIVE),
        };
        (value + earned.max(0.0) / least).clamp(value, 1.0)
    }

    /// Whether the denominator is constant.
    ///
    /// If it is constant, one mixed-integer program is enough.
    pub(super) fn has_constant_denominator(&self) -> bool {
        self.share == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELD: MatchedWeights = MatchedWeights { positive: 6.0, other: 2.0 };

    #[test]
    fn measures_match_their_definitions() {
        let value = |objective| RatioObjective::new(objective, 10.0, 100.0).objective_value(HELD);
        assert_eq!(value(RuleObjective::Named(RuleObjectiveName::F1)), 12.0 / 18.0);
        // The precision is p = 3/4 and the recall r = 3/5. The F2-measure is 5 p r / (4 p + r).
        let f2 = 5.0 * 0.75 * 0.6 / (4.0 * 0.75 + 0.6);
        assert!((value(RuleObjective::FBeta(RuleFBeta { f_beta: 2.0 })) - f2).abs() < 1e-15);
        assert_eq!(value(RuleObjective::Precision(PrecisionConstraint { precision: 0.5 })), 0.6);
        assert_eq!(value(RuleObjective::Recall(RecallConstraint { recall: 0.5 })), 0.75);
    }

    #[test]
    fn ratio_is_at_most_one_despite_rounding() {
        // `positives` and `positive` are the same sum of three weights, added in different orders.
        let (positives, positive) = (0.3 + 0.2 + 0.1, 0.1 + 0.2 + 0.3);
        assert!(positive > positives);
        for objective in [
            RuleObjective::Named(RuleObjectiveName::F1),
            RuleObjective::FBeta(RuleFBeta { f_beta: 2.0 }),
            RuleObjective::Precision(PrecisionConstraint { precision: 0.5 }),
        ] {
            let measure = RatioObjective::new(objective, positives, 1.0);
            let value = measure.objective_value(MatchedWeights { positive, other: 0.0 });
            assert_eq!((value, measure.objective_upper_bound(value, 1e-9)), (1.0, 1.0));
        }
    }

    #[test]
    fn feasibility_is_compared_first() {
        let precise = RatioObjective::new(
            RuleObjective::Precision(PrecisionConstraint { precision: 0.75 }),
            10.0,
            100.0,
        );
        let full = MatchedWeights { positive: 10.0, other: 4.0 };
        assert!(precise.is_feasible(HELD) && !precise.is_feasible(full));
        assert_eq!(precise.compare_choices(HELD, full), Ordering::Greater);
        let found = RatioObjective::new(RuleObjective::Recall(RecallConstraint { recall: 0.7 }), 10.0, 100.0);
        assert!(!found.is_feasible(HELD) && found.is_feasible(full));
        assert_eq!(
            found.compare_choices(HELD, MatchedWeights { positive: 5.0, other: 0.0 }),
            Ordering::Greater
        );
    }

    #[test]
    fn positive_linear_gain_implies_a_larger_ratio() {
        for objective in [
            RuleObjective::Named(RuleObjectiveName::F1),
            RuleObjective::FBeta(RuleFBeta { f_beta: 0.5 }),
            RuleObjective::Precision(PrecisionConstraint { precision: 0.1 }),
            RuleObjective::Recall(RecallConstraint { recall: 0.1 }),
        ] {
            let measure = RatioObjective::new(objective, 10.0, 100.0);
            let value = measure.objective_value(HELD);
            for (positive, other) in [(7.0, 2.0), (6.0, 3.0), (8.0, 5.0), (3.0, 0.0), (10.0, 30.0)] {
                let held = MatchedWeights { positive, other };
                let prices = measure.linear_gain(value);
                let earned = prices.positive * positive - prices.other * other + prices.constant;
                assert_eq!(earned > 1e-12, measure.objective_value(held) > value + 1e-12);
                assert!(
                    measure.objective_upper_bound(value, earned) >= measure.objective_value(held) - 1e-12
                );
            }
        }
    }
}

//! Result of choosing rules: value of the objective, upper bound, and scores of rows.

use super::params::RuleObjective;
use crate::box_drawing::NO_BOX;
use crate::drawing_rules::BoxStats;
use imbcore_core::budget::SearchStatus;
use imbcore_core::{Error, Result};
use serde_json::{Value, json};

/// Number of artificial rows that are added to the rows of a rule.
///
/// Their positive fraction is the prevalence, so they shrink the fraction of a small rule towards it.
const PRIOR_ROWS: f64 = 2.0;

/// Objective value and upper bound of a choice of rules, and the scores of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleSetResult {
    /// Why the search ended.
    pub status: SearchStatus,
    /// Objective that the choice maximizes.
    pub objective: RuleObjective,
    /// Maximum number of rules.
    pub n_rules: u32,
    /// Value of the choice.
    pub value: f64,
    /// Upper bound on the objective value of any choice from the candidate rules.
    pub bound: f64,
    /// Weight of the positive rows, and of the negative rows, that at least one rule matches.
    pub held: [f64; 2],
    /// Number of rules that match different sets of rows, and number of candidates among them.
    pub candidates: [u32; 2],
    /// For each rule, the score of the rows whose first matching rule it is.
    ///
    /// The scores are adjusted to be above one half. They are descending.
    pub rates: Vec<f64>,
    /// Score of the rows that no rule matches; it is adjusted to be below one half.
    pub rest: f64,
}

/// Smoothed positive fraction of a rule: an m-estimate with the prevalence as prior.
///
/// See Cestnik 1990.
pub(super) fn smoothed_positive_fraction(facts: BoxStats, all: BoxStats, n_rows: usize) -> f64 {
    let prior = PRIOR_ROWS * all.support / n_rows as f64;
    (facts.positives + prior * all.positives / all.support) / (facts.support + prior)
}

/// Converts smoothed positive fractions to scores that agree with the predictions.
///
/// The score of a rule must be above one half, and the score of unmatched rows (fraction `rest`) below. If
/// the fractions satisfy this, they are the scores. Otherwise all odds are divided by one constant, which
/// preserves the order. The constant is the odds of unmatched rows if these are between 1 and the smallest
/// odds of a rule. Otherwise it is the smallest odds of a rule. A score still on the wrong side of one half
/// is then set to the float next to one half.
pub(super) fn rule_probabilities(rates: &[f64], rest: f64) -> (Vec<f64>, f64) {
    let odds = |share: f64| share / (1.0 - share);
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let even = if rates.is_empty() { 1.0 } else { odds(rest).max(1.0).min(odds(least)) };
    let score = |share: f64| if even == 1.0 { share } else { odds(share) / (odds(share) + even) };
    let of_rule = |&rate: &f64| score(rate).max(0.5_f64.next_up());
    (rates.iter().map(of_rule).collect(), score(rest).min(0.5_f64.next_down()))
}

impl RuleSetResult {
    pub(crate) fn box_probability(&self, number: u32) -> f64 {
        if number == NO_BOX { self.rest } else { self.rates[number as usize] }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "status": self.status,
            "objective": self.value,
            "bound": self.bound,
            "gap": self.bound - self.value,
            "proven_optimal": self.status == SearchStatus::Optimal,
            "goal": self.objective,
            "n_rules": self.n_rules,
            "true_positives": self.held[0],
            "false_positives": self.held[1],
            "different_rules": self.candidates[0],
            "candidates": self.candidates[1],
        })
    }

    /// Validates data from an untrusted file.
    ///
    /// # Errors
    /// [`Error::Format`] describing the violation.
    pub(crate) fn check(self, n_boxes: usize) -> Result<Self> {
        let share = |value: &f64| (0.0..=1.0).contains(value);
        let sides = self.rates.iter().all(|&rate| rate > 0.5) && self.rest < 0.5;
        let shares = self.rates.iter().chain([&self.rest, &self.value, &self.bound]).all(share);
        let weights = self.held.iter().all(|&held| held.is_finite() && held >= 0.0);
        if self.rates.len() == n_boxes && sides && shares && weights && self.bound >= self.value {
            Ok(self)
        } else {
            Err(Error::damaged("the result of choosing rules is invalid"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_scores_unless_they_contradict_predictions() {
        assert_eq!(rule_probabilities(&[0.9, 0.6], 0.1), (vec![0.9, 0.6], 0.1));
        assert_eq!(rule_probabilities(&[], 0.3), (vec![], 0.3));
        // The odds 9, 1/4 and 1/64 are divided by 1/4. The odds 9 and 4 are divided by 4.
        let (rules, rest) = rule_probabilities(&[0.9, 0.2], 1.0 / 65.0);
        let (sure, over) = rule_probabilities(&[0.9], 0.8);
        let expected = [36.0 / 37.0, 0.5, 1.0 / 17.0, 9.0 / 13.0, 0.5];
        for (found, expected) in rules.iter().chain([&rest]).chain(&sure).chain([&over]).zip(expected) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert!(rules[1] > 0.5 && over < 0.5);
    }

    #[test]
    fn small_rules_are_shrunk_to_the_prevalence() {
        let all = BoxStats { support: 100.0, positives: 10.0 };
        let rate = |support, positives| smoothed_positive_fraction(BoxStats { support, positives }, all, 50);
        // Each of the 50 rows weighs 2, so the prior of two rows weighs 4. A tenth of it, 0.4, is positive.
        assert_eq!(rate(6.0, 6.0), 6.4 / 10.0);
        assert!((rate(0.0, 0.0) - 0.1).abs() < 1e-15);
    }
}

//! All metrics that `evaluate` reports for the predictions of a test fold.

use crate::argument_checks;
use crate::goal::alert_budget_to_fraction;
use crate::probability::{brier_multiclass, log_loss};
use crate::recalibration::calibration_line;
use crate::scores::{ClassifierOutput, EvaluatedPredictions, SCORE_NAMES, extract_class_column, scores};
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::{Costs, Result};

const OF_PROBA: [&str; 4] = ["log_loss", "brier", "calibration_slope", "calibration_intercept"];
const COST: &str = "expected_cost";
const AT_ALERTS: [&str; 2] = ["precision_at_alerts", "recall_at_alerts"];
/// A probability outside [0, 1] by at most this distance is treated as a rounding error.
const ROUNDING: f64 = 1e-9;

/// Misclassification costs.
#[derive(Clone, Debug, PartialEq)]
pub enum CostMatrices {
    /// The same cost matrix for all rows.
    Same(Costs),
    /// One cost matrix per row: `n_rows x n_classes x n_classes`, row-major.
    Own(Vec<f64>),
}

impl CostMatrices {
    /// Mean cost of predictions; NaN if all weights are 0.
    ///
    /// `rows` has the table index of each predicted row, by which its cost matrix is found.
    fn mean_cost(&self, answers: &EvaluatedPredictions<'_>, rows: &[u32]) -> f64 {
        let n = answers.n_classes;
        let (mut sum, mut total) = (0.0, 0.0);
        for (place, (&truth, &answer)) in answers.truth.iter().zip(answers.predicted).enumerate() {
            let (truth, answer) = (truth as usize, answer as usize);
            let cost = match self {
                Self::Same(costs) => costs.cost(truth, answer),
                Self::Own(cells) => cells[(rows[place] as usize * n + truth) * n + answer],
            };
            let weight = argument_checks::weight_or_one(answers.weights, place);
            sum += weight * cost;
            total += weight;
        }
        sum / total
    }
}

/// Computes all metrics of predictions: [`scores`], probability scores and optional metrics.
///
/// The optional metrics are the expected cost, and precision and recall within an alert budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluator {
    positive: u32,
    prices: Option<CostMatrices>,
    /// Alert budget, as the fraction of the rows that may be predicted positive.
    alerts: Option<f64>,
}

impl Evaluator {
    /// Creates an evaluator for class `positive`.
    ///
    /// `alerts` is the alert budget: at most the first number of alerts among the second number of rows. If
    /// the second number is None, it is `rows`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Data`] if the budget allows an alert on every row.
    pub fn new(
        positive: u32,
        prices: Option<CostMatrices>,
        alerts: Option<(f64, Option<f64>)>,
        rows: f64,
    ) -> Result<Self> {
        let alerts = alerts.map(|(most, per)| alert_budget_to_fraction(most, per, rows)).transpose()?;
        Ok(Self { positive, prices, alerts })
    }

    /// Code of the positive class, to which thresholds and rankings refer.
    pub fn positive_class(&self) -> u32 {
        self.positive
    }

    /// Costs, from which the expected cost is computed; `None` if it is not computed.
    pub fn costs(&self) -> Option<&CostMatrices> {
        self.prices.as_ref()
    }

    /// Names of the scores, in the order of [`Self::score_values`].
    pub fn score_names(&self) -> Vec<&'static str> {
        let costs = self.prices.iter().map(|_| COST);
        let alerts = self.alerts.iter().flat_map(|_| AT_ALERTS);
        SCORE_NAMES.into_iter().chain(OF_PROBA).chain(costs).chain(alerts).collect()
    }

    /// Computes every score of the predictions of some rows.
    ///
    /// Undefined scores are NaN, for example scores of probabilities if the model predicts classes only.
    ///
    /// # Errors
    /// Same errors as [`scores`]; [`imbcore_core::Error::Data`] for probabilities outside [0, 1] by more than
    /// rounding.
    pub fn score_values(&self, answers: &EvaluatedPredictions<'_>, rows: &[u32]) -> Result<Vec<f64>> {
        argument_checks::check_length("the row", rows.len(), answers.truth.len())?;
        let mut values: Vec<f64> =
            scores(answers, self.positive)?.into_iter().map(|(_, value)| value).collect();
        values.extend(self.probability_scores(answers)?);
        values.extend(self.prices.iter().map(|prices| prices.mean_cost(answers, rows)));
        if let Some(rate) = self.alerts {
            let (precision, recall) = self.precision_recall_at_alert_rate(rate, answers)?;
            values.extend([precision, recall]);
        }
        Ok(values)
    }

    fn probability_scores(&self, answers: &EvaluatedPredictions<'_>) -> Result<[f64; 4]> {
        let EvaluatedPredictions { truth, belief, n_classes, weights, .. } = *answers;
        let ClassifierOutput::Proba(proba) = belief else { return Ok([f64::NAN; 4]) };
        let proba: Vec<f64> = proba.iter().map(|&p| clip_probability(p)).collect();
        let own = extract_class_column(&proba, n_classes, self.positive);
        let line = calibration_line(truth, self.positive, &own, weights)?;
        Ok([
            log_loss(truth, &proba, n_classes, weights, true)?,
            brier_multiclass(truth, &proba, n_classes, weights, n_classes == 2)?,
            line.slope,
            line.intercept,
        ])
    }

    fn precision_recall_at_alert_rate(
        &self,
        rate: f64,
        answers: &EvaluatedPredictions<'_>,
    ) -> Result<(f64, f64)> {
        let EvaluatedPredictions { truth, belief, n_classes, weights, .. } = *answers;
        let sweep = match belief {
            ClassifierOutput::Proba(proba) => ThresholdSweep::new(
                truth,
                self.positive,
                &extract_class_column(proba, n_classes, self.positive),
                weights,
            )?,
            ClassifierOutput::Scores(scores) => ThresholdSweep::new(truth, self.positive, scores, weights)?,
            ClassifierOutput::Unknown => return Ok((f64::NAN, f64::NAN)),
        };
        let rows = sweep.positives() + sweep.negatives();
        if sweep.positives() == 0.0 {
            return Ok((f64::NAN, f64::NAN));
        }
        sweep.precision_recall_at_k(rate * rows)
    }
}

fn clip_probability(p: f64) -> f64 {
    let near = p.clamp(0.0, 1.0);
    if (p - near).abs() <= ROUNDING { near } else { p }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers<'a>(proba: &'a [f64], weights: Option<&'a [f64]>) -> EvaluatedPredictions<'a> {
        let (truth, predicted) = (&[0, 0, 0, 1], &[0, 0, 1, 0]);
        EvaluatedPredictions {
            truth,
            predicted,
            belief: ClassifierOutput::Proba(proba),
            n_classes: 2,
            weights,
        }
    }

    fn rows(answers: &EvaluatedPredictions<'_>) -> Vec<u32> {
        (0..answers.truth.len() as u32).collect()
    }

    const PROBA: [f64; 8] = [0.9, 0.1, 0.75, 0.25, 0.5, 0.5, 0.6, 0.4];

    fn score(judge: &Evaluator, answers: &EvaluatedPredictions<'_>, name: &str) -> f64 {
        let index = judge.score_names().iter().position(|known| *known == name).unwrap();
        judge.score_values(answers, &rows(answers)).unwrap()[index]
    }

    fn judge() -> Evaluator {
        let costs = Costs::new(vec![0.0, 1.0, 10.0, 0.5], 2).unwrap();
        Evaluator::new(1, Some(CostMatrices::Same(costs)), Some((1.0, Some(2.0))), 4.0).unwrap()
    }

    #[test]
    fn costs_and_budgets_by_hand() {
        let found = |name| score(&judge(), &answers(&PROBA, None), name);
        assert_eq!(found("expected_cost"), 11.0 / 4.0);
        assert_eq!((found("precision_at_alerts"), found("recall_at_alerts")), (0.5, 1.0));
        assert!((found("brier") - (0.01 + 0.0625 + 0.25 + 0.36) / 4.0).abs() < 1e-15);
        let loss = -(0.9_f64.ln() + 0.75_f64.ln() + 0.5_f64.ln() + 0.4_f64.ln()) / 4.0;
        assert!((found("log_loss") - loss).abs() < 1e-15);
        assert!(found("calibration_slope").is_finite() && found("calibration_intercept") < 0.0);
    }

    #[test]
    fn rows_may_have_costs_of_their_own() {
        // A false alert costs 2, and a missed positive costs ten times the index of its row.
        let cells: Vec<f64> = (0..8).flat_map(|row| [0.0, 2.0, 10.0 * f64::from(row), 0.0]).collect();
        let judge = Evaluator::new(1, Some(CostMatrices::Own(cells)), None, 8.0).unwrap();
        let values = judge.score_values(&answers(&PROBA, None), &[6, 1, 0, 5]).unwrap();
        let index = judge.score_names().iter().position(|name| *name == "expected_cost").unwrap();
        assert_eq!(values[index], (2.0 + 50.0) / 4.0);
        assert!(judge.score_values(&answers(&PROBA, None), &[6, 1]).is_err());
    }

    #[test]
    fn a_row_of_weight_two_is_two_rows() {
        let twice = EvaluatedPredictions {
            truth: &[0, 0, 0, 1, 1],
            predicted: &[0, 0, 1, 0, 0],
            belief: ClassifierOutput::Proba(&[0.9, 0.1, 0.75, 0.25, 0.5, 0.5, 0.6, 0.4, 0.6, 0.4]),
            n_classes: 2,
            weights: None,
        };
        let weighed = answers(&PROBA, Some(&[1.0, 1.0, 1.0, 2.0]));
        let weighed = judge().score_values(&weighed, &rows(&weighed)).unwrap();
        for (a, b) in weighed.into_iter().zip(judge().score_values(&twice, &rows(&twice)).unwrap()) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn optional_scores_are_computed_on_request() {
        let plain = Evaluator::new(1, None, None, 4.0).unwrap();
        assert_eq!(plain.score_names().len(), 15);
        assert_eq!(plain.score_values(&answers(&PROBA, None), &[0, 1, 2, 3]).unwrap().len(), 15);
        let labels_only = EvaluatedPredictions { belief: ClassifierOutput::Unknown, ..answers(&PROBA, None) };
        assert!(score(&plain, &labels_only, "log_loss").is_nan());
        assert_eq!(score(&judge(), &labels_only, "expected_cost"), 11.0 / 4.0);
        assert!(score(&judge(), &labels_only, "precision_at_alerts").is_nan());
        let message = Evaluator::new(1, None, Some((4.0, None)), 4.0).unwrap_err().to_string();
        assert!(message.contains("budget of 4 does not limit 4 rows"), "{message}");
    }

    #[test]
    fn probabilities_outside_by_rounding_are_clipped() {
        let over = [1.0 + 1e-15, -1e-15, 0.75, 0.25, 0.5, 0.5, 0.6, 0.4];
        assert!(score(&judge(), &answers(&over, None), "brier").is_finite());
        let far = [1.1, -0.1, 0.75, 0.25, 0.5, 0.5, 0.6, 0.4];
        assert!(judge().score_values(&answers(&far, None), &[0, 1, 2, 3]).is_err());
    }
}

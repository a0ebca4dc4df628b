//! Thresholds that meet a target, and their expected performance.

use crate::alert_periods::{AlertEstimate, AlertRateEstimator};
use crate::binary::{BinaryScore, Counts, ZeroDivision};
use crate::tails::{beta_cdf, beta_quantile};
use crate::threshold::midpoint_between;
use crate::threshold_sweep::{ThresholdCounts, ThresholdSweep};
use imbcore_core::{Costs, Error, Result, ThresholdMeasure, ThresholdTarget};
use serde::{Deserialize, Serialize};

const LEVEL: f64 = 0.95;

/// A proportion with its exact 95 % interval (Clopper and Pearson 1934).
///
/// If rows have weights or groups, the interval is computed from the effective number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ProportionEstimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Expected performance of a threshold on new rows from the same distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpectedPerformance {
    /// Fraction of the positive rows that are predicted positive.
    pub recall: ProportionEstimate,
    /// Fraction of positive predictions that are correct; `None` without positive predictions.
    pub precision: Option<ProportionEstimate>,
    /// Fraction of the negative rows that are predicted positive.
    pub fpr: ProportionEstimate,
    /// Fraction of all rows that are predicted positive.
    pub alert_rate: ProportionEstimate,
    /// Mean cost of a row, if the threshold was chosen by costs.
    pub cost: Option<f64>,
    /// Alerts per period of time; `None` unless the target of the threshold limits them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alerts: Option<AlertEstimate>,
    /// Lower and upper end of the 95 % interval of the mean cost.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost_interval: Option<[f64; 2]>,
}

impl ThresholdSweep {
    /// Returns the threshold that meets `aim`.
    ///
    /// A row is predicted positive if its score is at least the threshold. The threshold lies midway between
    /// two neighboring scores. It is minus infinity if all rows are to be positive.
    ///
    /// If a limit on a rate allows no positive prediction, the threshold lies midway between the largest
    /// score and `most`, the highest possible threshold. The threshold with the best measure or the lowest
    /// cost may also be plus infinity, unless the largest score is `most` (see
    /// [`Self::best_threshold_for`]).
    ///
    /// # Errors
    /// [`Error::Data`] if no threshold meets the target, or if a limit on a rate requires a threshold above
    /// `most`; [`Error::Unsupported`] for alerts per period of time.
    pub(crate) fn threshold_for_target(
        &self,
        aim: &ThresholdTarget,
        positive: u32,
        most: f64,
    ) -> Result<f64> {
        let rows = self.positives() + self.negatives();
        match aim {
            ThresholdTarget::Best(measure) => {
                let score = binary_score_for_measure(*measure);
                Ok(self.best_threshold_for(most, |counts| score.compute(counts, ZeroDivision::Zero)).0)
            }
            ThresholdTarget::Cost { costs, .. } => {
                Ok(self.best_threshold_for(most, |counts| -mean_cost_of_counts(counts, costs, positive)).0)
            }
            ThresholdTarget::Recall(least) => {
                let found = self.threshold_counts().iter().position(|cut| cut.tp >= least * self.positives());
                Ok(found.map_or(f64::NEG_INFINITY, |cut| self.midpoint_below_score(cut)))
            }
            ThresholdTarget::Precision(least) => {
                let right = |cut: &ThresholdCounts| cut.tp / (cut.tp + cut.fp);
                let found = self.threshold_counts().iter().rposition(|cut| right(cut) >= *least);
                found.map(|cut| self.midpoint_below_score(cut)).ok_or_else(|| {
                    let best = self.threshold_counts().iter().map(right).fold(0.0, f64::max);
                    unmet_target_error(&format!("reaches a precision of {least}; the best is {best:.4}"))
                })
            }
            ThresholdTarget::Fpr(limit) => {
                self.lowest_threshold_within_limit("a false positive rate of", *limit, most, |cut| {
                    cut.fp / self.negatives()
                })
            }
            ThresholdTarget::AlertRate(limit) => {
                self.lowest_threshold_within_limit("an alert rate of", *limit, most, |cut| (cut.tp + cut.fp) / rows)
            }
            ThresholdTarget::Alerts { most: alerts, per } => {
                let limit = alert_budget_to_fraction(*alerts, *per, rows)?;
                self.lowest_threshold_within_limit("an alert rate of", limit, most, |cut| (cut.tp + cut.fp) / rows)
            }
            ThresholdTarget::AlertsPerPeriod { .. } => Err(Error::Unsupported(
                "alerts per time span need the times of the rows, which are not known here; give time, or an alert budget for a \
                 number of rows, such as {\"alerts\": 200, \"per\": 50000}"
                    .into(),
            )),
        }
    }

    pub(crate) fn threshold_for_period_alerts(
        &self,
        alerts: &AlertRateEstimator,
        limit: f64,
        most: f64,
    ) -> Result<f64> {
        let what = "the mean number of alerts per period";
        self.lowest_threshold_within_limit(what, limit, most, |cut| alerts.mean_alerts_per_period(cut.score))
    }

    pub(crate) fn counts_at_threshold(&self, threshold: f64) -> Counts {
        let alerts = self.threshold_counts().partition_point(|cut| cut.score >= threshold);
        let (tp, fp) = alerts
            .checked_sub(1)
            .map_or((0.0, 0.0), |i| (self.threshold_counts()[i].tp, self.threshold_counts()[i].fp));
        Counts { tp, fn_: self.positives() - tp, fp, tn: self.negatives() - fp }
    }

    /// Expected performance of a threshold, with intervals for `rows` independent rows.
    pub(crate) fn expected_performance(
        &self,
        threshold: f64,
        rows: f64,
        costs: Option<(&Costs, u32)>,
    ) -> ExpectedPerformance {
        let counts = self.counts_at_threshold(threshold);
        let unit = rows / counts.total();
        let proportion = |part: f64, whole: f64| estimate_proportion(part * unit, whole * unit);
        let alerts = counts.tp + counts.fp;
        ExpectedPerformance {
            recall: proportion(counts.tp, self.positives()),
            precision: (alerts > 0.0).then(|| proportion(counts.tp, alerts)),
            fpr: proportion(counts.fp, self.negatives()),
            alert_rate: proportion(alerts, counts.total()),
            cost: costs.map(|(costs, positive)| mean_cost_of_counts(counts, costs, positive)),
            alerts: None,
            cost_interval: None,
        }
    }

    /// Threshold midway between the score at descending position `at` and the next lower score.
    ///
    /// For the lowest score, the result is minus infinity.
    fn midpoint_below_score(&self, at: usize) -> f64 {
        let next = self.threshold_counts().get(at + 1);
        next.map_or(f64::NEG_INFINITY, |next| midpoint_between(next.score, self.threshold_counts()[at].score))
    }

    /// Lowest threshold at which `rate` is at most `largest`.
    ///
    /// `rate` must not decrease from a threshold to a lower threshold.
    fn lowest_threshold_within_limit(
        &self,
        what: &str,
        largest: f64,
        most: f64,
        rate: impl Fn(&ThresholdCounts) -> f64,
    ) -> Result<f64> {
        let beyond = self.threshold_counts().iter().position(|cut| rate(cut) > largest);
        match beyond {
            None => Ok(f64::NEG_INFINITY),
            Some(0) if self.threshold_counts()[0].score >= most => {
                let least = rate(&self.threshold_counts()[0]);
                Err(unmet_target_error(&format!(
                    "keeps {what} at most {largest}: the rows with the largest score alone have {least:.4}"
                )))
            }
            Some(0) => Ok(f64::midpoint(self.threshold_counts()[0].score, most)),
            Some(first) => Ok(self.midpoint_below_score(first - 1)),
        }
    }
}

pub(crate) fn alert_budget_to_fraction(alerts: f64, per: Option<f64>, rows: f64) -> Result<f64> {
    let base = per.unwrap_or(rows);
    if alerts < base {
        return Ok(alerts / base);
    }
    Err(Error::Data(format!(
        "an alert budget of {alerts} does not limit {base} rows; lower it, or set the number of rows with \"per\""
    )))
}

pub(crate) fn unmet_target_error(what: &str) -> Error {
    Error::Data(format!("no threshold {what}; relax the target, or choose a method that ranks better"))
}

pub(crate) fn mean_cost_of_counts(counts: Counts, costs: &Costs, positive: u32) -> f64 {
    let (pos, neg) = (positive as usize, 1 - positive as usize);
    let cell = |truth: usize, predicted: usize| costs.cells()[truth * 2 + predicted];
    let sum = counts.tp * cell(pos, pos)
        + counts.fn_ * cell(pos, neg)
        + counts.fp * cell(neg, pos)
        + counts.tn * cell(neg, neg);
    sum / counts.total()
}

fn binary_score_for_measure(measure: ThresholdMeasure) -> BinaryScore {
    match measure {
        ThresholdMeasure::F1 => BinaryScore::FBeta(1.0),
        ThresholdMeasure::F2 => BinaryScore::FBeta(2.0),
        ThresholdMeasure::GMean => BinaryScore::GMean,
        ThresholdMeasure::Mcc => BinaryScore::Mcc,
        // Youden's J is twice the balanced accuracy minus 1, so both have the same best threshold.
        ThresholdMeasure::Youden => BinaryScore::BalancedAccuracy,
    }
}

pub(crate) fn estimate_proportion(part: f64, whole: f64) -> ProportionEstimate {
    let tail = (1.0 - LEVEL) / 2.0;
    let low = if part > 0.0 { beta_quantile(tail, part, whole - part + 1.0) } else { 0.0 };
    let high = if part < whole { beta_quantile(1.0 - tail, part + 1.0, whole - part) } else { 1.0 };
    ProportionEstimate { value: part / whole, low, high }
}

/// Tests whether the true failure rate is at most `failing`, with the given confidence.
///
/// At a failure rate of `failing`, let p be the probability of at most `failures` failures among `rows` rows.
/// The result is true if p is at most `1 - confidence`.
pub(crate) fn is_max_failure_rate_proved(failures: f64, rows: f64, failing: f64, confidence: f64) -> bool {
    // P(Bin(n, q) <= k) = I_{1-q}(n - k, k + 1).
    failures < rows && beta_cdf(1.0 - failing, rows - failures, failures + 1.0) <= 1.0 - confidence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> ThresholdSweep {
        // Descending: + - + + - - -.
        let truth = [1, 0, 1, 1, 0, 0, 0];
        ThresholdSweep::new(&truth, 1, &[0.875, 0.75, 0.625, 0.5, 0.25, 0.125, 0.0625], None).unwrap()
    }

    fn chosen_threshold(aim: &ThresholdTarget) -> f64 {
        sweep().threshold_for_target(aim, 1, 1.0).unwrap()
    }

    #[test]
    fn every_goal_is_met_where_it_costs_least() {
        assert_eq!(chosen_threshold(&ThresholdTarget::Recall(1.0)), 0.375);
        assert_eq!(chosen_threshold(&ThresholdTarget::Recall(0.5)), 0.5625);
        assert_eq!(chosen_threshold(&ThresholdTarget::Precision(0.75)), 0.375);
        assert_eq!(chosen_threshold(&ThresholdTarget::Precision(1.0)), 0.8125);
        assert_eq!(chosen_threshold(&ThresholdTarget::Fpr(0.25)), 0.375);
        assert_eq!(chosen_threshold(&ThresholdTarget::Fpr(0.2)), 0.8125);
        assert_eq!(chosen_threshold(&ThresholdTarget::AlertRate(0.5)), 0.5625);
        assert_eq!(chosen_threshold(&ThresholdTarget::Alerts { most: 1.0, per: None }), 0.8125);
        assert_eq!(chosen_threshold(&ThresholdTarget::Alerts { most: 1.0, per: Some(100.0) }), 0.9375);
        assert_eq!(chosen_threshold(&ThresholdTarget::Best(ThresholdMeasure::F1)), 0.375);
    }

    #[test]
    fn the_best_threshold_is_possible_even_if_a_score_is_the_highest_threshold() {
        // Descending: - at 1, then + + at 0.6, then - at 0.2. No positive prediction would be cheapest, but a
        // threshold of 1 predicts the first row positive.
        let sweep = ThresholdSweep::new(&[0, 1, 1, 0], 1, &[1.0, 0.6, 0.6, 0.2], None).unwrap();
        let costs = Costs::new(vec![0.0, 100.0, 20.0, 0.0], 2).unwrap();
        let aim = ThresholdTarget::Cost { costs, at_most: None };
        assert_eq!(sweep.threshold_for_target(&aim, 1, 1.0).unwrap(), 0.4);
        assert_eq!(sweep.threshold_for_target(&aim, 1, f64::INFINITY).unwrap(), f64::INFINITY);
        let reversed = ThresholdSweep::new(&[1, 0], 1, &[0.2, 1.0], None).unwrap();
        let youden = ThresholdTarget::Best(ThresholdMeasure::Youden);
        assert_eq!(reversed.threshold_for_target(&youden, 1, 1.0).unwrap(), f64::NEG_INFINITY);
    }

    #[test]
    fn costs_choose_the_cheapest_cut() {
        let cost = |miss: f64| {
            let costs = Costs::new(vec![0.0, 1.0, miss, 0.0], 2).unwrap();
            chosen_threshold(&ThresholdTarget::Cost { costs, at_most: None })
        };
        assert_eq!((cost(5.0), cost(0.1)), (0.375, 0.8125));
    }

    #[test]
    fn errors_of_impossible_targets_name_the_best_value() {
        let sweep = ThresholdSweep::new(&[0, 1], 1, &[1.0, 0.5], None).unwrap();
        let precision =
            sweep.threshold_for_target(&ThresholdTarget::Precision(0.9), 1, 1.0).unwrap_err().to_string();
        assert!(precision.contains("the best is 0.5"), "{precision}");
        assert!(sweep.threshold_for_target(&ThresholdTarget::Fpr(0.5), 1, 1.0).is_err());
        assert!(
            sweep.threshold_for_target(&ThresholdTarget::Alerts { most: 2.0, per: None }, 1, 1.0).is_err()
        );
    }

    #[test]
    fn intervals_are_those_of_clopper_and_pearson() {
        // Expected values are from scipy.stats.binomtest(9, 10).proportion_ci(method="exact"), and likewise
        // for 0 and 10 successes of 10.
        let found = estimate_proportion(9.0, 10.0);
        assert!(
            (found.low - 0.554_983_9).abs() < 1e-7 && (found.high - 0.997_471_4).abs() < 1e-7,
            "{found:?}"
        );
        assert!(
            (estimate_proportion(0.0, 10.0).high - 0.308_497_1).abs() < 1e-7
                && estimate_proportion(0.0, 10.0).low == 0.0
        );
        assert!(
            (estimate_proportion(10.0, 10.0).low - 0.691_502_9).abs() < 1e-7
                && estimate_proportion(10.0, 10.0).high == 1.0
        );
        let expected = sweep().expected_performance(0.375, 7.0, None);
        assert_eq!((expected.recall.value, expected.fpr.value), (1.0, 0.25));
        assert_eq!(expected.precision.unwrap().value, 0.75);
        assert_eq!(sweep().expected_performance(0.9375, 7.0, None).precision, None);
    }
}

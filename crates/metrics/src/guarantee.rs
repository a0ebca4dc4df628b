//! Thresholds that meet a target on future rows with a given confidence.
//!
//! The guarantee is valid for any distribution of the rows. The held-out rows must not have been used to fit
//! the model or to choose anything, and must be exchangeable with future rows.
//!
//! Recall depends only on the scores of positive rows, the false positive rate only on those of negative
//! rows, and the alert rate on those of all rows. An order statistic of these scores bounds the rate
//! (Wilks 1941): the fraction of future scores below the k-th smallest of n scores is at most U, where
//! U ~ Beta(k, n + 1 - k).
//!
//! Precision and cost are not monotone in the threshold. Therefore, candidate thresholds are tested (Learn
//! then Test: Angelopoulos, Bates, Candes, Jordan and Lei 2021). For precision, tests go from a few starting
//! points to looser thresholds until a test fails, and the error level is divided among the starting points.
//! For cost, the error level is divided among all candidate thresholds.

use crate::alert_periods::{AlertRateEstimator, RowTimesAndGroups};
use crate::goal::{
    ExpectedPerformance, alert_budget_to_fraction, is_max_failure_rate_proved, mean_cost_of_counts,
    unmet_target_error,
};
use crate::group_losses::GroupThresholdFinder;
use crate::group_performance::expected_performance;
use crate::held_out_rows::{HeldOutGroups, HeldOutRows, draw_one_row_per_group};
use crate::tails::beta_cdf;
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::{Error, Guarantee, Result, ThresholdGoal, ThresholdTarget};

/// Numbers of alerts at which the four sequences of tests of a precision start.
///
/// The unit is the smallest number of alerts that can prove the precision in a single test, if all alerts are
/// correct.
const STARTS: [f64; 4] = [2.0, 8.0, 32.0, 128.0];
/// Ratio of the number of alerts in a test of a precision to that in the previous test.
const GROWTH: f64 = 1.1;
/// Costs are tested at thresholds with log-odds -7, -6.5, ..., 7; this is the largest.
const LOGIT: i32 = 7;
const COST_THRESHOLDS: f64 = 4.0 * LOGIT as f64 + 1.0;

impl HeldOutRows<'_> {
    /// Returns a threshold that meets `aim` on future rows.
    ///
    /// The confidence of `guarantee` is the probability that the returned threshold meets the target, over
    /// random samples of held-out rows or groups.
    ///
    /// # Errors
    /// [`Error::Data`] if there are too few rows or groups (the message states the required number) or if no
    /// threshold meets the target.
    pub(crate) fn threshold_for_target(&self, aim: &ThresholdTarget, guarantee: Guarantee) -> Result<f64> {
        let Guarantee { confidence, max_group_size, .. } = guarantee;
        let Some(groups) = self.groups else {
            return self.threshold_for_independent_rows(aim, confidence, false);
        };
        if max_group_size.is_none() && is_rate_of_one_class(aim) {
            return self.call_with_one_row_per_group(aim, groups, |rows| {
                rows.threshold_for_independent_rows(aim, confidence, true)
            });
        }
        GroupThresholdFinder::new(self, groups, aim, confidence, max_group_size)?.find_guaranteed_threshold()
    }

    /// Checks that there are enough rows or groups to prove the target if the scores are perfect.
    ///
    /// The scores of the rows are not used, so the check is possible before a model is fitted.
    ///
    /// # Errors
    /// [`Error::Data`] with the required number of rows or groups.
    pub fn check_enough_data(&self, aim: &ThresholdTarget, guarantee: Guarantee) -> Result<()> {
        let Guarantee { confidence, max_group_size, .. } = guarantee;
        let Some(groups) = self.groups else { return self.check_enough_rows(aim, confidence, false) };
        if max_group_size.is_none() && is_rate_of_one_class(aim) {
            return self.call_with_one_row_per_group(aim, groups, |rows| {
                rows.check_enough_rows(aim, confidence, true)
            });
        }
        GroupThresholdFinder::new(self, groups, aim, confidence, max_group_size)?.check_enough_groups()
    }

    /// Calls `task` with one random row of every group; such rows are independent.
    ///
    /// The rows are drawn among rows of the class to which the target refers.
    fn call_with_one_row_per_group<T>(
        &self,
        aim: &ThresholdTarget,
        HeldOutGroups { codes, key }: HeldOutGroups<'_>,
        task: impl Fn(&HeldOutRows<'_>) -> Result<T>,
    ) -> Result<T> {
        let wants_positive = matches!(aim, ThresholdTarget::Recall(_));
        let rows =
            draw_one_row_per_group(codes, |row| (self.truth[row] == self.positive) == wants_positive, key);
        let truth: Vec<u32> = rows.iter().map(|&row| self.truth[row as usize]).collect();
        let scores: Vec<f64> = rows.iter().map(|&row| self.scores[row as usize]).collect();
        task(&HeldOutRows { truth: &truth, scores: &scores, groups: None, ..*self })
    }

    fn check_enough_rows(&self, aim: &ThresholdTarget, confidence: f64, of_groups: bool) -> Result<()> {
        let check_count = |what: &str, n: usize, needed: f64| {
            if n as f64 >= needed {
                Ok(())
            } else {
                Err(too_few_rows_error(&rows_or_groups_name(of_groups, what), n, needed, confidence))
            }
        };
        let n = self.truth.len();
        let n_positive = self.truth.iter().filter(|&&class| class == self.positive).count();
        let needed = |proportion: f64, level: f64| (level.ln() / proportion.ln()).ceil();
        match aim {
            ThresholdTarget::Precision(least) => {
                let (alerts, positives) = min_alerts_to_prove_precision(*least, confidence);
                check_count("rows", n, alerts + 1.0)?;
                check_count("positive rows", n_positive, positives)
            }
            ThresholdTarget::Cost { costs, at_most: Some(most) } => {
                let largest = costs.cells().iter().copied().fold(0.0, f64::max);
                let level = (1.0 - confidence) / COST_THRESHOLDS;
                if *most >= largest {
                    return Ok(());
                }
                check_count("rows", n, needed(1.0 - most / largest, level))
            }
            ThresholdTarget::Best(_) | ThresholdTarget::Cost { .. } => Ok(()),
            _ => {
                let blank = vec![0.0; n];
                HeldOutRows { scores: &blank, ..*self }
                    .threshold_for_independent_rows(aim, confidence, of_groups)
                    .map(drop)
            }
        }
    }

    fn threshold_for_independent_rows(
        &self,
        aim: &ThresholdTarget,
        confidence: f64,
        of_groups: bool,
    ) -> Result<f64> {
        match aim {
            ThresholdTarget::Recall(least) => {
                let positives = self.sorted_scores(|class| class == self.positive);
                let units = rows_or_groups_name(of_groups, "positive rows");
                Ok(positives[largest_rank_for_recall((&units, positives.len()), *least, confidence)? - 1])
            }
            ThresholdTarget::Fpr(limit) => {
                let negatives = self.sorted_scores(|class| class != self.positive);
                self.threshold_for_max_rate(&negatives, &rows_or_groups_name(of_groups, "negative rows"), *limit, confidence)
            }
            ThresholdTarget::AlertRate(limit) => {
                let scores = self.sorted_scores(|_| true);
                self.threshold_for_max_rate(&scores, &rows_or_groups_name(of_groups, "rows"), *limit, confidence)
            }
            ThresholdTarget::Alerts { most, per } => {
                let limit = alert_budget_to_fraction(*most, *per, self.truth.len() as f64)?;
                let scores = self.sorted_scores(|_| true);
                self.threshold_for_max_rate(&scores, &rows_or_groups_name(of_groups, "rows"), limit, confidence)
            }
            ThresholdTarget::Precision(least) => self.threshold_for_min_precision(*least, confidence),
            ThresholdTarget::Cost { .. } => self.threshold_for_max_cost(aim, confidence),
            ThresholdTarget::Best(_) | ThresholdTarget::AlertsPerPeriod { .. } => Err(Error::Unsupported(
                "a guarantee is not available for a measure to maximize, or for alerts per time span; set a minimum or an \
                 alert rate instead"
                    .into(),
            )),
        }
    }

    /// Lowest threshold for which the rate of future scores at or above it is at most `limit`.
    ///
    /// The rate is proven from the sample `scores` at the given confidence.
    fn threshold_for_max_rate(&self, scores: &[f64], what: &str, limit: f64, confidence: f64) -> Result<f64> {
        let n = scores.len() as f64;
        let holds = |k: usize| 1.0 - beta_cdf(1.0 - limit, k as f64, n + 1.0 - k as f64) >= confidence;
        // If `holds` is true for some k, it is true for all larger k, so bisection finds the smallest k.
        let first = (1..=scores.len()).collect::<Vec<_>>().partition_point(|&k| !holds(k));
        let Some(&beyond) = scores.get(first) else {
            let needed = ((1.0 - confidence).ln() / (-limit).ln_1p()).ceil();
            return Err(too_few_rows_error(what, scores.len(), needed, confidence));
        };
        self.threshold_above_score(beyond, limit)
    }

    fn threshold_for_min_precision(&self, least: f64, confidence: f64) -> Result<f64> {
        let mut rows: Vec<(f64, bool)> = self
            .truth
            .iter()
            .zip(self.scores)
            .map(|(&class, &score)| (score, class == self.positive))
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let fewest = ((1.0 - confidence).ln() / least.ln()).ceil().max(1.0);
        let level = 1.0 - (1.0 - confidence) / STARTS.len() as f64;
        // `right[i]` is the number of positives among the i rows with the largest scores. Consider the
        // held-out rows with larger scores than a given row. They are a random sample of all future rows with
        // such scores.
        let mut right = vec![0_u32; rows.len() + 1];
        for (i, row) in rows.iter().enumerate() {
            right[i + 1] = right[i] + u32::from(row.1);
        }
        let mut loosest: Option<usize> = None;
        for start in STARTS {
            let mut wanted = fewest * start;
            #[allow(clippy::cast_sign_loss)]
            while let Some(last) = Some(wanted.ceil() as usize).filter(|&last| last < rows.len()) {
                let alerts = rows.partition_point(|row| row.0 > rows[last].0);
                let wrong = alerts - right[alerts] as usize;
                if !is_max_failure_rate_proved(wrong as f64, alerts as f64, 1.0 - least, level) {
                    break;
                }
                loosest = loosest.max(Some(alerts));
                wanted = (wanted * GROWTH).max(wanted + 1.0);
            }
        }
        let Some(alerts) = loosest else {
            return Err(unmet_target_error(&format!(
                "has a precision of at least {least} with confidence {confidence} on the {} rows held out (if \
                 all of them are correct, {} rows are required)",
                rows.len(),
                fewest * STARTS[0]
            )));
        };
        Ok(crate::threshold::midpoint_between(rows[alerts].0, rows[alerts - 1].0))
    }

    fn threshold_for_max_cost(&self, aim: &ThresholdTarget, confidence: f64) -> Result<f64> {
        let ThresholdTarget::Cost { costs, at_most: Some(most) } = aim else {
            return Err(Error::Internal("a guarantee for costs needs a limit".into()));
        };
        if let Some(row) = self.first_invalid_probability_row() {
            return Err(Error::Data(format!(
                "a guarantee for a cost needs probabilities in [0, 1], but score {row} is {}; give probabilities, or omit \
                 \"guarantee\"",
                self.scores[row]
            )));
        }
        let sweep = ThresholdSweep::new(self.truth, self.positive, self.scores, None)?;
        let largest = costs.cells().iter().copied().fold(0.0, f64::max);
        let n = self.truth.len() as f64;
        let tried: Vec<f64> =
            (-2 * LOGIT..=2 * LOGIT).map(|half| 1.0 / (1.0 + (-0.5 * f64::from(half)).exp())).collect();
        let level = (1.0 - confidence) / COST_THRESHOLDS;
        let mut best: Option<(f64, f64)> = None;
        let mut cheapest = f64::INFINITY;
        for threshold in tried {
            let found = mean_cost_of_counts(sweep.counts_at_threshold(threshold), costs, self.positive);
            cheapest = cheapest.min(found);
            let shown =
                *most >= largest || hoeffding_bentkus_p_value(found / largest, n, most / largest) <= level;
            if shown && best.is_none_or(|(cost, _)| found < cost) {
                best = Some((found, threshold));
            }
        }
        best.map(|(_, threshold)| threshold).ok_or_else(|| {
            unmet_target_error(&format!(
                "costs at most {most} per row with confidence {confidence} on the {n} rows held out; the cheapest threshold costs \
                 {cheapest:.4}"
            ))
        })
    }
}

/// Hoeffding-Bentkus p-value for the hypothesis that the expected loss exceeds `limit`.
///
/// Losses lie in [0, 1], and `mean` is the mean of n losses (Bates, Angelopoulos, Lei, Malik and Jordan
/// 2021).
fn hoeffding_bentkus_p_value(mean: f64, n: f64, limit: f64) -> f64 {
    if mean >= limit {
        return 1.0;
    }
    let relative_entropy = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    let divergence = relative_entropy(mean, limit) + relative_entropy(1.0 - mean, 1.0 - limit);
    let failures = (n * mean).ceil().min(n - 1.0);
    let bentkus = std::f64::consts::E * beta_cdf(1.0 - limit, n - failures, failures + 1.0);
    (-n * divergence).exp().min(bentkus)
}

/// A threshold that meets a goal, and its expected performance.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundThreshold {
    /// Threshold; rows with at least this score are predicted positive.
    pub at: f64,
    /// Expected performance on new rows.
    pub expected: ExpectedPerformance,
    /// Expected performance on a random row of a random new group, if the rows have groups.
    pub by_group: Option<ExpectedPerformance>,
}

/// Finds the threshold that meets a goal, and its expected performance.
///
/// If all scores lie in [0, 1], the threshold also lies in [0, 1]. For other scores, the threshold can be
/// infinite: it is minus infinity if all rows must be positive, and infinity if no row may be positive. A
/// goal for alerts per period of time needs `alert_rows`.
///
/// # Errors
/// [`Error::Data`] if no threshold meets the goal, if weights are given together with a guarantee, or if a
/// guarantee for a cost is requested for scores outside [0, 1]; [`Error::Unsupported`] for alerts per period
/// without times; otherwise as [`ThresholdSweep::new`].
pub fn find_threshold(
    goal: &ThresholdGoal,
    rows: &HeldOutRows<'_>,
    weights: Option<&[f64]>,
    alert_rows: Option<RowTimesAndGroups<'_>>,
) -> Result<FoundThreshold> {
    let HeldOutRows { truth, positive, scores, .. } = *rows;
    let sweep = ThresholdSweep::new(truth, positive, scores, weights)?;
    // A goal that limits alerts does not need both a positive and a negative row. It counts alerts on rows of
    // either class, and recent rows may have no labels yet.
    let is_budget = matches!(
        goal.aim,
        ThresholdTarget::AlertRate(_)
            | ThresholdTarget::Alerts { .. }
            | ThresholdTarget::AlertsPerPeriod { .. }
    );
    let one_class = sweep.positives() == 0.0 || sweep.negatives() == 0.0;
    if (one_class && !is_budget) || sweep.positives() + sweep.negatives() == 0.0 {
        return Err(Error::Data("choosing a threshold needs rows of both classes".into()));
    }
    let in_periods = match (&goal.aim, alert_rows) {
        (&ThresholdTarget::AlertsPerPeriod { most, length }, Some(rows)) => {
            Some((AlertRateEstimator::new(rows, length, (truth, positive), scores, weights)?, most))
        }
        _ => None,
    };
    let (lowest, highest) = rows.threshold_range();
    let at = match goal.guarantee {
        Some(_) if weights.is_some() => {
            return Err(Error::Data(
                "a guarantee counts rows and cannot be combined with sample_weight; omit one of them".into(),
            ));
        }
        Some(guarantee) => rows.threshold_for_target(&goal.aim, guarantee)?,
        None => match &in_periods {
            Some((alerts, most)) => sweep.threshold_for_period_alerts(alerts, *most, highest)?,
            None => sweep.threshold_for_target(&goal.aim, positive, highest)?,
        },
    };
    let at = at.clamp(lowest, highest);
    let (mut expected, by_group) = expected_performance(&sweep, &goal.aim, at, rows, weights);
    expected.alerts = in_periods.map(|(alerts, _)| alerts.estimate_alert_rate(at));
    Ok(FoundThreshold { at, expected, by_group })
}

/// Expected performance of the threshold `at`, computed on the held-out rows `rows`.
///
/// The second performance is that of a random row of a random group; it is `None` without groups.
///
/// # Errors
/// Same errors as [`ThresholdSweep::new`].
pub fn performance_at_threshold(
    aim: &ThresholdTarget,
    at: f64,
    rows: &HeldOutRows<'_>,
) -> Result<(ExpectedPerformance, Option<ExpectedPerformance>)> {
    let sweep = ThresholdSweep::new(rows.truth, rows.positive, rows.scores, None)?;
    Ok(expected_performance(&sweep, aim, at, rows, None))
}

/// Returns the largest rank k at which the threshold still guarantees the recall `least`.
///
/// The threshold is the k-th smallest score of n positive rows. `what` names these rows in error messages.
pub(crate) fn largest_rank_for_recall(
    (what, n): (&str, usize),
    least: f64,
    confidence: f64,
) -> Result<usize> {
    let holds = |k: usize| beta_cdf(1.0 - least, k as f64, n as f64 + 1.0 - k as f64) >= confidence;
    let found = (1..=n).take_while(|&k| holds(k)).last();
    let needed = ((1.0 - confidence).ln() / least.ln()).ceil();
    found.ok_or_else(|| too_few_rows_error(what, n, needed, confidence))
}

fn is_rate_of_one_class(aim: &ThresholdTarget) -> bool {
    matches!(aim, ThresholdTarget::Recall(_) | ThresholdTarget::Fpr(_))
}

pub(crate) fn rows_or_groups_name(of_groups: bool, what: &str) -> String {
    if of_groups { format!("groups with {what}") } else { what.into() }
}

/// Smallest number of alerts whose precision is tested, and how many must be correct.
fn min_alerts_to_prove_precision(least: f64, confidence: f64) -> (f64, f64) {
    let fewest = ((1.0 - confidence).ln() / least.ln()).ceil().max(1.0);
    let alerts = (fewest * STARTS[0]).ceil();
    let level = 1.0 - (1.0 - confidence) / STARTS.len() as f64;
    let mut correct = 1.0;
    while correct < alerts && !is_max_failure_rate_proved(alerts - correct, alerts, 1.0 - least, level) {
        correct += 1.0;
    }
    (alerts, correct)
}

fn too_few_rows_error(what: &str, n: usize, needed: f64, confidence: f64) -> Error {
    Error::Data(format!(
        "{n} {what} are held out, but a guarantee with confidence {confidence} requires at least {needed}; if the table has \
         many more than {needed}, hold out more rows (\"guarantee_rows\"), else lower the confidence or the target, or \
         collect more rows"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Costs, SeedKey};

    fn sure(confidence: f64) -> Guarantee {
        Guarantee { confidence, rows: 0.25, max_group_size: None }
    }

    #[test]
    fn order_statistics_are_the_known_ones() {
        // At confidence 95 %, 59 rows prove a recall of 95 %, but 58 rows do not, because 0.95^59 = 0.0485.
        let scores: Vec<f64> = (0..59).map(|at| f64::from(at) / 100.0).collect();
        let rows =
            |n: usize| HeldOutRows { truth: &[1; 59][..n], positive: 1, scores: &scores[..n], groups: None };
        assert_eq!(rows(59).threshold_for_target(&ThresholdTarget::Recall(0.95), sure(0.95)).unwrap(), 0.0);
        let refused = rows(58)
            .threshold_for_target(&ThresholdTarget::Recall(0.95), sure(0.95))
            .unwrap_err()
            .to_string();
        assert!(refused.contains("58 positive rows") && refused.contains("at least 59"), "{refused}");
        // If all rows with these scores are negative, the threshold must lie above the largest score.
        let negative = HeldOutRows { truth: &[0; 59], positive: 1, scores: &scores, groups: None };
        let at = negative.threshold_for_target(&ThresholdTarget::Fpr(0.05), sure(0.95)).unwrap();
        assert!(at > 0.58 && at < 1.0);
        let codes: Vec<u32> = (0..58).collect();
        let groups = HeldOutGroups { codes: &codes, key: SeedKey::root(0) };
        assert!(
            HeldOutRows { truth: &[0; 58], positive: 1, scores: &scores[..58], groups: Some(groups) }
                .threshold_for_target(&ThresholdTarget::Fpr(0.05), sure(0.95))
                .unwrap_err()
                .to_string()
                .contains("58 groups with negative rows are held out")
        );
    }

    #[test]
    fn budgets_need_no_labels() {
        let scores = [0.9, 0.8, 0.7, 0.6];
        let found = |goal: &str, truth: &[u32]| {
            let goal = ThresholdGoal::parse(goal).unwrap();
            find_threshold(
                &goal,
                &HeldOutRows { truth, positive: 1, scores: &scores, groups: None },
                None,
                None,
            )
        };
        for truth in [[0; 4], [1; 4]] {
            for goal in [r#"{"alert_rate": 0.5}"#, r#"{"alerts": 1, "per": 2}"#, r#"{"alerts": 2}"#] {
                assert_eq!(found(goal, &truth).unwrap().at, 0.75);
            }
            assert!(found(r#"{"recall": 0.5}"#, &truth).is_err());
        }
    }

    #[test]
    fn thresholds_have_the_scale_of_the_scores() {
        let truth: Vec<u32> = (0..400).map(|at| u32::from(at % 7 == 0 || at > 300)).collect();
        let find = |goal: &str, scores: &[f64]| {
            let rows = HeldOutRows { truth: &truth, positive: 1, scores, groups: None };
            find_threshold(&ThresholdGoal::parse(goal).unwrap(), &rows, None, None).map(|found| found.at)
        };
        let probabilities: Vec<f64> = (0..400).map(|at| f64::from(at) / 512.0).collect();
        let scores: Vec<f64> = probabilities.iter().map(|p| 64.0 * p - 8.0).collect();
        for goal in ["f1", r#"{"alerts": 50}"#, r#"{"fpr": 0.2, "guarantee": 0.9}"#] {
            assert_eq!(find(goal, &scores).unwrap(), 64.0 * find(goal, &probabilities).unwrap() - 8.0);
        }
        assert_eq!(find(r#"{"recall": 1}"#, &scores).unwrap(), f64::NEG_INFINITY);
        let refused = find(r#"{"cost": [[0, 1], [5, 0]], "at_most": 4, "guarantee": 0.9}"#, &scores);
        assert!(refused.unwrap_err().to_string().contains("score 0 is -8"));
    }

    #[test]
    fn precision_needs_enough_alerts() {
        let n = 400_u32;
        let scores: Vec<f64> = (0..n).map(|at| f64::from(n - at) / 500.0).collect();
        let truth: Vec<u32> = (0..n).map(|at| u32::from(at < 200)).collect();
        let rows = HeldOutRows { truth: &truth, positive: 1, scores: &scores, groups: None };
        let at = rows.threshold_for_target(&ThresholdTarget::Precision(0.8), sure(0.9)).unwrap();
        let alerts = scores.iter().filter(|&&score| score >= at).count();
        assert!((190..=250).contains(&alerts), "{alerts}");
        let few = HeldOutRows { truth: &truth[..12], positive: 1, scores: &scores[..12], groups: None };
        assert!(few.threshold_for_target(&ThresholdTarget::Precision(0.8), sure(0.9)).is_err());
    }

    #[test]
    fn costs_are_proved_to_be_small_or_refused() {
        let scores: Vec<f64> = (0..1000).map(|at| if at < 100 { 0.9 } else { 0.05 }).collect();
        let truth: Vec<u32> = (0..1000).map(|at| u32::from(at < 100)).collect();
        let rows = HeldOutRows { truth: &truth, positive: 1, scores: &scores, groups: None };
        let costs = Costs::new(vec![0.0, 1.0, 10.0, 0.0], 2).unwrap();
        let aim = |most| ThresholdTarget::Cost { costs: costs.clone(), at_most: Some(most) };
        let at = rows.threshold_for_target(&aim(0.2), sure(0.95)).unwrap();
        assert!(at > 0.05 && at <= 0.9);
        assert!(rows.threshold_for_target(&aim(0.001), sure(0.95)).is_err());
    }
}

//! Thresholds that meet a target on rows of new groups, from one value per group.
//!
//! Different groups are independent, but rows of the same group are not. The loss of a row lies in [0, 1],
//! for example 1 for a missed positive. A target can limit one of two means:
//! - The mean loss of a random row of a random group. The value of a group is the limit minus the mean loss
//!   of the rows of the group.
//! - The mean loss of all rows together, if groups have at most `b` rows. The value of a group is the sum of
//!   (limit - loss) over its rows, divided by `b`.
//!
//! The target is tested by betting against the hypothesis that the mean loss exceeds the limit. Every group
//! multiplies the capital of a bet by `1 + bet * value`. If the hypothesis is true, the mean capital of bets
//! chosen in advance exceeds `1 / level` with probability at most `level` (Waudby-Smith and Ramdas 2024,
//! diversified Kelly betting). The order of the groups has no effect, and the capital falls if a loss grows.
//!
//! Rates such as recall are monotone in the threshold. For them, the loosest threshold that passes the test
//! needs no correction for the number of thresholds (Bates, Angelopoulos, Lei, Malik and Jordan 2021).
//!
//! Precision and cost are not monotone. For them, a part of the groups, the pilot groups, determines an order
//! of the thresholds. The other groups test the thresholds in this order until one fails (split
//! fixed-sequence testing: Angelopoulos, Bates, Candes, Jordan and Lei 2021).

use crate::goal::{alert_budget_to_fraction, unmet_target_error};
use crate::held_out_rows::{HeldOutGroups, HeldOutRows};
use crate::stratified_folds::stratified_split;
use crate::threshold::midpoint_between;
use imbcore_core::{Error, Result, RowGroups, ThresholdTarget, tags};

/// Fraction of the held-out groups that are pilot groups.
///
/// For a precision or a cost, the pilot groups determine the order in which the other groups test thresholds.
const PILOT: f64 = 0.2;
/// Ratio of the numbers of alerts at a candidate threshold and at the next higher candidate.
///
/// Alerts are counted in the pilot groups. Candidates are needed only for a precision or a cost.
const GROWTH: f64 = 1.1;
const MOST_BETS: i32 = 64;

pub(crate) struct GroupThresholdFinder<'a> {
    rows: &'a HeldOutRows<'a>,
    groups: HeldOutGroups<'a>,
    aim: &'a ThresholdTarget,
    members: RowGroups,
    limit: f64,
    /// Maximum size of a group, for a limit on the mean loss of all rows together; else `None`.
    largest: Option<f64>,
    confidence: f64,
    /// Maximum probability that the returned threshold misses the target.
    level: f64,
}

impl<'a> GroupThresholdFinder<'a> {
    pub(crate) fn new(
        rows: &'a HeldOutRows<'a>,
        groups: HeldOutGroups<'a>,
        aim: &'a ThresholdTarget,
        confidence: f64,
        largest: Option<f64>,
    ) -> Result<Self> {
        let members = RowGroups::new(groups.codes.iter().copied());
        if let Some(largest) = largest {
            check_group_sizes(&members, largest)?;
        }
        let limit = match aim {
            ThresholdTarget::Recall(least) | ThresholdTarget::Precision(least) => 1.0 - least,
            ThresholdTarget::Fpr(limit) | ThresholdTarget::AlertRate(limit) => *limit,
            ThresholdTarget::Alerts { most, per } => {
                alert_budget_to_fraction(*most, *per, rows.truth.len() as f64)?
            }
            ThresholdTarget::Cost { costs, at_most } => {
                at_most.unwrap_or(f64::INFINITY) / costs.cells().iter().copied().fold(0.0, f64::max)
            }
            ThresholdTarget::Best(_) | ThresholdTarget::AlertsPerPeriod { .. } => f64::INFINITY,
        };
        Ok(Self { rows, groups, aim, members, limit, largest, confidence, level: 1.0 - confidence })
    }

    pub(crate) fn find_guaranteed_threshold(&self) -> Result<f64> {
        let every: Vec<usize> = (0..self.members.n_groups()).collect();
        let scores = self.rows.scores;
        match self.aim {
            ThresholdTarget::Recall(_) => {
                let positives = self.rows.sorted_scores(|class| class == self.rows.positive);
                let found = positives.partition_point(|&least| {
                    self.is_loss_proved(&self.group_gains(&every, |row| scores[row] >= least))
                });
                found
                    .checked_sub(1)
                    .map(|last| positives[last])
                    .ok_or_else(|| self.too_few_groups_error(&every))
            }
            ThresholdTarget::Precision(_) | ThresholdTarget::Cost { .. } => {
                self.find_threshold_by_pilot_groups()
            }
            _ => {
                let counted = |class| self.row_loss(class, true).is_some();
                let sorted = self.rows.sorted_scores(counted);
                let first = sorted.partition_point(|&beyond| {
                    !self.is_loss_proved(&self.group_gains(&every, |row| scores[row] > beyond))
                });
                let beyond = sorted.get(first).ok_or_else(|| self.too_few_groups_error(&every))?;
                self.rows.threshold_above_score(*beyond, self.limit)
            }
        }
    }

    /// Returns an error if even perfect scores could not prove the target on the held-out groups.
    pub(crate) fn check_enough_groups(&self) -> Result<()> {
        let every: Vec<usize> = (0..self.members.n_groups()).collect();
        let groups = if self.is_loss_monotone() { every } else { self.split_off_pilot_groups()?.1 };
        let gains = self.ideal_group_gains(&groups);
        if self.limit >= 1.0 || self.is_loss_proved(&gains) {
            return Ok(());
        }
        if matches!(self.aim, ThresholdTarget::Cost { .. }) && gains.iter().sum::<f64>() <= 0.0 {
            return Err(unmet_target_error("costs so little: correct predictions have costs, too"));
        }
        Err(self.too_few_groups_error(&groups))
    }

    fn is_loss_monotone(&self) -> bool {
        !matches!(self.aim, ThresholdTarget::Precision(_) | ThresholdTarget::Cost { .. })
    }

    /// Loss of a row of class `class`; `None` if the target does not depend on such a row.
    fn row_loss(&self, class: u32, alert: bool) -> Option<f64> {
        let is_positive = class == self.rows.positive;
        match self.aim {
            ThresholdTarget::Recall(_) => is_positive.then(|| f64::from(!alert)),
            ThresholdTarget::Fpr(_) => (!is_positive).then(|| f64::from(alert)),
            ThresholdTarget::Precision(_) => alert.then(|| f64::from(!is_positive)),
            ThresholdTarget::Cost { costs, .. } => {
                let predicted = if alert { self.rows.positive } else { 1 - self.rows.positive };
                let largest = costs.cells().iter().copied().fold(0.0, f64::max);
                Some(costs.cells()[class as usize * 2 + predicted as usize] / largest)
            }
            _ => Some(f64::from(alert)),
        }
    }

    /// Value of each group that has a row on which the target depends; see the module docs.
    fn group_gains(&self, groups: &[usize], is_alert: impl Fn(usize) -> bool) -> Vec<f64> {
        let of_group = |&group: &usize| {
            let rows = self.members.rows(group);
            let mut sum = None;
            for &row in rows {
                let row = row as usize;
                if let Some(loss) = self.row_loss(self.rows.truth[row], is_alert(row)) {
                    *sum.get_or_insert(0.0) += self.limit - loss;
                }
            }
            sum.map(|sum: f64| sum / self.largest.unwrap_or(rows.len() as f64))
        };
        groups.iter().filter_map(of_group).collect()
    }

    /// Values of the groups if the predictions of all rows were perfect.
    fn ideal_group_gains(&self, groups: &[usize]) -> Vec<f64> {
        let is_positive = |row: usize| self.rows.truth[row] == self.rows.positive;
        match self.aim {
            ThresholdTarget::AlertRate(_) | ThresholdTarget::Alerts { .. } => {
                self.group_gains(groups, |_| false)
            }
            _ => self.group_gains(groups, is_positive),
        }
    }

    /// Whether the values of the groups prove that the mean loss is at most the limit.
    ///
    /// If the mean loss exceeds the limit, the result is true with probability at most `level`.
    fn is_loss_proved(&self, gains: &[f64]) -> bool {
        log_mean_capital(gains, gains.len(), self.limit, self.level) >= -self.level.ln()
    }

    /// Randomly splits off the pilot groups, stratified by whether a group has a positive row.
    fn split_off_pilot_groups(&self) -> Result<(Vec<usize>, Vec<usize>)> {
        let n_groups = self.members.n_groups();
        let strata: Vec<u32> = (0..n_groups).map(|group| u32::from(self.has_positive(group))).collect();
        let drawn = stratified_split(&strata, PILOT, self.groups.key.child(tags::folds::GROUPS, 1))?;
        let mut is_pilot = vec![false; n_groups];
        for group in drawn {
            is_pilot[group as usize] = true;
        }
        Ok((0..n_groups).partition(|&group| is_pilot[group]))
    }

    fn has_positive(&self, group: usize) -> bool {
        self.members.rows(group).iter().any(|&row| self.rows.truth[row as usize] == self.rows.positive)
    }

    /// Returns the threshold for a precision or a cost.
    ///
    /// The pilot groups determine candidate thresholds and their order; the other groups test them.
    fn find_threshold_by_pilot_groups(&self) -> Result<f64> {
        let (pilot, others) = self.split_off_pilot_groups()?;
        let scores = self.rows.scores;
        let tried = self.candidate_thresholds(&pilot);
        let of_pilot = |at: f64| self.group_gains(&pilot, |row| scores[row] >= at);
        let holds = |at: f64| {
            self.limit >= 1.0 || self.is_loss_proved(&self.group_gains(&others, |row| scores[row] >= at))
        };
        let is_cost = matches!(self.aim, ThresholdTarget::Cost { .. });
        let merit = |gains: &[f64]| {
            let sum: f64 = gains.iter().sum();
            // Tests start at the threshold with the largest merit in the pilot groups. For a cost, the merit
            // is the sum of the group values, which is largest at the cheapest threshold. For a precision,
            // the sum is divided by the root of the sum of the squared group values.
            let scale = if is_cost { 1.0 } else { gains.iter().map(|gain| gain * gain).sum::<f64>().sqrt() };
            if scale > 0.0 { sum / scale } else { 0.0 }
        };
        let mut first: Option<(usize, f64)> = None;
        for (at, &threshold) in tried.iter().enumerate() {
            let found = merit(&of_pilot(threshold));
            if first.is_none_or(|(_, best)| found > best) {
                first = Some((at, found));
            }
        }
        let proved = first.map_or(&tried[..0], |(first, _)| &tried[first..]).iter().copied();
        let mut proved = proved.take_while(|&at| holds(at));
        let chosen = if is_cost { proved.next() } else { proved.last() };
        chosen.ok_or_else(|| {
            let (what, limit) = match self.aim {
                ThresholdTarget::Cost { at_most, .. } => ("costs at most", at_most.unwrap_or_default()),
                ThresholdTarget::Precision(least) => ("has a precision of at least", *least),
                _ => ("keeps the loss at most", self.limit),
            };
            let confidence = self.confidence;
            unmet_target_error(&format!(
                "{what} {limit} with confidence {confidence} on the {} groups held out",
                self.members.n_groups()
            ))
        })
    }

    /// Candidate thresholds, in descending order, from the scores of the rows in some groups.
    fn candidate_thresholds(&self, groups: &[usize]) -> Vec<f64> {
        let rows = groups.iter().flat_map(|&group| self.members.rows(group));
        let mut scores: Vec<f64> = rows.map(|&row| self.rows.scores[row as usize]).collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        let (_, highest) = self.rows.threshold_range();
        let mut found = match scores.first() {
            Some(&largest) if largest < highest => vec![f64::midpoint(largest, highest)],
            _ => Vec::new(),
        };
        let mut wanted = 1.0;
        for (at, &score) in scores.iter().enumerate() {
            let next = scores.get(at + 1).copied();
            if next != Some(score) && at as f64 + 1.0 >= wanted {
                found.push(next.map_or(score, |next| midpoint_between(next, score)));
                wanted = (wanted * GROWTH).max(at as f64 + 2.0);
            }
        }
        found
    }

    /// Error with the number of groups that the target needs, if future groups are like `groups`.
    fn too_few_groups_error(&self, groups: &[usize]) -> Error {
        let only_positive = matches!(self.aim, ThresholdTarget::Recall(_) | ThresholdTarget::Precision(_));
        let what = match self.aim {
            ThresholdTarget::Fpr(_) => "groups with negative rows",
            _ if only_positive => "groups with positive rows",
            _ => "groups",
        };
        let gains = self.ideal_group_gains(groups);
        let held_out = (0..self.members.n_groups()).filter(|&group| match self.aim {
            ThresholdTarget::Fpr(_) => self
                .members
                .rows(group)
                .iter()
                .any(|&row| self.rows.truth[row as usize] != self.rows.positive),
            _ => !only_positive || self.has_positive(group),
        });
        let n = held_out.count();
        // If no group is tested, the required number is computed for groups with the largest possible value.
        let gains = if gains.is_empty() { vec![self.limit] } else { gains };
        let tested = n_required_groups(&gains, self.limit, self.level);
        let needed = if self.is_loss_monotone() { tested } else { (tested / (1.0 - PILOT)).ceil() };
        Error::Data(format!(
            "{n} {what} are held out, but a guarantee with confidence {} requires at least {needed}; if the table has \
             many more than {needed}, hold out more rows (\"guarantee_rows\"), else lower the confidence or the target, or \
             collect more rows",
            self.confidence
        ))
    }
}

/// Rejects groups with more than `largest` rows, the maximum that the user gave.
///
/// # Errors
/// [`Error::Data`] with the size of the largest group.
pub fn check_group_sizes(members: &RowGroups, largest: f64) -> Result<()> {
    let rows = (0..members.n_groups()).map(|group| members.rows(group).len()).max().unwrap_or(0);
    if rows as f64 <= largest {
        return Ok(());
    }
    Err(Error::Data(format!(
        "a group has {rows} rows, but threshold[\"max_group_size\"] is {largest}; set it to the largest number of rows that a \
         new group can have"
    )))
}

/// Candidate bets: the largest bet that keeps the capital nonnegative, half of it, and so on.
///
/// Halving ends at the first bet that is at most as large as the best bet for `n` groups whose values have
/// the largest possible variance.
fn candidate_bets(n: usize, limit: f64, level: f64) -> impl Iterator<Item = f64> {
    let best = (-2.0 * level.ln() / (n.max(1) as f64 * limit * (1.0 - limit))).sqrt();
    let mut previous = f64::INFINITY;
    (0..MOST_BETS).map(move |halvings| 0.5_f64.powi(halvings) / (1.0 - limit)).take_while(move |&bet| {
        let is_needed = previous > best;
        previous = bet;
        is_needed
    })
}

/// Logarithm of the mean capital over all bets after `n` groups with values like `gains`.
fn log_mean_capital(gains: &[f64], n: usize, limit: f64, level: f64) -> f64 {
    let repeated = n as f64 / gains.len().max(1) as f64;
    let logs: Vec<f64> =
        candidate_bets(n, limit, level).map(|bet| repeated * log_capital_of_bet(gains, bet)).collect();
    log_mean_exp(&logs)
}

fn log_capital_of_bet(gains: &[f64], bet: f64) -> f64 {
    gains.iter().map(|gain| (bet * gain).max(-1.0).ln_1p()).sum()
}

/// Logarithm of the mean of positive numbers, computed from their logarithms.
fn log_mean_exp(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
    largest + (sum / logs.len() as f64).ln()
}

/// Smallest number of groups with values like `gains` that proves a target; may be infinite.
fn n_required_groups(gains: &[f64], limit: f64, level: f64) -> f64 {
    let growth: Vec<f64> = (0..MOST_BETS)
        .map(|halvings| {
            log_capital_of_bet(gains, 0.5_f64.powi(halvings) / (1.0 - limit)) / gains.len() as f64
        })
        .collect();
    let is_enough = |n: usize| {
        let n_bets = candidate_bets(n, limit, level).count();
        let logs: Vec<f64> = growth[..n_bets].iter().map(|log| n as f64 * log).collect();
        log_mean_exp(&logs) >= -level.ln()
    };
    let mut high = 1_usize;
    while !is_enough(high) {
        if high > 1 << 40 {
            return f64::INFINITY;
        }
        high *= 2;
    }
    let mut low = high / 2;
    // Bisection. Invariant: `low` groups are too few, and `high` groups are enough.
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        *(if is_enough(middle) { &mut high } else { &mut low }) = middle;
    }
    high as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_groups_prove_as_much_as_an_order_statistic() {
        // At confidence 95 %, 59 groups without an alert prove a rate of at most 5 %, but 58 groups do not,
        // because 0.95^59 = 0.0485.
        for (n, proved) in [(59, true), (58, false)] {
            assert_eq!(log_mean_capital(&vec![0.05; n], n, 0.05, 0.05) >= 20_f64.ln(), proved, "{n}");
        }
        assert_eq!(n_required_groups(&[0.05], 0.05, 0.05), 59.0);
        assert_eq!(n_required_groups(&[-0.1], 0.05, 0.05), f64::INFINITY);
    }

    #[test]
    fn a_wrong_proof_is_rare() {
        // The true alert rate equals the limit. The probability of passing the test is summed exactly over
        // the possible numbers of groups with an alert.
        for (n, limit) in [(100_usize, 0.1_f64), (400, 0.02), (60, 0.5), (30, 0.9)] {
            let mut wrong = 0.0;
            let mut probability = (n as f64 * (-limit).ln_1p()).exp();
            for alerts in 0..=n {
                let gains: Vec<f64> =
                    (0..n).map(|group| if group < alerts { limit - 1.0 } else { limit }).collect();
                if log_mean_capital(&gains, n, limit, 0.05) >= 20_f64.ln() {
                    wrong += probability;
                }
                probability *= (n - alerts) as f64 / (alerts + 1) as f64 * limit / (1.0 - limit);
            }
            assert!(wrong <= 0.05 && wrong > 0.0, "{n} {limit} {wrong}");
        }
    }

    #[test]
    fn equal_rows_of_a_group_count_once_and_different_rows_more() {
        let gains = |alerts: &[f64]| -> Vec<f64> { alerts.iter().map(|rate| 0.1 - rate).collect() };
        // Of 100 groups, either every 20th has alerts on all rows, or each has an alert on every 20th row.
        // The alert rate is 5 % in both cases.
        let whole: Vec<f64> = (0..100).map(|group| f64::from(u8::from(group % 20 == 0))).collect();
        let spread = vec![0.05; 100];
        let capital = |alerts: &[f64]| log_mean_capital(&gains(alerts), 100, 0.1, 0.05);
        assert!(capital(&spread) > 4.5 && capital(&whole) < 1.5, "{} {}", capital(&spread), capital(&whole));
    }
}

//! Expected performance of a threshold on rows of groups, with intervals by group.
//!
//! Every measure, such as recall, is a ratio of two sums over groups. Its variance is computed by
//! linearization, with groups as independent units (Cochran 1977, section 6.3). The effective number of rows
//! is the number of independent rows that would give this variance. The interval is the exact interval of
//! Clopper and Pearson for the effective number of rows (Korn and Graubard 1998). Korn and Graubard correct
//! this number by a factor that depends on degrees of freedom. Here, the degrees of freedom are the effective
//! number of groups with rows of the rarer outcome.

use crate::argument_checks;
use crate::goal::{ExpectedPerformance, ProportionEstimate, estimate_proportion};
use crate::held_out_rows::HeldOutRows;
use crate::tails::{normal_quantile, t_quantile};
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::{RowGroups, ThresholdTarget};

const UPPER: f64 = 0.975;

#[derive(Clone, Copy, Debug, Default)]
struct GroupRatioSums {
    /// Numerator of the measure: for recall, the weight of the true positives.
    part: f64,
    /// Denominator of the measure: for recall, the weight of the positive rows.
    whole: f64,
    /// Sum of the squared weights of the rows that count in the denominator.
    squares: f64,
}

impl GroupRatioSums {
    fn add_weighted_value(&mut self, weight: f64, value: f64) {
        self.part += weight * value;
        self.whole += weight;
        self.squares += weight * weight;
    }

    fn divide_weights(self, by: f64) -> Self {
        Self { part: self.part / by, whole: self.whole / by, squares: self.squares / (by * by) }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct GroupMeasureSums {
    recall: GroupRatioSums,
    precision: GroupRatioSums,
    fpr: GroupRatioSums,
    alert_rate: GroupRatioSums,
    cost: GroupRatioSums,
}

/// Expected performance on a random new row, and on a random row of a random new group.
///
/// The second performance is `None` unless the rows have groups.
pub(crate) fn expected_performance(
    sweep: &ThresholdSweep,
    aim: &ThresholdTarget,
    at: f64,
    rows: &HeldOutRows<'_>,
    weights: Option<&[f64]>,
) -> (ExpectedPerformance, Option<ExpectedPerformance>) {
    let costs = match aim {
        ThresholdTarget::Cost { costs, .. } => Some((costs, rows.positive)),
        _ => None,
    };
    let n = rows.truth.len();
    let effective = argument_checks::effective_sample_size(
        (0..n).map(|row| argument_checks::weight_or_one(weights, row)),
    );
    let mut expected = sweep.expected_performance(at, effective, costs);
    let largest = costs.map_or(1.0, |(costs, _)| costs.cells().iter().copied().fold(0.0, f64::max));
    let outcomes = |members: &[u32]| {
        let mut found = GroupMeasureSums::default();
        for &row in members {
            let (row, mut weight) = (row as usize, argument_checks::weight_or_one(weights, row as usize));
            let (is_positive, alert) = (rows.truth[row] == rows.positive, rows.scores[row] >= at);
            if weight <= 0.0 {
                weight = 0.0;
            }
            let of_class = if is_positive { &mut found.recall } else { &mut found.fpr };
            of_class.add_weighted_value(weight, f64::from(alert));
            if alert {
                found.precision.add_weighted_value(weight, f64::from(is_positive));
            }
            found.alert_rate.add_weighted_value(weight, f64::from(alert));
            if let Some((costs, positive)) = costs {
                let predicted = if alert { positive } else { 1 - positive };
                let cost = costs.cells()[rows.truth[row] as usize * 2 + predicted as usize];
                found.cost.add_weighted_value(weight, if largest > 0.0 { cost / largest } else { 0.0 });
            }
        }
        found
    };
    let Some(groups) = rows.groups else {
        if costs.is_some() {
            let of_rows = (0..n as u32).map(|row| outcomes(&[row]).cost).collect();
            expected.cost_interval = Some(mean_cost_interval(of_rows, largest));
        }
        return (expected, None);
    };
    let members = RowGroups::new(groups.codes.iter().copied());
    let by_group: Vec<GroupMeasureSums> =
        (0..members.n_groups()).map(|group| outcomes(members.rows(group))).collect();
    let per_row = performance_from_group_sums(&by_group, costs.map(|_| largest));
    expected = ExpectedPerformance { cost: expected.cost, ..per_row };
    let weighted: Vec<GroupMeasureSums> = by_group
        .iter()
        .filter(|group| group.alert_rate.whole > 0.0)
        .map(|group| {
            let rows = group.alert_rate.whole;
            let of_class =
                |sums: GroupRatioSums| if sums.whole > 0.0 { sums.divide_weights(sums.whole) } else { sums };
            GroupMeasureSums {
                recall: of_class(group.recall),
                fpr: of_class(group.fpr),
                precision: group.precision.divide_weights(rows),
                alert_rate: group.alert_rate.divide_weights(rows),
                cost: group.cost.divide_weights(rows),
            }
        })
        .collect();
    (expected, Some(performance_from_group_sums(&weighted, costs.map(|_| largest))))
}

fn performance_from_group_sums(groups: &[GroupMeasureSums], largest: Option<f64>) -> ExpectedPerformance {
    let of = |sums: fn(&GroupMeasureSums) -> GroupRatioSums| -> Vec<GroupRatioSums> {
        groups.iter().map(sums).collect()
    };
    let alerts = of(|group| group.precision);
    let costs = of(|group| group.cost);
    let ratio = |of: &[GroupRatioSums]| {
        of.iter().map(|one| one.part).sum::<f64>() / of.iter().map(|one| one.whole).sum::<f64>()
    };
    ExpectedPerformance {
        recall: estimate_row_proportion(of(|group| group.recall)),
        fpr: estimate_row_proportion(of(|group| group.fpr)),
        alert_rate: estimate_row_proportion(of(|group| group.alert_rate)),
        precision: alerts.iter().any(|one| one.whole > 0.0).then(|| estimate_row_proportion(alerts)),
        cost: largest.map(|largest| ratio(&costs) * largest),
        cost_interval: largest.map(|largest| mean_cost_interval(costs, largest)),
        alerts: None,
    }
}

/// Interval of the mean cost; `groups` has the costs divided by `largest`, the largest cost.
fn mean_cost_interval(groups: Vec<GroupRatioSums>, largest: f64) -> [f64; 2] {
    let found = estimate_bounded_mean(groups, f64::INFINITY);
    [found.low * largest, found.high * largest]
}

fn estimate_row_proportion(groups: Vec<GroupRatioSums>) -> ProportionEstimate {
    let (whole, squares) =
        groups.iter().fold((0.0, 0.0), |(whole, squares), one| (whole + one.whole, squares + one.squares));
    // The effective number of rows is at most that of independent rows with these weights. The reason is that
    // rows of one group are assumed not to be negatively correlated.
    estimate_bounded_mean(groups, whole * whole / squares)
}

/// Mean of values in [0, 1], with its interval for at most `most` effective rows.
fn estimate_bounded_mean(mut groups: Vec<GroupRatioSums>, most: f64) -> ProportionEstimate {
    groups.retain(|one| one.whole > 0.0);
    let sum = |of: &dyn Fn(&GroupRatioSums) -> f64| groups.iter().map(of).sum::<f64>();
    // Effective number of groups, where `of` computes the weight of a group.
    let effective = |of: &dyn Fn(&GroupRatioSums) -> f64| sum(of).powi(2) / sum(&|one| of(one).powi(2));
    let (n, whole) = (groups.len() as f64, sum(&|one| one.whole));
    let value = sum(&|one| one.part) / whole;
    let n_groups = effective(&|one| one.whole);
    let variance = n / (n - 1.0) * sum(&|one| (one.part - value * one.whole).powi(2)) / (whole * whole);
    let rows = if n < 2.0 || value <= 0.0 || value >= 1.0 {
        n_groups
    } else {
        let found = (value * (1.0 - value) / variance).min(most);
        let rarer = effective(&|one| one.part).min(effective(&|one| (one.whole - one.part).max(0.0)));
        let freedom = rarer.min(n - 1.0).max(1.0);
        let factor = normal_quantile(UPPER) / t_quantile(UPPER, freedom);
        // The correction does not lower the effective number of rows below that of the groups, because at
        // worst all rows of a group are copies of one row.
        (found * factor * factor).max(found.min(n_groups))
    };
    if !rows.is_finite() {
        return ProportionEstimate { value, low: value, high: value };
    }
    ProportionEstimate { value, ..estimate_proportion(value * rows, rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(rates: &[f64], rows: f64) -> Vec<GroupRatioSums> {
        rates.iter().map(|rate| GroupRatioSums { part: rate * rows, whole: rows, squares: rows }).collect()
    }

    #[test]
    fn copies_of_rows_add_nothing_and_independent_rows_do() {
        let rates: Vec<f64> = (0..100).map(|group| f64::from(u8::from(group % 2 == 0))).collect();
        let width = |rates: &[f64], rows| {
            let found = estimate_row_proportion(groups(rates, rows));
            assert_eq!(found.value, 0.5);
            found.high - found.low
        };
        let one = width(&rates, 1.0);
        assert!((width(&rates, 10.0) - one).abs() < 1e-12);
        let exact = estimate_proportion(50.0, 100.0);
        assert!((one / (exact.high - exact.low) - 1.0).abs() < 0.02);
        // With ten independent rows per group, the variance is a tenth of that with one row per group.
        let spread: Vec<f64> = rates.iter().map(|rate| 0.5 + (rate - 0.5) / 10_f64.sqrt()).collect();
        assert!((width(&spread, 10.0) / one - 0.1_f64.sqrt()).abs() < 0.02);
    }

    #[test]
    fn extreme_proportions_count_groups() {
        assert_eq!(
            estimate_row_proportion(groups(&[1.0; 30], 100.0)).low,
            estimate_proportion(30.0, 30.0).low
        );
        assert_eq!(
            estimate_row_proportion(groups(&[0.0; 30], 100.0)).high,
            estimate_proportion(0.0, 30.0).high
        );
        let single = estimate_row_proportion(groups(&[0.5], 100.0));
        assert!(single.low < 0.02 && single.high > 0.98, "{single:?}");
    }

    #[test]
    fn intervals_of_costs_use_their_variance() {
        let few: Vec<f64> = (0..1000).map(|row| if row % 100 == 0 { 1.0 } else { 0.0 }).collect();
        let all = vec![0.01; 1000];
        let [low, high] = mean_cost_interval(groups(&few, 1.0), 20.0);
        assert!(low > 0.05 && low < 0.2 && high > 0.2 && high < 0.5, "{low} {high}");
        let [low, high] = mean_cost_interval(groups(&all, 1.0), 20.0);
        assert!(high - low < 1e-6 && (low - 0.2).abs() < 1e-6, "{low} {high}");
    }
}

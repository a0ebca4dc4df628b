//! Alerts per period of time.
//!
//! Periods begin at the multiples of their length. A row causes an alert if it is predicted positive. If rows
//! have groups, all alerts of a group in the same period count as one alert.

use crate::argument_checks;
use crate::tails::t_quantile;
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const LEVEL: f64 = 0.95;

/// Times and groups of all rows of a table, and indices of the rows that have predictions.
#[derive(Clone, Copy, Debug)]
pub struct RowTimesAndGroups<'a> {
    /// Times of all rows.
    pub times: &'a [f64],
    /// Group of each row; all alerts of a group in one period count as one alert.
    ///
    /// If rows have no groups, every alert counts.
    pub groups: Option<&'a [u32]>,
    /// Indices of the rows that have predictions, in the order of the predictions.
    ///
    /// A period is ignored if one of its rows has no prediction, or if the times of all rows begin or end
    /// within it.
    pub predicted: &'a [u32],
}

/// Expected alerts per period, and their precision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertEstimate {
    /// Mean number of alerts per period.
    pub value: f64,
    /// Lower end of the 95 % interval of the mean number of alerts per period.
    ///
    /// Periods are assumed to be independent. `None` with a single period.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval of the mean number of alerts per period.
    pub high: Option<f64>,
    /// Fraction of the alerts that are correct; `None` without alerts.
    pub precision: Option<f64>,
    /// Number of periods.
    pub n_periods: usize,
}

/// Unit that causes at most one alert: a row or, if rows have groups, a group in one period.
#[derive(Clone, Copy, Debug)]
struct AlertUnit {
    period: u32,
    /// Largest score of the rows in this unit.
    score: f64,
    weight: f64,
    /// Whether a row of the unit is positive, so that an alert for the unit is correct.
    is_positive: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct AlertRateEstimator {
    /// Units by descending score.
    units: Vec<AlertUnit>,
    /// `sums[i]` is the total weight of the `i` units with the largest scores.
    sums: Vec<f64>,
    n_periods: usize,
}

impl AlertRateEstimator {
    /// Collects the units (rows or groups) of the complete periods (see [`complete_periods`]).
    ///
    /// Without groups, a unit counts with the weight of its row. A group counts as 1. Rows of weight 0
    /// cause no alerts.
    pub(crate) fn new(
        rows: RowTimesAndGroups<'_>,
        length: f64,
        (truth, positive): (&[u32], u32),
        scores: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        argument_checks::check_length("the predicted rows", rows.predicted.len(), scores.len())?;
        let period_of = |row: usize| period_number(rows.times[row], length);
        let numbers = complete_periods(rows.times, rows.predicted, length);
        if numbers.is_empty() {
            return Err(Error::Data(
                "no period has held-out predictions for all of its rows, so alerts per period cannot be counted; \
                 use a shorter period in threshold[\"per\"], rows of a longer time, or fewer folds of an evaluation"
                    .into(),
            ));
        }
        let mut known: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        let mut units: Vec<AlertUnit> = Vec::new();
        for (place, &row) in rows.predicted.iter().enumerate() {
            let Ok(period) = numbers.binary_search_by(|number| number.total_cmp(&period_of(row as usize)))
            else {
                continue;
            };
            let weight = argument_checks::weight_or_one(weights, place);
            if weight <= 0.0 {
                continue;
            }
            let (period, score, is_positive) = (period as u32, scores[place], truth[place] == positive);
            let unit = AlertUnit { period, score, weight, is_positive };
            let Some(groups) = rows.groups else {
                units.push(unit);
                continue;
            };
            let at = *known.entry((period, groups[row as usize])).or_insert(units.len());
            if at == units.len() {
                units.push(AlertUnit { weight: 1.0, ..unit });
            } else {
                units[at].score = units[at].score.max(score);
                units[at].is_positive |= is_positive;
            }
        }
        units.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut sum = 0.0;
        let sums = std::iter::once(0.0)
            .chain(units.iter().map(|unit| {
                sum += unit.weight;
                sum
            }))
            .collect();
        Ok(Self { units, sums, n_periods: numbers.len() })
    }

    fn n_alerts(&self, threshold: f64) -> usize {
        self.units.partition_point(|unit| unit.score >= threshold)
    }

    pub(crate) fn mean_alerts_per_period(&self, threshold: f64) -> f64 {
        self.sums[self.n_alerts(threshold)] / self.n_periods as f64
    }

    pub(crate) fn estimate_alert_rate(&self, threshold: f64) -> AlertEstimate {
        let alerts = &self.units[..self.n_alerts(threshold)];
        let mut counts = vec![0.0; self.n_periods];
        let mut correct = 0.0;
        for unit in alerts {
            counts[unit.period as usize] += unit.weight;
            correct += if unit.is_positive { unit.weight } else { 0.0 };
        }
        let n = self.n_periods as f64;
        let (total, value) = (self.sums[alerts.len()], self.mean_alerts_per_period(threshold));
        let half = (self.n_periods > 1).then(|| {
            let variance = counts.iter().map(|count| (count - value).powi(2)).sum::<f64>() / (n - 1.0);
            t_quantile(f64::midpoint(1.0, LEVEL), n - 1.0) * (variance / n).sqrt()
        });
        AlertEstimate {
            value,
            low: half.map(|half| (value - half).max(0.0)),
            high: half.map(|half| value + half),
            precision: (total > 0.0).then(|| correct / total),
            n_periods: self.n_periods,
        }
    }
}

/// Number of the period of a time.
///
/// If rounding moves a time slightly below the start of a period, it still belongs to this period.
fn period_number(time: f64, length: f64) -> f64 {
    let quotient = time / length;
    let nearest = quotient.round();
    if (quotient - nearest).abs() <= 1e-9 { nearest + 0.0 } else { quotient.floor() + 0.0 }
}

/// Number of complete periods (see [`complete_periods`]).
pub(crate) fn n_complete_periods(times: &[f64], predicted: &[u32], length: f64) -> usize {
    complete_periods(times, predicted, length).len()
}

/// Returns the ascending numbers of the periods in which all rows have predictions.
///
/// The first and the last period of the table are left out if the times do not cover them, unless no other
/// period remains.
fn complete_periods(times: &[f64], predicted: &[u32], length: f64) -> Vec<f64> {
    let mut missing: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
    for &time in times {
        missing.entry(period_number(time, length).to_bits()).or_default().0 += 1;
    }
    for &row in predicted {
        missing.entry(period_number(times[row as usize], length).to_bits()).or_default().1 += 1;
    }
    let mut numbers: Vec<f64> = missing
        .iter()
        .filter(|(_, (all, predicted))| predicted == all)
        .map(|(&period, _)| f64::from_bits(period))
        .collect();
    numbers.sort_by(f64::total_cmp);
    let uncovered = uncovered_ends(times, length);
    if numbers.iter().any(|number| !uncovered.contains(&Some(*number))) {
        numbers.retain(|number| !uncovered.contains(&Some(*number)));
    }
    numbers
}

/// Returns the numbers of the first and the last period if the times do not cover them.
///
/// With g the longest time between two successive rows, the first period is covered if it begins less than g
/// before the first row. The last period is covered if it ends at most g after the last row.
fn uncovered_ends(times: &[f64], length: f64) -> [Option<f64>; 2] {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else { return [None; 2] };
    if sorted.len() == 1 {
        return [None; 2];
    }
    let longest = sorted.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    let (earliest, latest) = (period_number(first, length), period_number(last, length));
    [
        (first - longest >= earliest * length).then_some(earliest),
        (last + longest < (latest + 1.0) * length).then_some(latest),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [f64; 6] = [-0.5, 0.0, 0.9, 1.0, 1.5, 5.0];

    fn alerts(groups: Option<&[u32]>, predicted: &[u32]) -> Result<AlertRateEstimator> {
        let scores: Vec<f64> =
            predicted.iter().map(|&row| [0.1, 0.9, 0.8, 0.7, 0.6, 0.5][row as usize]).collect();
        let truth: Vec<u32> = predicted.iter().map(|&row| u32::from(row == 2)).collect();
        AlertRateEstimator::new(
            RowTimesAndGroups { times: &TIMES, groups, predicted },
            1.0,
            (&truth, 1),
            &scores,
            None,
        )
    }

    #[test]
    fn rows_of_complete_periods_are_counted() {
        // Row 0 is in period -1, rows 1 and 2 in period 0, rows 3 and 4 in period 1, and row 5 in period 5.
        let all = alerts(None, &[0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(
            (
                all.mean_alerts_per_period(0.6),
                all.mean_alerts_per_period(0.95),
                all.mean_alerts_per_period(0.0)
            ),
            (1.0, 0.0, 1.5)
        );
        let found = all.estimate_alert_rate(0.6);
        assert_eq!((found.value, found.precision, found.n_periods), (1.0, Some(0.25), 4));
        // The periods have 0, 2, 2 and 0 alerts: variance 4 / 3. The 97.5 % quantile of t with 3 degrees of
        // freedom is 3.182446.
        let half = 3.182_446_305_284 * (4.0_f64 / 3.0 / 4.0).sqrt();
        assert!((found.high.unwrap() - 1.0 - half).abs() < 1e-9 && found.low == Some(0.0));
        // Row 2 of period 0 has no prediction, so the period is ignored.
        let some = alerts(None, &[5, 4, 3, 1]).unwrap();
        assert_eq!((some.mean_alerts_per_period(0.6), some.n_periods), (1.0, 2));
        assert!(alerts(None, &[1]).is_err());
        let one = alerts(None, &[5]).unwrap().estimate_alert_rate(0.6);
        assert_eq!((one.value, one.low, one.precision), (0.0, None, None));
    }

    #[test]
    fn periods_in_which_the_data_begin_or_end_are_ignored() {
        // The times begin in the middle of period 0 and end in the middle of period 3.
        let times: Vec<f64> = (0..30).map(|at| 0.5 + f64::from(at) / 10.0).collect();
        let predicted: Vec<u32> = (0..30).collect();
        let rate = |rows: std::ops::Range<usize>| {
            let n = rows.len();
            let part = RowTimesAndGroups { times: &times[rows], groups: None, predicted: &predicted[..n] };
            let alerts = AlertRateEstimator::new(part, 1.0, (&vec![0; n], 1), &vec![1.0; n], None).unwrap();
            (alerts.mean_alerts_per_period(0.5), alerts.n_periods)
        };
        assert_eq!(rate(0..30), (10.0, 2));
        assert_eq!(rate(5..25), (10.0, 2));
        // If no period is covered, all count.
        assert_eq!(rate(0..7), (3.5, 2));
    }

    #[test]
    fn groups_count_once_in_a_period() {
        let by_group = alerts(Some(&[0, 7, 7, 7, 0, 0]), &[0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(
            (
                by_group.mean_alerts_per_period(0.85),
                by_group.mean_alerts_per_period(0.7),
                by_group.mean_alerts_per_period(0.6)
            ),
            (0.25, 0.5, 0.75)
        );
        // The row that causes the first alert is negative, but another row of its group and period is
        // positive.
        assert_eq!(by_group.estimate_alert_rate(0.85).precision, Some(1.0));
    }
}

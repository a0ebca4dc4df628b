//! Platt's sigmoid calibration curve.

use super::groups::{ScoreGroup, smoothed_targets};
use super::logistic::{WeightedRow, fit_logistic_regression};

/// Minimum slope of the curve.
///
/// A curve with this slope is almost constant but increases, so it keeps the ranking of the scores even if
/// higher scores have fewer positives.
const LEAST_SLOPE: f64 = 1e-3;

/// Slope and constant of Platt's curve `1 / (1 + exp(-(slope s + constant)))`.
///
/// They minimize the cross-entropy with smoothed targets, subject to the minimum slope (Platt 1999, eq. 5
/// and 6).
pub(super) fn fit_sigmoid(groups: &[ScoreGroup]) -> [f64; 2] {
    let (of_class, of_others) = smoothed_targets(groups);
    let rows: Vec<WeightedRow<2>> = groups
        .iter()
        .map(|group| WeightedRow {
            x: [group.score, 1.0],
            weight: group.weight,
            target: group.positive * of_class + (group.weight - group.positive) * of_others,
        })
        .collect();
    let [slope, constant] = fit_logistic_regression(&rows);
    if slope >= LEAST_SLOPE {
        return [slope, constant];
    }
    // The best slope is below the minimum. The loss is convex, so the best curve with an allowed slope has
    // the minimum slope. This curve is almost constant. Its constant is chosen so that its value at the mean
    // score is about the mean target.
    let sum = |of: fn(&WeightedRow<2>) -> f64| rows.iter().map(of).sum::<f64>();
    let (weight, target) = (sum(|row| row.weight), sum(|row| row.target));
    let mean_score = sum(|row| row.weight * row.x[0]) / weight;
    [LEAST_SLOPE, (target / (weight - target)).ln() - LEAST_SLOPE * mean_score]
}

#[cfg(test)]
mod tests {
    use super::super::logistic::logistic;
    use super::*;

    fn curve(groups: &[ScoreGroup]) -> impl Fn(f64) -> f64 + use<> {
        let [slope, constant] = fit_sigmoid(groups);
        move |score| logistic(slope * score + constant)
    }

    #[test]
    fn two_scores_get_the_mean_targets_of_their_rows() {
        // One of four rows is positive at score 0, and three of four at score 1. The smoothed targets are 5/6
        // for positives and 1/6 for negatives.
        let group = |score, positive| ScoreGroup { score, weight: 4.0, positive };
        let curve = curve(&[group(0.0, 1.0), group(1.0, 3.0)]);
        assert!((curve(0.0) - (5.0 + 3.0) / 24.0).abs() < 1e-9);
        assert!((curve(1.0) - (15.0 + 1.0) / 24.0).abs() < 1e-9 && (curve(0.5) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn scores_in_reverse_order_keep_their_ranking() {
        let group = |score, positive| ScoreGroup { score, weight: 4.0, positive };
        let curve = curve(&[group(0.0, 3.0), group(1.0, 1.0)]);
        let (low, high) = (curve(0.0), curve(1.0));
        assert!(low < high && (low - 0.5).abs() < 1e-3 && (high - 0.5).abs() < 1e-3);
    }

    #[test]
    fn classes_that_are_apart_give_a_finite_curve() {
        let group = |score, positive| ScoreGroup { score, weight: 1.0, positive };
        let curve = curve(&[group(0.1, 0.0), group(0.9, 1.0)]);
        assert!((curve(0.1) - 1.0 / 3.0).abs() < 1e-9 && (curve(0.9) - 2.0 / 3.0).abs() < 1e-9);
    }
}

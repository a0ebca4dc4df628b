//! Platt's sigmoid calibration curve.

use super::groups::{ScoreGroup, smoothed_targets};
use super::logistic::{WeightedRow, logistic, regress};

/// The curve `1 / (1 + exp(-(slope s + constant)))` (Platt 1999, eq. 5).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sigmoid {
    slope: f64,
    constant: f64,
}

impl Sigmoid {
    /// Minimizes the cross-entropy with the smoothed targets (eq. 6).
    pub(crate) fn fit(groups: &[ScoreGroup]) -> Self {
        let (of_class, of_others) = smoothed_targets(groups);
        let rows: Vec<WeightedRow<2>> = groups
            .iter()
            .map(|group| WeightedRow {
                x: [group.score, 1.0],
                weight: group.weight,
                target: group.positive * of_class + (group.weight - group.positive) * of_others,
            })
            .collect();
        let [slope, constant] = regress(&rows);
        Self { slope, constant }
    }

    pub(crate) fn calibrate(&self, score: f64) -> f64 {
        logistic(self.slope * score + self.constant)
    }

    /// Slope and intercept.
    pub(super) fn coefficients(&self) -> [f64; 2] {
        [self.slope, self.constant]
    }

    pub(crate) fn numbers(&self) -> Vec<f64> {
        self.coefficients().to_vec()
    }

    pub(crate) fn of_numbers(numbers: &[f64]) -> Option<Self> {
        let &[slope, constant] = numbers else { return None };
        (slope.is_finite() && constant.is_finite()).then_some(Self { slope, constant })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_scores_get_the_mean_targets_of_their_rows() {
        // Scores 0 and 1 with one and three positives of four: t+ = 5/6, t- = 1/6.
        let group = |score, positive| ScoreGroup { score, weight: 4.0, positive };
        let curve = Sigmoid::fit(&[group(0.0, 1.0), group(1.0, 3.0)]);
        assert!((curve.calibrate(0.0) - (5.0 + 3.0) / 24.0).abs() < 1e-9);
        assert!(
            (curve.calibrate(1.0) - (15.0 + 1.0) / 24.0).abs() < 1e-9
                && (curve.calibrate(0.5) - 0.5).abs() < 1e-9
        );
    }

    #[test]
    fn classes_that_are_apart_give_a_finite_curve() {
        let group = |score, positive| ScoreGroup { score, weight: 1.0, positive };
        let curve = Sigmoid::fit(&[group(0.1, 0.0), group(0.9, 1.0)]);
        assert!(
            (curve.calibrate(0.1) - 1.0 / 3.0).abs() < 1e-9
                && (curve.calibrate(0.9) - 2.0 / 3.0).abs() < 1e-9
        );
    }
}

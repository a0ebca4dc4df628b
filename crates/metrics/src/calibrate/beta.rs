//! Beta calibration.

use super::groups::{ScoreGroup, smoothed_targets};
use super::logistic::{WeightedRow, fit_logistic_regression, logistic};
use super::sigmoid::fit_sigmoid;

/// The curve `1 / (1 + exp(-(a ln s - b ln(1 - s) + c)))` with nonnegative `a` and `b`.
///
/// Kull, Silva Filho and Flach 2017, eq. 5 and algorithm 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Beta {
    a: f64,
    b: f64,
    c: f64,
    /// Scores are clipped to the range from `lower` to `1 - upper` before logarithms are taken.
    lower: f64,
    upper: f64,
}

/// Distance from 0 and from 1 to which scores are clipped if all scores are 0 or 1.
const INSIDE: f64 = 0.25;

impl Beta {
    fn with_score_limits(groups: &[ScoreGroup]) -> Self {
        // Differs from Kull et al.: the scores 0 and 1, which are frequent in forests, have no finite
        // logarithms. Here, they are moved half the distance to the nearest other score. The authors' package
        // moves them by 2e-16 only, so that a few such rows distort the curve.
        let half = |distance: &dyn Fn(f64) -> f64| {
            let inside = groups.iter().map(|group| distance(group.score)).filter(|d| *d > 0.0 && *d < 1.0);
            let least = inside.fold(f64::INFINITY, f64::min);
            if least.is_finite() { (least / 2.0).max(f64::MIN_POSITIVE) } else { INSIDE }
        };
        let (lower, upper) = (half(&|score| score), half(&|score| 1.0 - score));
        Self { a: 0.0, b: 0.0, c: 0.0, lower, upper }
    }

    /// Fits Platt's logistic curve of the log-odds: the beta curve with `a = b`.
    ///
    /// Platt's method was made for unbounded scores, such as those of support vector machines. The
    /// probabilities of a rare class are all close to 0, where a logistic curve of the probabilities would be
    /// nearly straight.
    pub(crate) fn fit_log_odds(groups: &[ScoreGroup]) -> Self {
        let flat = Self::with_score_limits(groups);
        let log_odds = |group: &ScoreGroup| {
            let [p, q] = flat.log_features(group.score);
            ScoreGroup { score: p + q, ..*group }
        };
        let [a, c] = fit_sigmoid(&groups.iter().map(log_odds).collect::<Vec<_>>());
        Self { a, b: a, c, ..flat }
    }

    pub(crate) fn fit(groups: &[ScoreGroup]) -> Self {
        let flat = Self::with_score_limits(groups);
        // Differs from Kull et al.: targets are smoothed as in Platt's method. Otherwise, coefficients would
        // be infinite if the scores separate the classes.
        let (of_class, of_others) = smoothed_targets(groups);
        let target =
            |group: &ScoreGroup| group.positive * of_class + (group.weight - group.positive) * of_others;
        let [a, b, c] = fit_logistic_regression(&flat.regression_rows(groups, |[p, q]| [p, q, 1.0], target));
        // If a coefficient is negative, the curve would decrease, so the fit is repeated without it
        // (algorithm 1).
        if a < 0.0 {
            let [b, c] = fit_logistic_regression(&flat.regression_rows(groups, |[_, q]| [q, 1.0], target));
            Self { b, c, ..flat }.constant_fit_if_decreasing(groups, target)
        } else if b < 0.0 {
            let [a, c] = fit_logistic_regression(&flat.regression_rows(groups, |[p, _]| [p, 1.0], target));
            Self { a, c, ..flat }.constant_fit_if_decreasing(groups, target)
        } else {
            Self { a, b, c, ..flat }
        }
    }

    fn constant_fit_if_decreasing(self, groups: &[ScoreGroup], target: impl Fn(&ScoreGroup) -> f64) -> Self {
        if self.a >= 0.0 && self.b >= 0.0 {
            return self;
        }
        let [c] = fit_logistic_regression(&self.regression_rows(groups, |_| [1.0], target));
        Self { a: 0.0, b: 0.0, c, ..self }
    }

    fn regression_rows<const D: usize>(
        &self,
        groups: &[ScoreGroup],
        columns: impl Fn([f64; 2]) -> [f64; D],
        target: impl Fn(&ScoreGroup) -> f64,
    ) -> Vec<WeightedRow<D>> {
        let row = |group: &ScoreGroup| WeightedRow {
            x: columns(self.log_features(group.score)),
            weight: group.weight,
            target: target(group),
        };
        groups.iter().map(row).collect()
    }

    /// `ln s` and `-ln(1 - s)`.
    fn log_features(&self, score: f64) -> [f64; 2] {
        let p = score.max(self.lower).min(1.0 - self.upper);
        let q = (1.0 - score).max(self.upper).min(1.0 - self.lower);
        [p.ln(), -q.ln()]
    }

    pub(crate) fn calibrate(&self, score: f64) -> f64 {
        let [p, q] = self.log_features(score);
        logistic(self.a * p + self.b * q + self.c)
    }

    pub(super) fn coefficients(&self) -> [f64; 5] {
        [self.a, self.b, self.c, self.lower, self.upper]
    }

    pub(crate) fn parameters(&self) -> Vec<f64> {
        self.coefficients().to_vec()
    }

    pub(crate) fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let &[a, b, c, lower, upper] = numbers else { return None };
        let inside = |x: f64| x > 0.0 && x < 1.0;
        let sound = a.is_finite() && b.is_finite() && c.is_finite() && a >= 0.0 && b >= 0.0;
        (sound && inside(lower) && inside(upper)).then_some(Self { a, b, c, lower, upper })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(rows: &[(f64, f64, f64)]) -> Vec<ScoreGroup> {
        rows.iter().map(|&(score, weight, positive)| ScoreGroup { score, weight, positive }).collect()
    }

    #[test]
    fn calibrated_scores_stay_unchanged() {
        // The weights are so large that smoothing of the targets has almost no effect.
        let rows: Vec<_> = (1..10).map(|k| (f64::from(k) / 10.0, 1e9, f64::from(k) * 1e8)).collect();
        let curve = Beta::fit(&groups(&rows));
        let near = |found: f64, value: f64| (found - value).abs() < 1e-6;
        assert!(near(curve.a, 1.0) && near(curve.b, 1.0) && near(curve.c, 0.0), "{curve:?}");
        assert!(
            near(curve.lower, 0.05)
                && near(curve.upper, 0.05)
                && near(curve.calibrate(0.0), curve.calibrate(0.05))
        );
    }

    #[test]
    fn log_odds_give_a_curve_of_two_coefficients() {
        // The probabilities are right, except that all log-odds are twice as large as they should be.
        let odds = [0.01_f64, 0.1, 0.5, 2.0];
        let rows: Vec<_> = odds.map(|o| (o * o / (1.0 + o * o), 1e9, 1e9 * o / (1.0 + o))).to_vec();
        let curve = Beta::fit_log_odds(&groups(&rows));
        assert!((curve.a - 0.5).abs() < 1e-6 && curve.a == curve.b && curve.c.abs() < 1e-6, "{curve:?}");
    }

    #[test]
    fn three_scores_are_met_exactly() {
        let rows = groups(&[(0.2, 8.0, 1.0), (0.5, 6.0, 3.0), (0.9, 8.0, 7.0)]);
        let (of_class, of_others) = smoothed_targets(&rows);
        let curve = Beta::fit(&rows);
        for row in &rows {
            let target = (row.positive * of_class + (row.weight - row.positive) * of_others) / row.weight;
            assert!((curve.calibrate(row.score) - target).abs() < 1e-9, "{curve:?}");
        }
    }

    #[test]
    fn the_curve_never_decreases() {
        let falling = Beta::fit(&groups(&[(0.1, 9.0, 8.0), (0.5, 9.0, 4.0), (0.9, 9.0, 1.0)]));
        assert_eq!((falling.a, falling.b), (0.0, 0.0));
        // The scores are overconfident at one end only, so a curve without constraints would decrease at the
        // other end.
        let bent =
            Beta::fit(&groups(&[(0.001, 9.0, 3.0), (0.1, 9.0, 2.0), (0.5, 9.0, 3.0), (0.9, 9.0, 8.0)]));
        assert_eq!(bent.a, 0.0);
        assert!(bent.b > 0.0 && bent.calibrate(0.9) > bent.calibrate(0.5));
        let apart = Beta::fit(&groups(&[(0.0, 5.0, 0.0), (1.0, 5.0, 5.0)]));
        assert!(
            (apart.calibrate(0.0) - 1.0 / 7.0).abs() < 1e-9
                && (apart.calibrate(1.0) - 6.0 / 7.0).abs() < 1e-9
        );
    }
}

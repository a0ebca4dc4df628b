//! Logistic recalibration line: slope and intercept on the log-odds scale.

use crate::argument_checks;
use crate::calibrate::groups::{ScoreGroup, group_scores};
use crate::calibrate::logistic::{WeightedRow, fit_logistic_regression, logistic};
use crate::probability::check_probabilities;
use imbcore_core::Result;

/// Calibration slope and intercept of log-odds (Cox 1958; Van Calster et al. 2016).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationLine {
    /// Slope of the logistic regression of the outcome on the predicted log-odds.
    ///
    /// The ideal slope is 1. If it is below 1, the probabilities are too extreme; if it is above 1, they are
    /// too moderate. NaN if the best slope is not finite: if there is only one class, or if the log-odds
    /// separate the classes.
    pub slope: f64,
    /// Intercept of the regression with the slope fixed at 1 ("calibration in the large").
    ///
    /// The ideal intercept is 0. If it is above 0, positives are more frequent than predicted. NaN if there
    /// is only one class.
    pub intercept: f64,
}

const STEPS: usize = 200;
const FAR: f64 = 8.0;
/// Relative size of a step at or below which the iteration ends.
const CLOSE: f64 = 1e-14;

/// Fits the calibration line of probabilities `p` of class `positive`.
///
/// Probabilities are clipped to one machine epsilon away from 0 and 1, as for the log loss.
///
/// # Errors
/// [`imbcore_core::Error::Data`] for unequal lengths, a probability outside [0, 1], or an invalid weight.
pub fn calibration_line(
    truth: &[u32],
    positive: u32,
    p: &[f64],
    weights: Option<&[f64]>,
) -> Result<CalibrationLine> {
    check_probabilities(truth, p, weights)?;
    // The regression stops by comparing sums with constants. Weights are scaled to near 1, so that their unit
    // has no effect.
    let largest = weights.map_or(1.0, |weights| weights.iter().copied().fold(0.0, f64::max));
    let unit = argument_checks::floor_power_of_two(largest);
    // For negative rows and for positive rows, the smallest and the largest log-odds.
    let mut range = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    // Rows of equal probability are summed to one row, so the row order has no effect.
    let row = |group: ScoreGroup| {
        let p = group.score.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        let odds = p.ln() - (-p).ln_1p();
        let mass = [group.weight - group.positive, group.positive];
        for ((low, high), _) in range.iter_mut().zip(mass).filter(|(_, mass)| *mass > 0.0) {
            (*low, *high) = (low.min(odds), high.max(odds));
        }
        WeightedRow { x: [odds, 1.0], weight: group.weight / unit, target: group.positive / unit }
    };
    let groups = group_scores(positive as usize, truth, |row| p[row], weights);
    let rows: Vec<WeightedRow<2>> = groups.into_iter().map(row).collect();
    let [negatives, positives] = range;
    if negatives.0 > negatives.1 || positives.0 > positives.1 {
        return Ok(CalibrationLine { slope: f64::NAN, intercept: f64::NAN });
    }
    let apart = negatives.1 <= positives.0 || positives.1 <= negatives.0;
    let slope = if apart { f64::NAN } else { fit_logistic_regression(&rows)[0] };
    Ok(CalibrationLine { slope, intercept: solve_log_odds_shift(&rows) })
}

/// Finds the log-odds shift at which the mean probability equals the outcome frequency.
///
/// The mean probability increases with the shift. Invariant: the solution lies in [low, high]. Steps are by
/// Newton's method, or by bisection if a Newton step would leave this interval.
fn solve_log_odds_shift(rows: &[WeightedRow<2>]) -> f64 {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut by = 0.0_f64;
    for _ in 0..STEPS {
        let (mut excess, mut bend) = (0.0, 0.0);
        for row in rows {
            let p = logistic(row.x[0] + by);
            excess += row.weight * p - row.target;
            bend += row.weight * p * (1.0 - p);
        }
        *(if excess > 0.0 { &mut high } else { &mut low }) = by;
        let step = excess / bend;
        let next = by - step;
        let next = match (next > low && next < high, low.is_finite(), high.is_finite()) {
            (true, _, _) => by - step.clamp(-FAR, FAR),
            (_, true, true) => f64::midpoint(low, high),
            (_, true, false) => low + FAR,
            _ => high - FAR,
        };
        if (next - by).abs() <= CLOSE * (1.0 + by.abs()) {
            return next;
        }
        by = next;
    }
    by
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(p: f64) -> f64 {
        (p / (1.0 - p)).ln()
    }

    fn line(p: &[f64], true_p: &[f64], n: u32) -> CalibrationLine {
        let mut rows = (Vec::new(), Vec::new(), Vec::new());
        for (p, rate) in p.iter().zip(true_p) {
            for (class, weight) in [(1, rate * f64::from(n)), (0, (1.0 - rate) * f64::from(n))] {
                rows.0.push(class);
                rows.1.push(*p);
                rows.2.push(weight);
            }
        }
        calibration_line(&rows.0, 1, &rows.1, Some(&rows.2)).unwrap()
    }

    #[test]
    fn calibrated_probabilities_have_slope_one_and_intercept_zero() {
        let p = [0.02, 0.2, 0.5, 0.9];
        let found = line(&p, &p, 50);
        assert!((found.slope - 1.0).abs() < 1e-6 && found.intercept.abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let p: Vec<f64> = (0..60_u32).map(|row| f64::from(1 + row * row % 7) / 8.0).collect();
        let truth: Vec<u32> = (0..60_u32).map(|row| u32::from(row * row * row % 11 < 5)).collect();
        let weights: Vec<f64> = (0..60_u32).map(|row| f64::from(row % 4)).collect();
        let all = calibration_line(&truth, 1, &p, Some(&weights)).unwrap();
        assert!(all.slope.is_finite());
        for step in [7, 11, 59] {
            let order: Vec<usize> = (0..60).map(|row| row * step % 60).collect();
            let picked = |values: &[f64]| order.iter().map(|&row| values[row]).collect::<Vec<f64>>();
            let permuted: Vec<u32> = order.iter().map(|&row| truth[row]).collect();
            let found = calibration_line(&permuted, 1, &picked(&p), Some(&picked(&weights))).unwrap();
            assert_eq!(found, all);
        }
    }

    #[test]
    fn log_odds_twice_too_large_have_half_the_slope() {
        let truth = [0.1, 0.3, 0.6];
        let predicted = truth.map(|p| 1.0 / (1.0 + (-2.0 * odds(p)).exp()));
        assert!((line(&predicted, &truth, 10).slope - 0.5).abs() < 1e-6);
    }

    #[test]
    fn the_intercept_is_the_shift_of_the_log_odds() {
        let truth = [0.1, 0.3, 0.6];
        let predicted = truth.map(|p| 1.0 / (1.0 + (1.5 - odds(p)).exp()));
        let found = line(&predicted, &truth, 10);
        assert!((found.intercept - 1.5).abs() < 1e-12 && (found.slope - 1.0).abs() < 1e-6, "{found:?}");
        // The shift is exact even if all probabilities are almost 0 and far from the outcome frequency.
        let sure = calibration_line(&[1, 0, 0], 1, &[0.0, 0.0, 0.0], None).unwrap();
        assert!((sure.intercept - (odds(1.0 / 3.0) - odds(f64::EPSILON))).abs() < 1e-9, "{sure:?}");
    }

    #[test]
    fn the_slope_is_undefined_if_no_finite_line_fits() {
        let line = |truth: &[u32], p: &[f64]| calibration_line(truth, 1, p, None).unwrap();
        let apart = line(&[0, 0, 1], &[0.1, 0.3, 0.4]);
        assert!(apart.slope.is_nan() && apart.intercept.is_finite());
        assert!(line(&[0, 1], &[0.3, 0.3]).slope.is_nan());
        let one = line(&[1, 1], &[0.1, 0.3]);
        assert!(one.slope.is_nan() && one.intercept.is_nan());
        assert!(calibration_line(&[1, 0], 1, &[0.1, 1.3], None).is_err());
    }
}

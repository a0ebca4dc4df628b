//! Map from the score scale of one model to that of another model.

/// Number of rows with larger scores that a knot of the map needs at least.
const FEWEST_ABOVE: usize = 20;

/// Smallest distance of a score from 0 and 1 in a log-odds.
const EPSILON: f64 = 1e-15;

/// Monotone map from the probabilities of one model to those of another model.
///
/// It matches the quantiles of both models on rows to which both were fitted. Two models of one method that
/// are fitted to different rows have different scales, for example because one class is more frequent in one
/// of them. A threshold for a number of alerts then has to be another one.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreScaleMap {
    /// Pairs of equal quantiles, ascending; at least one.
    knots: Vec<(f64, f64)>,
}

impl ScoreScaleMap {
    /// Creates the map from the scores of the same rows by both models.
    ///
    /// `None` if fewer than 40 rows are given, so that the tails are unknown.
    pub fn new(from: &[f64], to: &[f64]) -> Option<Self> {
        let n = from.len();
        if n != to.len() || n < 2 * FEWEST_ABOVE {
            return None;
        }
        let (mut from, mut to) = (from.to_vec(), to.to_vec());
        from.sort_by(f64::total_cmp);
        to.sort_by(f64::total_cmp);
        let mut knots = Vec::new();
        let mut first = 0;
        while first < n {
            let end = first + from[first..].partition_point(|score| *score <= from[first]);
            // Equal scores correspond to the quantile in the middle of their range.
            let middle = usize::midpoint(first, end - 1);
            if n - middle > FEWEST_ABOVE || knots.is_empty() {
                knots.push((from[first], to[middle]));
            }
            first = end;
        }
        Some(Self { knots })
    }

    /// Maps a probability.
    ///
    /// Between two knots, the map is linear. Outside the knots, the log-odds are shifted as at the next knot.
    pub fn apply(&self, score: f64) -> f64 {
        let above = self.knots.partition_point(|(from, _)| *from <= score);
        let (Some(&(low, low_to)), Some(&(high, high_to))) =
            (above.checked_sub(1).and_then(|below| self.knots.get(below)), self.knots.get(above))
        else {
            let (from, to) = self.knots[above.min(self.knots.len() - 1)];
            return if score == from { to } else { shift_log_odds(score, (from, to)) };
        };
        low_to + (score - low) / (high - low) * (high_to - low_to)
    }
}

fn shift_log_odds(score: f64, (from, to): (f64, f64)) -> f64 {
    let log_odds = |p: f64| {
        let p = p.clamp(EPSILON, 1.0 - EPSILON);
        (p / (1.0 - p)).ln()
    };
    let shifted = log_odds(score) + log_odds(to) - log_odds(from);
    1.0 / (1.0 + (-shifted).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scales_are_not_changed() {
        let scores: Vec<f64> = (0..100).map(|at| f64::from(at) / 100.0).collect();
        let map = ScoreScaleMap::new(&scores, &scores).unwrap();
        for score in [0.0, 0.005, 0.3, 0.777, 0.8, 0.95, 1.0] {
            assert!((map.apply(score) - score).abs() < 1e-12, "{score}: {}", map.apply(score));
        }
        assert_eq!(ScoreScaleMap::new(&scores[..39], &scores[..39]), None);
    }

    #[test]
    fn shifted_log_odds_are_recovered_and_the_map_is_monotone() {
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let at = |row: u32| f64::from(row * 7 % 200) / 20.0 - 8.0;
        let from: Vec<f64> = (0..200).map(|row| logistic(at(row))).collect();
        // The order of the rows has no effect, so noise in the order of the other model has none.
        let to: Vec<f64> = (0..200).rev().map(|row| logistic(at(row) + 1.0)).collect();
        let map = ScoreScaleMap::new(&from, &to).unwrap();
        let mut last = 0.0;
        for step in 0..400 {
            let x = f64::from(step) / 25.0 - 10.0;
            let found = map.apply(logistic(x));
            assert!(found >= last, "{x}");
            assert!((found / (1.0 - found) / (x + 1.0).exp()).ln().abs() < 0.01, "{x}: {found}");
            last = found;
        }
    }

    #[test]
    fn equal_scores_correspond_to_the_middle_of_their_quantiles() {
        let from: Vec<f64> = (0..100).map(|row| if row < 60 { 0.1 } else { 0.2 }).collect();
        let to: Vec<f64> = (0..100).map(|row| if row < 50 { 0.3 } else { 0.4 }).collect();
        let map = ScoreScaleMap::new(&from, &to).unwrap();
        assert_eq!((map.apply(0.1), map.apply(0.2)), (0.3, 0.4));
        assert!((map.apply(0.15) - 0.35).abs() < 1e-12);
    }
}

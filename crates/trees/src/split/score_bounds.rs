//! Bounds on the scores of thresholds, from which the thresholds that may be optimal follow.

use crate::split::split_candidate::{TIE, is_better};
use imbcore_criteria::ThresholdScorer;

/// Maximum number of times that `bar` is lowered before all thresholds are scored.
const MOST_STEPS: usize = 16;

/// Scores below this number count as 0.
pub(crate) const NOTHING: f64 = 1e-12;

/// Rounding may turn scores below this number into 0.
const SMALL: f64 = 1e-9;

/// Bounds on the scores of the thresholds of one column at one node.
/// The first index of `upper` is the side of missing values, and the second is the number of rows on the
/// left.
pub(crate) struct ScoreBounds {
    pub(crate) tracker: ThresholdScorer,
    /// Upper bounds on the scores; infinite for row counts at which there is no threshold.
    pub(crate) upper: Vec<Vec<f64>>,
    /// Lower and upper bound on the score of each feasible threshold.
    pub(crate) feasible: Vec<(f64, f64)>,
    /// Limit: a threshold cannot be optimal if its upper bound is below this number.
    pub(crate) bar: f64,
    /// Factor that converts bounds to the scale of the best score so far.
    /// It is the fraction of the node's mass for which scores are computed.
    pub(crate) share: f64,
}

impl ScoreBounds {
    /// Returns whether a threshold may be optimal and exceed the best score so far.
    ///
    /// If there is one row of each class, all thresholds have equal scores, and all their bounds reach `bar`.
    /// Then the first threshold is scored, and none of the others can exceed its score.
    pub(crate) fn may_be_optimal(&self, way: usize, n_left: usize, best: Option<f64>) -> bool {
        self.upper[way].get(n_left).is_none_or(|&upper| {
            let beaten = best.is_some_and(|best| {
                let most = upper * self.share;
                !is_better(if most < NOTHING { 0.0 } else { most }, best)
            });
            upper.is_nan() || upper >= self.bar && !beaten
        })
    }

    /// Computes `bar` from the bounds of the feasible thresholds.
    /// Thresholds are discarded if their upper bound is below `bar`. A later score replaces an earlier score
    /// only if it exceeds the earlier score by a small relative margin. Therefore, `bar` is chosen such that
    /// every kept score exceeds every discarded score by more than this margin.
    pub(crate) fn set_limit(&mut self) {
        let best = self.feasible.iter().map(|bounds| bounds.0).fold(f64::NEG_INFINITY, f64::max);
        let mut bar = best * (1.0 - 4.0 * TIE);
        for _ in 0..MOST_STEPS {
            if bar * self.share <= SMALL {
                break;
            }
            let kept = self.feasible.iter().filter(|bounds| bounds.1 >= bar);
            let lowest = kept.map(|bounds| bounds.0).fold(f64::INFINITY, f64::min);
            let next = bar.min(lowest * (1.0 - 4.0 * TIE));
            if !self.feasible.iter().any(|bounds| bounds.1 < bar && bounds.1 >= next) {
                self.bar = bar;
                return;
            }
            bar = next;
        }
        self.bar = f64::NEG_INFINITY;
    }
}

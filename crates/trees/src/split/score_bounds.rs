//! Bounds on the scores of split candidates, to skip candidates that cannot be optimal.

use crate::split::split_candidate::{TIE, is_better};
use imbcore_criteria::ThresholdScorer;

/// Maximum number of times that the limit `bar` of [`ScoreBounds`] is lowered.
///
/// If the limit must be lowered more often, all candidates are scored.
const MOST_STEPS: usize = 16;

/// Scores below this number count as 0.
pub(crate) const NOTHING: f64 = 1e-12;

/// If `bar * share` of [`ScoreBounds`] is at most this number, all candidates are scored.
///
/// The reason is that rounding may turn such small scores into 0.
const SMALL: f64 = 1e-9;

/// Bounds on the scores of the thresholds or level sets of one column at one node.
///
/// The first index of `upper` is the side to which missing values go. The second index is the number of rows
/// on the left for a threshold, and the number of the set for a level set.
pub(crate) struct ScoreBounds {
    pub(crate) tracker: ThresholdScorer,
    /// Upper bounds on the scores; infinite at indices without a candidate.
    pub(crate) upper: Vec<Vec<f64>>,
    pub(crate) feasible: Vec<(f64, f64)>,
    /// Limit on upper bounds: a candidate with a smaller upper bound cannot be optimal.
    pub(crate) bar: f64,
    /// Factor that converts a bound to the scale of the best score so far.
    ///
    /// It is `share` of the column's `ColumnClassSums`: the fraction of the node's mass that has a value, or 1.
    pub(crate) share: f64,
}

impl ScoreBounds {
    pub(crate) fn may_be_optimal(&self, way: usize, n_left: usize, best: Option<f64>) -> bool {
        self.upper[way].get(n_left).is_none_or(|&upper| {
            let beaten = best.is_some_and(|best| {
                let most = upper * self.share;
                !is_better(if most < NOTHING { 0.0 } else { most }, best)
            });
            upper.is_nan() || upper >= self.bar && !beaten
        })
    }

    /// Computes `bar`, below which a candidate is discarded.
    ///
    /// A later score replaces an earlier score only if it exceeds the earlier score by a small relative
    /// margin. Therefore, `bar` is chosen such that every kept score exceeds every discarded score by more
    /// than this margin.
    pub(crate) fn compute_score_limit(&mut self) {
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

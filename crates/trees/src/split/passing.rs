//! Bounds on the scores of the thresholds of a column, and which of them may be optimal.

use crate::split::candidate::{TIE, beats};
use imbcore_criteria::CutTracker;

/// Maximum number of times that the limit is lowered before all thresholds are scored.
const MOST_STEPS: usize = 16;

/// Scores below this count as 0.
pub(crate) const NOTHING: f64 = 1e-12;

/// Scores below this may count as 0.
const SMALL: f64 = 1e-9;

/// Bounds on the scores of thresholds.
/// They are indexed by the side of missing values and the number of rows on the left.
pub(crate) struct Screen {
    pub(crate) tracker: CutTracker,
    /// Upper bounds on the scores; infinite at row counts without a threshold.
    pub(crate) upper: Vec<Vec<f64>>,
    /// Lower and upper bounds of the feasible thresholds.
    pub(crate) feasible: Vec<(f64, f64)>,
    /// Thresholds with an upper bound below this cannot be optimal.
    pub(crate) bar: f64,
    /// Factor of the scores of tables, to which the best score so far is compared.
    pub(crate) share: f64,
}

impl Screen {
    /// Returns whether a threshold may be optimal and beat the best score so far.
    ///
    /// If there is one row of each class, all thresholds have equal scores and pass the limit. Then the first
    /// threshold is scored, and no other one can beat it.
    pub(crate) fn may_be_optimal(&self, way: usize, n_left: usize, best: Option<f64>) -> bool {
        self.upper[way].get(n_left).is_none_or(|&upper| {
            let beaten = best.is_some_and(|best| {
                let most = upper * self.share;
                !beats(if most < NOTHING { 0.0 } else { most }, best)
            });
            upper.is_nan() || upper >= self.bar && !beaten
        })
    }

    /// Sets the limit.
    /// A later score must beat an earlier one by a small relative margin. Scores that differ by less are kept or
    /// discarded together, so that any kept score beats any discarded one.
    pub(crate) fn settle(&mut self) {
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

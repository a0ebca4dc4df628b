//! Screening of thresholds: bounds on their scores, computed before any threshold is scored.
//!
//! With many classes, filling and scoring a table of class sums is slow. One pass over the rows computes
//! bounds on all scores ([`imbcore_criteria::ThresholdScorer`]). For most thresholds, the upper bound is far
//! below the best score.

use crate::masses::MOST_IN_TABLE;
use crate::rows::weighting::Weighting;
use crate::split::score_bounds::ScoreBounds;
use crate::split::split_scanner::{ColumnClassSums, FeasibleThresholds, SplitScanner};
use imbcore_criteria::NodeScorer;

pub(crate) enum ScanItem {
    /// Rows of one class that pass from the right to the left side: class, row count, total mass.
    Rows(usize, u32, f64),
    /// Threshold; the field is the number of rows on its left, without rows with missing values.
    Cut(usize),
}

impl ScoreBounds {
    pub(crate) fn reset_rows_to_right(&mut self, part: &ColumnClassSums<'_>, missing_left: bool) {
        self.tracker.move_all_rows_right();
        if missing_left {
            for (class, (&rows, &mass)) in part.missing.rows.iter().zip(&part.missing.mass).enumerate() {
                self.tracker.move_rows_left(class, rows, mass);
            }
        }
    }
}

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    pub(crate) fn can_bound_scores(&self, part: &ColumnClassSums<'_>) -> bool {
        self.training.n_classes() > MOST_IN_TABLE && !self.scores_all_thresholds(part.column)
    }

    /// `None` if the criterion computes no bounds.
    pub(crate) fn empty_score_bounds(&self, part: &ColumnClassSums<'_>) -> Option<ScoreBounds> {
        let all = if self.known_scorer.is_some() { &*part.all_known } else { self.node };
        let scorer = self.known_scorer.as_ref().unwrap_or(&self.scorer);
        let tracker = scorer.threshold_scorer(W::BY_COUNT.then_some(&all.rows[..]))?;
        let (upper, feasible) = (Vec::new(), Vec::new());
        Some(ScoreBounds { tracker, upper, feasible, bar: 0.0, share: part.share })
    }

    /// Computes bounds on the scores of all thresholds; `None` if every threshold is scored.
    ///
    /// The closure `walk` calls its argument with the rows and thresholds in ascending order.
    pub(crate) fn threshold_score_bounds(
        &self,
        part: &ColumnClassSums<'_>,
        sides: &[FeasibleThresholds],
        walk: impl Fn(&mut dyn FnMut(ScanItem)),
    ) -> Option<ScoreBounds> {
        if !self.can_bound_scores(part) {
            return None;
        }
        let known_only = self.known_scorer.is_some();
        let mut screen = self.empty_score_bounds(part)?;
        for side in sides {
            let missing = match side.missing_branch {
                Some(0) => true,
                None if part.n_missing > 0 && !known_only => return None,
                _ => false,
            };
            screen.reset_rows_to_right(part, missing);
            let mut upper = vec![f64::INFINITY; part.n_known + 1];
            walk(&mut |passed| match passed {
                ScanItem::Rows(class, rows, mass) => screen.tracker.move_rows_left(class, rows, mass),
                ScanItem::Cut(n_left) => {
                    let bounds = screen.tracker.score_bounds(part.unknown);
                    upper[n_left] = bounds.1;
                    if side.feasible.contains(&n_left) {
                        screen.feasible.push(bounds);
                    }
                }
            });
            screen.upper.push(upper);
        }
        screen.compute_score_limit();
        Some(screen)
    }
}

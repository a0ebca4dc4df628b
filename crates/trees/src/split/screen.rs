//! Screening of a column's thresholds by bounds, before any of them is scored.
//!
//! With many classes, filling and scoring a table is slow. One pass over the rows computes bounds on all scores
//! ([`imbcore_criteria::CutTracker`]); most thresholds have bounds far below the best score.

use crate::masses::MOST_IN_TABLE;
use crate::rows::weigh::Weighting;
use crate::split::passing::Screen;
use crate::split::scanner::{ColumnSums, FeasibleThresholds, SplitScanner};
use imbcore_criteria::NodeScorer;

/// Step of the pass over the rows of a column.
pub(crate) enum Passed {
    /// Rows that move to the left: class, number and total mass.
    Rows(usize, u32, f64),
    /// Threshold with this number of known rows on the left.
    Cut(usize),
}

impl Screen {
    /// Moves all rows to the right, or the missing values to the left.
    pub(crate) fn begin(&mut self, part: &ColumnSums<'_>, missing_left: bool) {
        self.tracker.reset();
        if missing_left {
            for (class, (&rows, &mass)) in part.missing.rows.iter().zip(&part.missing.mass).enumerate() {
                self.tracker.add(class, rows, mass);
            }
        }
    }
}

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    /// Returns whether bounds pay off, and may exclude candidates of this column.
    pub(crate) fn may_screen(&self, part: &ColumnSums<'_>) -> bool {
        self.training.n_classes() > MOST_IN_TABLE && !self.scores_all_thresholds(part.column)
    }

    /// Returns a screen without bounds; `None` if the criterion has none.
    pub(crate) fn empty_screen(&self, part: &ColumnSums<'_>) -> Option<Screen> {
        let all = if self.known_scorer.is_some() { &*part.all_known } else { self.node };
        let scorer = self.known_scorer.as_ref().unwrap_or(&self.scorer);
        let tracker = scorer.tracker(W::BY_COUNT.then_some(&all.rows[..]))?;
        let (upper, feasible) = (Vec::new(), Vec::new());
        Some(Screen { tracker, upper, feasible, bar: 0.0, share: part.share })
    }

    /// Bounds the scores of the thresholds visited by `walk`.
    /// Returns `None` if tables are small, or if every threshold must be scored.
    pub(crate) fn screen(
        &self,
        part: &ColumnSums<'_>,
        sides: &[FeasibleThresholds],
        walk: impl Fn(&mut dyn FnMut(Passed)),
    ) -> Option<Screen> {
        if !self.may_screen(part) {
            return None;
        }
        let known_only = self.known_scorer.is_some();
        let mut screen = self.empty_screen(part)?;
        for side in sides {
            let missing = match side.missing_branch {
                Some(0) => true,
                None if part.n_missing > 0 && !known_only => return None,
                _ => false,
            };
            screen.begin(part, missing);
            let mut upper = vec![f64::INFINITY; part.n_known + 1];
            walk(&mut |passed| match passed {
                Passed::Rows(class, rows, mass) => screen.tracker.add(class, rows, mass),
                Passed::Cut(n_left) => {
                    let bounds = screen.tracker.score(part.unknown);
                    upper[n_left] = bounds.1;
                    if side.feasible.contains(&n_left) {
                        screen.feasible.push(bounds);
                    }
                }
            });
            screen.upper.push(upper);
        }
        screen.settle();
        Some(screen)
    }
}

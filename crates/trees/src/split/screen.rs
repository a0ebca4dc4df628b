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

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    /// Bounds the scores of the thresholds visited by `walk`.
    /// Returns `None` if tables are small, or if every threshold must be scored.
    pub(crate) fn screen(
        &self,
        part: &ColumnSums<'_>,
        sides: &[FeasibleThresholds],
        walk: impl Fn(&mut dyn FnMut(Passed)),
    ) -> Option<Screen> {
        if self.training.n_classes() <= MOST_IN_TABLE || self.scores_all_thresholds(part.column) {
            return None;
        }
        let known_only = self.known_scorer.is_some();
        let all = if known_only { &*part.all_known } else { self.node };
        let scorer = self.known_scorer.as_ref().unwrap_or(&self.scorer);
        let tracker = scorer.tracker(W::BY_COUNT.then_some(&all.rows[..]))?;
        let (upper, feasible) = (Vec::new(), Vec::new());
        let mut screen = Screen { tracker, upper, feasible, bar: 0.0, share: part.share };
        for side in sides {
            let missing = match side.missing_branch {
                Some(0) => true,
                None if part.n_missing > 0 && !known_only => return None,
                _ => false,
            };
            screen.tracker.reset();
            if missing {
                for (class, (&rows, &mass)) in part.missing.rows.iter().zip(&part.missing.mass).enumerate() {
                    screen.tracker.add(class, rows, mass);
                }
            }
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

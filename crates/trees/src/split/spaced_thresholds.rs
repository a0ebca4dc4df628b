//! Splits at equally spaced thresholds.

use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::rows::weighting::Weighting;
use crate::split::split_candidate::SplitCandidate;
use crate::split::split_scanner::{ColumnClassSums, SplitScanner};
use crate::split::thresholds::equally_spaced_thresholds;
use imbcore_core::Strided;
use imbcore_criteria::NodeScorer;

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    /// If several thresholds are between the same two values, only the first is scored.
    pub(crate) fn score_spaced_thresholds(
        &mut self,
        values: Strided<'_>,
        known: &[FlaggedRow],
        n: u32,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let value = |place: usize| values.get(row_of_entry(known[place]));
        let Some(last) = known.len().checked_sub(1) else { return };
        let gap = self.settings.min_value_difference;
        let mut cuts: Vec<usize> = equally_spaced_thresholds(value(0), value(last), n)
            .map(|threshold| known.partition_point(|&entry| values.get(row_of_entry(entry)) <= threshold))
            .filter(|&cut| value(cut) > value(cut - 1) + gap)
            .collect();
        cuts.dedup();
        let sides = self.feasible_numeric_thresholds(known, part);
        if self.needs_threshold_count() {
            let feasible = |cut: &&usize| sides.iter().any(|side| side.feasible.contains(*cut));
            self.n_cuts = cuts.iter().filter(feasible).count();
        }
        self.left.reset();
        let mut done = 0;
        for cut in cuts {
            self.add_rows_to_left(&known[done..cut]);
            done = cut;
            self.score_threshold(cut, cut, &sides, part, best);
        }
    }
}

//! Best threshold of one column without sorting all rows.
//! The rows of the most frequent class are not sorted. The distinct values of all other rows are the anchors,
//! and the scan only counts rows of the most frequent class between anchors and at anchors. A threshold
//! between two rows of the most frequent class is never optimal (see [`crate::split::numeric_scan`]).
//! Therefore, only thresholds directly before and after an anchor are scored. If masses are counts times
//! class weights, the scores are bit-identical to those of a scan of the sorted rows.

use crate::rows::class_sums::ClassSums;
use crate::rows::rank_table::FrequentAndRareRows;
use crate::rows::train_column::{TrainColumn, row_of_entry};
use crate::rows::weighting::Weighting;
use crate::split::majority_intervals::{IntervalThreshold, MajorityIntervalCounts};
use crate::split::scan_key::{ScanKey, ScanKeys};
use crate::split::score_bounds::ScoreBounds;
use crate::split::screening::ScanItem;
use crate::split::split_candidate::{ColumnSplit, SplitCandidate, is_better};
use crate::split::split_scanner::{ColumnClassSums, FeasibleThresholds, SplitScanner};
use imbcore_core::{Result, RunContext, Strided, midpoint};
use imbcore_criteria::{ColumnSelectionRule, NodeScorer};
use std::ops::RangeInclusive;

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    pub(crate) fn can_skip_sorting(&self, column: usize) -> bool {
        W::BY_COUNT
            && matches!(self.training.table.columns[column], TrainColumn::Numeric(_))
            && !self.settings.may_miss[column]
            && !self.scores_all_thresholds(column)
            && self.choice == ColumnSelectionRule::Score
            && self.settings.min_mass <= 0.0
            && !self.settings.c45_min
            && self.settings.min_value_difference == 0.0
            && self.settings.splitter.n_spaced_thresholds().is_none()
            && !self.settings.splitter.is_random()
    }

    /// [`SplitScanner::can_skip_sorting`] must return true for the column.
    ///
    /// The rows are compared by ranks or, if there are no ranks, by values.
    pub(crate) fn best_split_without_sorting(
        &mut self,
        column: usize,
        rows: &FrequentAndRareRows<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Option<SplitCandidate>> {
        let table = self.training.table;
        let ranks = table.ranks.column_ranks(column);
        if !ranks.is_empty() {
            let mut gaps = std::mem::take(&mut self.gaps);
            let best = self.best_interval_split(
                ranks,
                table.ranks.has_distinct_values(column),
                column,
                (rows, &mut gaps),
                ctl,
            )?;
            self.gaps = gaps;
            return Ok(best);
        }
        let values = table.numeric_values(column);
        let mut gaps = std::mem::take(&mut self.value_gaps);
        let mut best = self.best_interval_split(values, false, column, (rows, &mut gaps), ctl)?;
        self.value_gaps = gaps;
        if let Some(SplitCandidate { found: ColumnSplit::ValueAtMost { bound, .. }, .. }) = &mut best {
            *bound = midpoint_around(values, rows, *bound);
        }
        Ok(best)
    }

    fn best_interval_split<K: ScanKey>(
        &mut self,
        keys: impl ScanKeys<K>,
        apart: bool,
        column: usize,
        (rows, gaps): (&FrequentAndRareRows<'_>, &mut MajorityIntervalCounts<K>),
        ctl: RunContext<'_>,
    ) -> Result<Option<SplitCandidate>> {
        gaps.set_anchors_from_rare_rows(rows.rare, keys, |entry| self.training.class_of(entry) as u32, ctl)?;
        gaps.count_majority_rows(rows.frequent, keys, apart);
        self.known_scorer = None;
        self.n_cuts = 0;
        let n_rows = rows.frequent.len() + rows.rare.len();
        let least = self.settings.min_rows.max(1);
        let feasible = least..=n_rows.saturating_sub(least);
        self.screen = self.interval_score_bounds(column, &feasible, gaps);
        let (mut best, missed) = self.score_intervals(column, feasible.clone(), gaps, &[]);
        let is_beaten = best.as_ref().is_some_and(|best| is_better(best.score, missed));
        if least > 1 && !feasible.is_empty() && !is_beaten {
            let here: Vec<K> =
                rows.frequent.iter().map(|&entry| keys.key_of_row(row_of_entry(entry))).collect();
            let mut forced =
                [false, true].map(|from_above| gaps.outermost_threshold(&here, least, from_above));
            // The first threshold has at least `least` rows on the left, and the last has at least `least`
            // rows on the right. If most rows have the same value, the first threshold may be above the last.
            // Then neither is feasible.
            forced.sort_unstable_by_key(|cut| (cut.interval, cut.inside));
            (best, _) = self.score_intervals(column, feasible, gaps, &forced);
        }
        self.screen = None;
        Ok(best)
    }

    fn interval_score_bounds<K: ScanKey>(
        &self,
        column: usize,
        feasible: &RangeInclusive<usize>,
        gaps: &MajorityIntervalCounts<K>,
    ) -> Option<ScoreBounds> {
        let part = self.column_class_sums(column, ClassSums::default(), ClassSums::default);
        let feasible = *feasible.start()..feasible.end() + 1;
        let side = FeasibleThresholds { missing_branch: None, feasible, limited: false };
        let frequent = self.training.codes.frequent;
        self.threshold_score_bounds(&part, &[side], |pass| {
            let mut n_left = 0;
            let mut rare = gaps.rare.iter().peekable();
            // In this scan, all rows of a class have the same mass. So 0 can be passed in place of the entry
            // of a row.
            let mass = |class: usize, n: u32| f64::from(n) * self.weigh.entry_mass(0, class);
            for (index, &anchor) in gaps.anchors.iter().enumerate() {
                pass(ScanItem::Cut(n_left));
                let (between, equal) = (gaps.counts[2 * index], gaps.counts[2 * index + 1]);
                pass(ScanItem::Rows(frequent, between, mass(frequent, between)));
                n_left += between as usize;
                pass(ScanItem::Cut(n_left));
                pass(ScanItem::Rows(frequent, equal, mass(frequent, equal)));
                n_left += equal as usize;
                while let Some(&(_, class)) = rare.next_if(|&&(key, _)| key == anchor) {
                    pass(ScanItem::Rows(class as usize, 1, mass(class as usize, 1)));
                    n_left += 1;
                }
            }
            pass(ScanItem::Cut(n_left));
        })
    }

    /// Scores the thresholds before and after every anchor, and the `forced` thresholds.
    ///
    /// A threshold between rows of the same single class is skipped, because it is never optimal. `feasible`
    /// is the range of the number of left rows. The `forced` thresholds are ascending, and are scored even
    /// between rows of the most frequent class.
    ///
    /// If branches have minimum sizes, the first or last feasible threshold can be optimal between rows of
    /// the same class. But its score is at most the larger score of the nearest thresholds at anchors on both
    /// sides. Therefore, the best score of an infeasible threshold at an anchor is also returned. If the best
    /// feasible split exceeds this score, the caller need not force any threshold.
    fn score_intervals<K: ScanKey>(
        &mut self,
        column: usize,
        feasible: RangeInclusive<usize>,
        gaps: &MajorityIntervalCounts<K>,
        forced: &[IntervalThreshold<K>],
    ) -> (Option<SplitCandidate>, f64) {
        let all = self.column_class_sums(column, ClassSums::default(), ClassSums::default);
        let mut best = None;
        let frequent = self.training.codes.frequent;
        self.left.reset();
        let mut walk = IntervalPass { all, feasible, n_left: 0, missed: 0.0 };
        let mut forced = forced.iter().peekable();
        let mut rare = &gaps.rare[..];
        // Class of the rows with the previous anchor, if they all have the same class.
        let mut before = None;
        for index in 0..=gaps.anchors.len() {
            let anchor = gaps.anchors.get(index).copied();
            let between = gaps.counts[2 * index];
            let equal = gaps.counts.get(2 * index + 1).copied().unwrap_or(0);
            let size = rare.iter().take_while(|&&(key, _)| Some(key) == anchor).count();
            let (run, rest) = rare.split_at(size);
            rare = rest;
            let first = run.first().map(|&(_, class)| class);
            let only = first.filter(|&first| equal == 0 && run.iter().all(|&(_, class)| class == first));
            if walk.n_left > 0 && (between > 0 || only.is_none() || only != before) {
                self.score_threshold_at_key(gaps.anchors[index - 1].next_key(), &mut walk, &mut best);
            }
            let mut inside = 0;
            while let Some(cut) = forced.next_if(|cut| cut.interval == index) {
                self.left.rows[frequent] += cut.inside - inside;
                walk.n_left += (cut.inside - inside) as usize;
                inside = cut.inside;
                self.score_threshold_at_key(cut.bound, &mut walk, &mut best);
            }
            self.left.rows[frequent] += between - inside;
            walk.n_left += (between - inside) as usize;
            let Some(anchor) = anchor else { break };
            if between > 0 {
                self.score_threshold_at_key(anchor, &mut walk, &mut best);
            }
            self.left.rows[frequent] += equal;
            for &(_, class) in run {
                self.left.rows[class as usize] += 1;
            }
            walk.n_left += equal as usize + size;
            before = only;
        }
        (best, walk.missed)
    }

    /// `self.left` must contain the row counts of the rows with keys below `bound`.
    fn score_threshold_at_key<K: ScanKey>(
        &mut self,
        bound: K,
        walk: &mut IntervalPass<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let is_feasible = walk.feasible.contains(&walk.n_left);
        // Infeasible thresholds are not compared with the best feasible split, because only their largest
        // score is needed.
        let so_far = if is_feasible { best.as_ref().map(|best| best.score) } else { None };
        if self.screen.as_ref().is_some_and(|screen| !screen.may_be_optimal(0, walk.n_left, so_far)) {
            return;
        }
        self.weigh.compute_masses_from_counts(&mut self.left);
        self.fill_branch_masses(&walk.all, None);
        if is_feasible {
            self.keep_split_if_best(&walk.all, None, best, || K::split_below_key(bound, walk.n_left));
        } else {
            walk.missed = walk.missed.max(self.score_current_split(&walk.all));
        }
    }
}

/// At least one row must be on each side of `bound`.
fn midpoint_around(values: Strided<'_>, rows: &FrequentAndRareRows<'_>, bound: f64) -> f64 {
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for &entry in rows.frequent.iter().chain(&*rows.rare) {
        let value = values.key_of_row(row_of_entry(entry));
        if value < bound { lower = lower.max(value) } else { upper = upper.min(value) }
    }
    midpoint(lower, upper)
}

struct IntervalPass<'n> {
    all: ColumnClassSums<'n>,
    feasible: RangeInclusive<usize>,
    n_left: usize,
    missed: f64,
}

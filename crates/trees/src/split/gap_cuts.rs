//! Best threshold of one column without sorting all rows.
//!
//! Only rows of rarer classes are sorted; the others are counted into the intervals between them. A threshold
//! between two rows of the most frequent class is never optimal (see [`crate::split::cuts`]), so only the ends of
//! runs of equal values that contain a rarer class are scored, and the rows to their left are given by counts. If
//! masses are counts times class weights, the scores are bit-identical to those of a scan of the sorted rows.

use crate::rows::entry::{TrainColumn, row_of};
use crate::rows::ranks::ClassifiedRows;
use crate::rows::sums::ClassSums;
use crate::rows::weigh::Weighting;
use crate::split::candidate::{SplitCandidate, SplitRuns, beats};
use crate::split::gaps::{IntervalThreshold, MajorityIntervals};
use crate::split::key::{ScanKey, ScanKeys};
use crate::split::passing::Screen;
use crate::split::scanner::{ColumnSums, FeasibleThresholds, SplitScanner};
use crate::split::screen::Passed;
use imbcore_core::{Result, RunContext, Strided, midpoint};
use imbcore_criteria::{NodeScorer, SelectionRule};
use std::ops::RangeInclusive;

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    /// Returns whether the best split of a column can be found by counting.
    /// Rows are counted between those of rarer classes.
    pub(crate) fn can_count(&self, column: usize) -> bool {
        W::BY_COUNT
            && matches!(self.training.table.columns[column], TrainColumn::Numeric(_))
            && !self.settings.may_miss[column]
            && !self.scores_all_thresholds(column)
            && self.choice == SelectionRule::Score
            && self.settings.min_mass <= 0.0
            && !self.settings.c45_min
            && self.settings.min_value_difference == 0.0
            && self.settings.splitter.spaced().is_none()
            && !self.settings.splitter.random()
    }

    /// Returns the best split of a column for which [`SplitScanner::can_count`] holds.
    /// It uses ranks or, without ranks, values.
    pub(crate) fn best_counted_split(
        &mut self,
        column: usize,
        rows: &ClassifiedRows<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Option<SplitCandidate>> {
        let table = self.training.table;
        let ranks = table.ranks.column(column);
        if !ranks.is_empty() {
            let mut gaps = std::mem::take(&mut self.gaps);
            let best =
                self.best_by(ranks, table.ranks.is_distinct(column), column, (rows, &mut gaps), ctl)?;
            self.gaps = gaps;
            return Ok(best);
        }
        let values = table.numbers(column);
        let mut gaps = std::mem::take(&mut self.value_gaps);
        let mut best = self.best_by(values, false, column, (rows, &mut gaps), ctl)?;
        self.value_gaps = gaps;
        if let Some(SplitCandidate { found: SplitRuns::AtMost { bound, .. }, .. }) = &mut best {
            *bound = midpoint_at(values, rows, *bound);
        }
        Ok(best)
    }

    fn best_by<K: ScanKey>(
        &mut self,
        keys: impl ScanKeys<K>,
        apart: bool,
        column: usize,
        (rows, gaps): (&ClassifiedRows<'_>, &mut MajorityIntervals<K>),
        ctl: RunContext<'_>,
    ) -> Result<Option<SplitCandidate>> {
        gaps.anchor(rows.rare, keys, |entry| self.training.class_of(entry) as u32, ctl)?;
        gaps.count(rows.frequent, keys, apart);
        self.known_scorer = None;
        self.n_cuts = 0;
        let n_rows = rows.frequent.len() + rows.rare.len();
        let least = self.settings.min_rows.max(1);
        let feasible = least..=n_rows.saturating_sub(least);
        self.screen = self.screen_of_gaps(column, &feasible, gaps);
        let (mut best, missed) = self.score_runs(column, feasible.clone(), gaps, &[]);
        let is_beaten = best.as_ref().is_some_and(|best| beats(best.score, missed));
        if least > 1 && !feasible.is_empty() && !is_beaten {
            let here: Vec<K> = rows.frequent.iter().map(|&entry| keys.get(row_of(entry))).collect();
            let mut forced = [false, true].map(|from_above| gaps.outermost(&here, least, from_above));
            // The first threshold with `least` rows on the left, and the last with `least` rows on the right. If
            // most rows have the same value, the first may be above the last. Then neither of them is feasible.
            forced.sort_unstable_by_key(|cut| (cut.gap, cut.inside));
            (best, _) = self.score_runs(column, feasible, gaps, &forced);
        }
        self.screen = None;
        Ok(best)
    }

    /// Bounds the scores of the thresholds at both ends of every run that contains a rarer class.
    fn screen_of_gaps<K: ScanKey>(
        &self,
        column: usize,
        feasible: &RangeInclusive<usize>,
        gaps: &MajorityIntervals<K>,
    ) -> Option<Screen> {
        let part = self.column_sums(column, ClassSums::default(), ClassSums::default);
        let feasible = *feasible.start()..feasible.end() + 1;
        let side = FeasibleThresholds { missing_branch: None, feasible, limited: false };
        let frequent = self.training.codes.frequent;
        self.screen(&part, &[side], |pass| {
            let mut n_left = 0;
            let mut rare = gaps.rare.iter().peekable();
            // Masses are counts times weights here, so the entry is not used.
            let mass = |class: usize, n: u32| f64::from(n) * self.weigh.mass(0, class);
            for (index, &anchor) in gaps.anchors.iter().enumerate() {
                pass(Passed::Cut(n_left));
                let (between, equal) = (gaps.counts[2 * index], gaps.counts[2 * index + 1]);
                pass(Passed::Rows(frequent, between, mass(frequent, between)));
                n_left += between as usize;
                pass(Passed::Cut(n_left));
                pass(Passed::Rows(frequent, equal, mass(frequent, equal)));
                n_left += equal as usize;
                while let Some(&(_, class)) = rare.next_if(|&&(key, _)| key == anchor) {
                    pass(Passed::Rows(class as usize, 1, mass(class as usize, 1)));
                    n_left += 1;
                }
            }
            pass(Passed::Cut(n_left));
        })
    }

    /// Scores the ends of every run of equal values that contains a rarer class.
    ///
    /// Also scores the `forced` thresholds, which are ascending. Ends between two runs of the same single
    /// class are skipped, because they are never optimal. `feasible` is the range of numbers of left rows.
    /// Under size limits the outermost feasible thresholds can be optimal inside a run of one class, but no
    /// threshold there scores higher than both ends of the run. Therefore the best score of an infeasible end
    /// is returned together with the best split.
    fn score_runs<K: ScanKey>(
        &mut self,
        column: usize,
        feasible: RangeInclusive<usize>,
        gaps: &MajorityIntervals<K>,
        forced: &[IntervalThreshold<K>],
    ) -> (Option<SplitCandidate>, f64) {
        let all = self.column_sums(column, ClassSums::default(), ClassSums::default);
        let mut best = None;
        let frequent = self.training.codes.frequent;
        self.left.clear();
        let mut walk = IntervalPass { all, feasible, n_left: 0, missed: 0.0 };
        let mut forced = forced.iter().peekable();
        let mut rare = &gaps.rare[..];
        // Class of the previous run, if it has only one.
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
                self.consider_key(gaps.anchors[index - 1].after(), &mut walk, &mut best);
            }
            let mut inside = 0;
            while let Some(cut) = forced.next_if(|cut| cut.gap == index) {
                self.left.rows[frequent] += cut.inside - inside;
                walk.n_left += (cut.inside - inside) as usize;
                inside = cut.inside;
                self.consider_key(cut.bound, &mut walk, &mut best);
            }
            self.left.rows[frequent] += between - inside;
            walk.n_left += (between - inside) as usize;
            let Some(anchor) = anchor else { break };
            if between > 0 {
                self.consider_key(anchor, &mut walk, &mut best);
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

    /// Scores the threshold whose left side contains the rows below a key.
    /// The class sums of these rows are in `self.left`.
    fn consider_key<K: ScanKey>(
        &mut self,
        bound: K,
        walk: &mut IntervalPass<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let is_feasible = walk.feasible.contains(&walk.n_left);
        // The best infeasible score needs no margin to be replaced.
        let so_far = if is_feasible { best.as_ref().map(|best| best.score) } else { None };
        if self.screen.as_ref().is_some_and(|screen| !screen.may_be_optimal(0, walk.n_left, so_far)) {
            return;
        }
        self.weigh.settle(&mut self.left);
        self.fill_table(&walk.all, None);
        if is_feasible {
            self.offer(&walk.all, None, best, || K::found(bound, walk.n_left));
        } else {
            walk.missed = walk.missed.max(self.score(&walk.all));
        }
    }
}

/// Returns the midpoint between the neighboring values of a bound.
/// There must be rows on both sides.
fn midpoint_at(values: Strided<'_>, rows: &ClassifiedRows<'_>, bound: f64) -> f64 {
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for &entry in rows.frequent.iter().chain(&*rows.rare) {
        let value = values.get(row_of(entry));
        if value < bound { lower = lower.max(value) } else { upper = upper.min(value) }
    }
    midpoint(lower, upper)
}

/// State of a pass over the intervals of a column.
struct IntervalPass<'n> {
    all: ColumnSums<'n>,
    /// Numbers of left rows for which both sides are large enough.
    feasible: RangeInclusive<usize>,
    n_left: usize,
    /// Best score of an infeasible threshold.
    missed: f64,
}

//! The best cut of one column without sorting its rows: only the rows of rarer classes are sorted, the others are
//! counted into the gaps between them.
//!
//! A cut between two rows of the most frequent class cannot win (see [`crate::split::cuts`]), so the cuts to score lie
//! at the ends of the runs of equal values that hold a rarer class, and what stands on their left is a count.
//! With masses that are counts times class weights the scores are those of a scan of the sorted rows to the
//! last bit.

use crate::rows::entry::TrainColumn;
use crate::rows::ranks::RankedRows;
use crate::rows::sums::ClassSums;
use crate::rows::weigh::Weigh;
use crate::split::candidate::{Candidate, FoundSplit};
use crate::split::gaps::Gaps;
use crate::split::scanner::{ColumnPart, Scanner};
use imbcore_base::{Result, RunCtl};
use imbcore_criteria::{Choice, Criterion};

impl<C: Criterion, W: Weigh> Scanner<'_, C, W> {
    /// Whether the best split of a column follows from counts of rows between those of rarer classes.
    pub(crate) fn can_count(&self, column: usize) -> bool {
        W::BY_COUNT
            && matches!(self.training.table.columns[column], TrainColumn::Numeric(_))
            && !self.settings.may_miss[column]
            && !self.scores_every_cut(column)
            && self.criterion.choice() == Choice::Score
            && self.settings.min_rows <= 1
            && self.settings.min_mass <= 0.0
            && !self.settings.c45_min
            && self.settings.value_gap == 0.0
            && self.settings.spaced.is_none()
    }

    /// Best split of a column for which [`Scanner::can_count`] holds.
    pub(crate) fn best_of_gaps(
        &mut self,
        column: usize,
        rows: &RankedRows<'_>,
        ctl: RunCtl<'_>,
    ) -> Result<Option<Candidate>> {
        let ranks = self.training.table.ranks.of(column);
        let mut gaps = std::mem::take(&mut self.gaps);
        gaps.anchor(rows.rare, ranks, self.training.table.classes, ctl)?;
        gaps.count(rows.frequent, ranks, self.training.table.ranks.are_apart(column));
        self.known_scorer = None;
        self.n_cuts = 0;
        let best = self.walk(column, rows.frequent.len() + rows.rare.len(), &gaps);
        self.gaps = gaps;
        Ok(best)
    }

    /// Scores the ends of every run of equal values that holds a rarer class, but for those between two runs of one
    /// class, which cannot win either.
    fn walk(&mut self, column: usize, n_rows: usize, gaps: &Gaps) -> Option<Candidate> {
        let all = self.part(column, ClassSums::default(), ClassSums::default);
        let mut best = None;
        let frequent = self.training.table.frequent;
        self.left.clear();
        let mut done = 0;
        let mut rare = &gaps.rare[..];
        // Class of the run before, where it is one; a class that no run has at the start.
        let mut before = None;
        for (index, &anchor) in gaps.anchors.iter().enumerate() {
            let (between, equal) = (gaps.counts[2 * index], gaps.counts[2 * index + 1]);
            let size = rare.iter().take_while(|&&(rank, _)| rank == anchor).count();
            let (run, rest) = rare.split_at(size);
            rare = rest;
            let first = run[0].1;
            let only = (equal == 0 && run.iter().all(|&(_, class)| class == first)).then_some(first);
            if done > 0 && (between > 0 || only.is_none() || only != before) {
                self.consider_rank(gaps.anchors[index - 1] + 1, &all, &mut best);
            }
            if between > 0 {
                self.left.rows[frequent] += between;
                done += between as usize;
                self.consider_rank(anchor, &all, &mut best);
            }
            self.left.rows[frequent] += equal;
            for &(_, class) in run {
                self.left.rows[class as usize] += 1;
            }
            done += equal as usize + size;
            before = only;
        }
        if let Some(&last) = gaps.anchors.last()
            && done < n_rows
        {
            self.consider_rank(last + 1, &all, &mut best);
        }
        best
    }

    /// Scores the cut that leaves the rows under a rank, now summed in `self.left`, on the left.
    fn consider_rank(&mut self, rank: u32, all: &ColumnPart<'_>, best: &mut Option<Candidate>) {
        self.weigh.settle(&mut self.left);
        self.fill_table(all, None);
        self.offer(all, None, best, || FoundSplit::Under(rank));
    }
}

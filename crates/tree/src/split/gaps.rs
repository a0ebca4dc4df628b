//! The best cut of one column without sorting its rows: only the rows of rarer classes are sorted, the others are
//! counted into the gaps between them.
//!
//! A cut between two rows of the most frequent class cannot win (see [`crate::split::scan`]), so the cuts to score lie
//! at the ends of the runs of equal values that hold a rarer class, and what stands on their left is a count.
//! With masses that are counts times class weights the scores are those of a scan of the sorted rows to the
//! last bit.

use crate::rows::ranks::RankedRows;
use crate::rows::sums::{ClassSums, Weigh};
use crate::rows::training::{Entry, TrainColumn, row_of};
use crate::split::scan::{Candidate, Found, Part, Scanner};
use imbcore_base::{Result, RunCtl, radix_sort};
use imbcore_criteria::{Choice, Criterion};

/// Anchors up to this number are compared with every row; beyond it a table says where to start looking.
const FEW: usize = 8;

/// Rows of the most frequent class, counted between the distinct values (anchors) of the other rows.
#[derive(Default)]
pub(crate) struct Gaps {
    /// Rank and class of the rows of rarer classes, by rank.
    rare: Vec<(u32, u32)>,
    /// The distinct ranks among them, and one beyond every rank.
    anchors: Vec<u32>,
    /// Frequent rows: at `2 i` those between anchors `i - 1` and `i`, at `2 i + 1` those equal to anchor `i`.
    counts: Vec<u32>,
    /// First anchor of each slice of the range of ranks.
    first: Vec<u32>,
}

impl Gaps {
    fn anchor(&mut self, rare: &[Entry], ranks: &[u32], classes: &[u32], ctl: RunCtl<'_>) -> Result<()> {
        self.rare.clear();
        self.rare.extend(rare.iter().map(|&entry| (ranks[row_of(entry)], classes[row_of(entry)])));
        if self.rare.len() < 512 {
            self.rare.sort_unstable_by_key(|&(rank, class)| u64::from(rank) << 32 | u64::from(class));
        } else {
            // Rows of one value may come in any order: they are counted together.
            radix_sort(&mut self.rare, ctl)?;
        }
        self.anchors.clear();
        for &(rank, _) in &self.rare {
            if self.anchors.last() != Some(&rank) {
                self.anchors.push(rank);
            }
        }
        Ok(())
    }

    /// `apart` says that no two rows of the column have one value, so that no row equals an anchor.
    fn count(&mut self, frequent: &[Entry], ranks: &[u32], apart: bool) {
        self.counts.clear();
        self.counts.resize(2 * self.anchors.len() + 1, 0);
        if self.anchors.len() <= FEW {
            self.count_by_comparing(frequent, ranks, apart);
        } else {
            self.count_by_table(frequent, ranks);
        }
    }

    /// Many ranks at a time against each anchor: no step depends on the one before.
    fn count_by_comparing(&mut self, frequent: &[Entry], ranks: &[u32], apart: bool) {
        const CHUNK: usize = 256;
        let (mut below, mut up_to) = ([0_u32; FEW], [0_u32; FEW]);
        for chunk in frequent.chunks(CHUNK) {
            let mut here = [0_u32; CHUNK];
            for (slot, &entry) in here.iter_mut().zip(chunk) {
                *slot = ranks[entry as usize];
            }
            let here = &here[..chunk.len()];
            for (place, &anchor) in self.anchors.iter().enumerate() {
                below[place] += here.iter().map(|&rank| u32::from(rank < anchor)).sum::<u32>();
                if !apart {
                    up_to[place] += here.iter().map(|&rank| u32::from(rank <= anchor)).sum::<u32>();
                }
            }
        }
        if apart {
            up_to = below;
        }
        let mut done = 0;
        for place in 0..self.anchors.len() {
            self.counts[2 * place] = below[place] - done;
            self.counts[2 * place + 1] = up_to[place] - below[place];
            done = up_to[place];
        }
        self.counts[2 * self.anchors.len()] = frequent.len() as u32 - done;
    }

    fn count_by_table(&mut self, frequent: &[Entry], ranks: &[u32]) {
        let (lowest, highest) = (self.anchors[0], self.anchors[self.anchors.len() - 1]);
        let slots = (4 * self.anchors.len()).next_power_of_two();
        let mut shift = 0;
        while (highest - lowest) as usize >> shift >= slots {
            shift += 1;
        }
        let last = (highest - lowest) >> shift;
        self.first.clear();
        for (place, &anchor) in self.anchors.iter().enumerate() {
            self.first.resize(((anchor - lowest) >> shift) as usize + 1, place as u32);
        }
        self.first.push(self.anchors.len() as u32);
        self.anchors.push(u32::MAX);
        for &entry in frequent {
            let rank = ranks[entry as usize];
            let slot = (rank.saturating_sub(lowest) >> shift).min(last) as usize;
            let (mut place, end) = (self.first[slot] as usize, self.first[slot + 1] as usize);
            if end - place > FEW {
                place += self.anchors[place..end].partition_point(|&anchor| anchor < rank);
            } else {
                while self.anchors[place] < rank {
                    place += 1;
                }
            }
            self.counts[2 * place + usize::from(self.anchors[place] == rank)] += 1;
        }
        self.anchors.pop();
    }
}

impl<C: Criterion, W: Weigh> Scanner<'_, C, W> {
    /// Whether the best split of a column follows from counts of rows between those of rarer classes.
    pub(crate) fn can_count(&self, column: usize) -> bool {
        W::BY_COUNT
            && matches!(self.training.columns[column], TrainColumn::Numeric(_))
            && !self.settings.may_miss[column]
            && !self.scores_every_cut(column)
            && self.criterion.choice() == Choice::Score
            && self.settings.min_rows <= 1
            && self.settings.min_mass <= 0.0
            && !self.settings.c45_min
            && self.settings.value_gap == 0.0
    }

    /// Best split of a column for which [`Scanner::can_count`] holds.
    pub(crate) fn best_of_gaps(
        &mut self,
        column: usize,
        rows: &RankedRows<'_>,
        ctl: RunCtl<'_>,
    ) -> Result<Option<Candidate>> {
        let ranks = self.training.ranks.of(column);
        let mut gaps = std::mem::take(&mut self.gaps);
        gaps.anchor(rows.rare, ranks, self.training.classes, ctl)?;
        gaps.count(rows.frequent, ranks, self.training.ranks.are_apart(column));
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
        let frequent = self.training.frequent;
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
    fn consider_rank(&mut self, rank: u32, all: &Part<'_>, best: &mut Option<Candidate>) {
        self.weigh.settle(&mut self.left);
        self.fill_table(all, None);
        self.offer(all, None, best, || Found::Under(rank));
    }
}

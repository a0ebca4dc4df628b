//! Joint counts of each pair of features with the class, in blocks of rows to limit memory.

use super::bitmaps::{Bitmaps, count_group_states, group_sizes, max_cells_for_bit_counting};
use crate::score::FamilyScorer;
use crate::table::DiscreteTable;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::parallel::try_map;
use imbcore_core::{Result, RunContext, memory};
use std::ops::Range;

/// Rows per block: the bitmap of one state then has 16 KB, so it fits into the L1 cache.
const BLOCK: usize = 1 << 17;
const MOST_GROUPS: usize = 512;

/// Joint counts of the class and each pair of features.
///
/// `cells[a]` concatenates one table for each later feature `b`. The count of class `c`, state `i` of `a` and
/// state `j` of `b` is at `(c * levels(a) + i) * levels(b) + j` of the table.
pub(crate) struct ClassPairCounts {
    levels: Vec<u32>,
    cells: Vec<Vec<u32>>,
}

impl ClassPairCounts {
    /// Counts all pairs among the columns in `order`; the last of these columns is the class.
    ///
    /// The table must have neither missing values nor weights. Returns `None` if for some pair of features, a
    /// pass over the rows is faster than counting with bitmaps.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn from_table(
        table: &DiscreteTable,
        order: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Option<Self>> {
        let levels: Vec<u32> =
            order.iter().map(|&column| table.n_states_by_column()[column as usize]).collect();
        let mut counts = Self { cells: Vec::new(), levels };
        let (n, c) = (order.len() - 1, counts.n_states(order.len() - 1));
        let few = |(a, b): (usize, usize)| {
            let groups = c * counts.n_states(a);
            groups <= MOST_GROUPS && groups * (counts.n_states(b) - 1) <= max_cells_for_bit_counting()
        };
        if !(0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).all(few) {
            return Ok(None);
        }
        let later = |a: usize| (a + 1..n).map(|b| counts.n_states(b)).sum::<usize>();
        let sizes: Vec<usize> = (0..n).map(|a| c * counts.n_states(a) * later(a)).collect();
        let bytes =
            sizes.iter().fold(0_usize, |sum, size| sum.saturating_add(size.saturating_mul(size_of::<u32>())));
        let purpose = format!("counts of all pairs of {n} columns");
        MemoryEstimate::default()
            .with_bytes(bytes, purpose, "use fewer columns or bins")
            .check("the network")?;
        counts.cells = sizes
            .into_iter()
            .map(|size| memory::filled(size, 0, "counts of pairs"))
            .collect::<Result<_>>()?;
        for start in (0..table.n_rows()).step_by(BLOCK) {
            counts.add_rows(table, order, start..table.n_rows().min(start + BLOCK), ctl)?;
        }
        Ok(Some(counts))
    }

    fn n_states(&self, place: usize) -> usize {
        self.levels[place] as usize
    }

    fn add_rows(
        &mut self,
        table: &DiscreteTable,
        order: &[u32],
        rows: Range<usize>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let codes: Vec<_> =
            order.iter().map(|&column| table.codes_in_rows(column as usize, rows.clone())).collect();
        let (bitmaps, levels) = (Bitmaps::new(&codes, &self.levels, rows.len(), ctl)?, &self.levels);
        let (class, words) = (levels.len() - 1, bitmaps.words_per_bitmap());
        let of_feature = |(a, cells): (usize, &mut Vec<u32>)| {
            ctl.check()?;
            let groups = bitmaps.configuration_bitmaps(&[class as u32, a as u32]);
            let sizes = group_sizes(&groups, words);
            let mut found = Vec::new();
            let mut rest = cells.as_mut_slice();
            for (b, &states) in levels.iter().enumerate().take(class).skip(a + 1) {
                let (own, later) = rest.split_at_mut(sizes.len() * states as usize);
                found.resize(own.len(), 0);
                count_group_states(&groups, &sizes, words, bitmaps.state_bitmaps(b as u32), true, &mut found);
                own.iter_mut().zip(&found).for_each(|(all, more)| *all += more);
                rest = later;
            }
            Ok(())
        };
        try_map(self.cells.iter_mut().enumerate(), of_feature).map(drop)
    }

    /// For each feature after `a`, the score gain if `a` gets this feature as another parent.
    ///
    /// The class already is a parent of `a`.
    pub(crate) fn second_parent_gains(&self, a: usize, score: &FamilyScorer) -> Vec<f64> {
        let (class, n_a) = (self.levels.len() - 1, self.n_states(a));
        let c = self.n_states(class);
        let mut start = 0;
        let gain = |b: usize| {
            let n_b = self.n_states(b);
            let cells = &self.cells[a][start..start + c * n_a * n_b];
            start += cells.len();
            let row =
                move |of: usize, state: usize| (0..n_a).map(move |k| cells[(of * n_a + k) * n_b + state]);
            let with = (0..c).flat_map(move |of| (0..n_b).map(move |state| row(of, state)));
            let total = move |at: usize| cells[at * n_b..(at + 1) * n_b].iter().sum::<u32>();
            let alone = (0..c).map(move |of| (0..n_a).map(move |k| total(of * n_a + k)));
            score.score_family(with, n_a, (c * n_b) as f64) - score.score_family(alone, n_a, c as f64)
        };
        (a + 1..class).map(gain).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{CodeTableForCounting, CountScratch};
    use crate::score::ScoreFunction;
    use imbcore_core::{SeedKey, random_below};

    fn table(n_rows: usize, levels: &[u32]) -> DiscreteTable {
        let mut rng = SeedKey::root(7).rng();
        let mut column = |&levels: &u32| (0..n_rows).map(|_| random_below(&mut rng, levels) as u16).collect();
        DiscreteTable::new(levels.iter().map(&mut column).collect(), levels.to_vec()).unwrap()
    }

    #[test]
    fn blocks_count_what_the_whole_table_counts() {
        let (table, order) = (table(2 * BLOCK + 77, &[2, 3, 1, 5, 4]), [4, 1, 2, 3, 0]);
        let score =
            FamilyScorer::new(ScoreFunction::Likelihood { penalty: 0.0 }, table.total_weight(), false);
        let counter = CodeTableForCounting::new(&table, &order, RunContext::silent()).unwrap();
        let counts = ClassPairCounts::from_table(&table, &order, RunContext::silent()).unwrap().unwrap();
        for a in 0..4 {
            let family = counter.group_rows_by_family::<u32>(a as u32, &[4]);
            let mut scratch = CountScratch::default();
            let gain = |b: u32| family.score_with_parent(b, &score, &mut scratch) - family.score(&score);
            let whole: Vec<f64> = (a as u32 + 1..4).map(gain).collect();
            assert_eq!(counts.second_parent_gains(a, &score), whole);
        }
    }

    #[test]
    fn many_states_are_left_to_a_pass_over_the_rows() {
        let counts = |levels: &[u32]| {
            ClassPairCounts::from_table(&table(10, levels), &[1, 2, 0], RunContext::silent()).unwrap()
        };
        assert!(counts(&[2, 4, 4]).is_some() && counts(&[2, 40, 40]).is_none());
    }
}

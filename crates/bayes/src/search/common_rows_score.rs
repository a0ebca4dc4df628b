//! Family scores for tables with missing values, from comparisons on common rows.
//!
//! The rows without missing values in a family depend on its parents, so different parent sets are usually
//! scored on different rows. The difference of two such scores then contains a random error, which grows with
//! the square root of the number of rows. It exceeds the penalty of BIC, so searches would add arcs between
//! independent variables. Here, a family is compared with the same family without one of its parents on the
//! rows in which all variables of the larger family are known.

use crate::counts::FamilyCounts;
use crate::score::FamilyScorer;
use crate::table::DiscreteTable;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Scores of families in a table with missing values.
///
/// The score of a family with parents `P` is the score without the parent `p`, plus the gain of `p`. The gain
/// is the difference of two scores, with `P` and with `P` without `p`, times a factor. Both scores are
/// computed from the rows in which the child and all of `P` are known. The factor is the number of all rows
/// divided by the number of these rows. `p` is the parent with the smallest gain, or the first of several
/// such parents. The score without `p` follows in the same way. In a table without missing values, this is
/// the usual score, whatever parents are removed first.
///
/// Without the factor, structures whose families have few variables would be preferred, because more rows are
/// known in their families. The factor also multiplies the penalty. An independent parent therefore raises
/// the score as rarely as in a table without missing values that consists of these rows.
#[derive(Debug)]
pub(crate) struct CommonRowsScore<'t> {
    table: &'t DiscreteTable,
    columns: Vec<u32>,
    known: Mutex<BTreeMap<(u32, Vec<u32>), f64>>,
}

impl<'t> CommonRowsScore<'t> {
    pub(crate) fn new(table: &'t DiscreteTable, columns: &[u32]) -> Self {
        Self { table, columns: columns.to_vec(), known: Mutex::default() }
    }

    fn n_states(&self, variable: u32) -> usize {
        self.table.n_states_by_column()[self.columns[variable as usize] as usize] as usize
    }

    /// Score of a child with ascending parents.
    ///
    /// Minus infinity if the parent configurations are too many to be numbered.
    pub(crate) fn family_score(&self, scorer: &FamilyScorer, child: u32, parents: &[u32]) -> f64 {
        let mut left = parents.to_vec();
        let mut steps = Vec::new();
        let mut score = loop {
            let key = (child, left.clone());
            let found = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
            if let Some(score) = found {
                break score;
            }
            let Ok(counts) = self.count_family(child, &left) else { return f64::NEG_INFINITY };
            if left.is_empty() {
                let score = round_to_grid(scorer.score_counts(&counts));
                self.store(key, score);
                break score;
            }
            // The score is capped at its upper bound, because searches exclude families by this bound.
            let levels = counts.n_child_states() as f64;
            let bound = scorer.family_score_bound(levels, counts.n_configurations() as f64);
            let (gain, place) = self.smallest_parent_gain(scorer, &counts, &left);
            left.remove(place);
            steps.push((key, gain, bound));
        };
        for (key, gain, bound) in steps.into_iter().rev() {
            score = (score + round_to_grid(gain)).min(bound);
            self.store(key, score);
        }
        score
    }

    fn count_family(&self, child: u32, parents: &[u32]) -> imbcore_core::Result<FamilyCounts> {
        let column = |variable: u32| self.columns[variable as usize];
        let parents: Vec<u32> = parents.iter().map(|&parent| column(parent)).collect();
        FamilyCounts::from_table(self.table, column(child), &parents)
    }

    fn store(&self, key: (u32, Vec<u32>), score: f64) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, score);
    }

    fn smallest_parent_gain(
        &self,
        scorer: &FamilyScorer,
        counts: &FamilyCounts,
        parents: &[u32],
    ) -> (f64, usize) {
        let levels = counts.n_child_states();
        let configurations = counts.n_configurations() as f64;
        let rows = counts.counts_by_configuration().map(|(_, row)| row.iter().copied());
        let used: f64 = counts.counts_by_configuration().flat_map(|(_, row)| row).sum();
        let factor = if used > 0.0 { self.table.total_weight() / used } else { 1.0 };
        let with_all = scorer.score_family(rows, levels, configurations);
        let mut best = (f64::INFINITY, 0);
        // The states of the last parent vary fastest in the number of a configuration.
        let mut stride = 1;
        for (place, &parent) in parents.iter().enumerate().rev() {
            let states = self.n_states(parent) as u64;
            let mut merged: BTreeMap<u64, usize> = BTreeMap::new();
            let mut cells: Vec<f64> = Vec::new();
            for (number, row) in counts.counts_by_configuration() {
                let rest = number / (stride * states) * stride + number % stride;
                let at = *merged.entry(rest).or_insert_with(|| {
                    cells.resize(cells.len() + levels, 0.0);
                    cells.len() / levels - 1
                });
                cells[at * levels..].iter_mut().zip(row).for_each(|(cell, n)| *cell += n);
            }
            let rows = cells.chunks_exact(levels).map(|row| row.iter().copied());
            let without = scorer.score_family(rows, levels, configurations / states as f64);
            let gain = factor * (with_all - without);
            if gain <= best.0 {
                best = (gain, place);
            }
            stride *= states;
        }
        best
    }
}

/// Rounds a number to a multiple of `2^-24`.
///
/// Both directions of an arc have the same gain. Sums and differences of rounded numbers are exact, so that
/// rounding does not choose the direction.
fn round_to_grid(number: f64) -> f64 {
    const GRID: f64 = 16_777_216.0;
    (number * GRID).round() / GRID
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::ScoreFunction;
    use crate::table::MISSING;
    use imbcore_core::{SeedKey, random_below};

    fn table(seed: u64, n_rows: usize, missing: u32) -> DiscreteTable {
        let mut rng = SeedKey::root(seed).rng();
        let levels = [2, 2, 3, 4, 2];
        let mut columns = vec![Vec::new(); 5];
        for row in 0..n_rows {
            for column in 0..5 {
                let drawn = random_below(&mut rng, levels[column]) as u16;
                let copies = column == 1 && random_below(&mut rng, 4) > 0;
                let first: &Vec<u16> = &columns[0];
                let code = if copies && first[row] != MISSING { first[row] } else { drawn };
                let is_missing = random_below(&mut rng, 100) < missing;
                columns[column].push(if is_missing { MISSING } else { code });
            }
        }
        DiscreteTable::new(columns, levels.to_vec()).unwrap()
    }

    fn scores() -> [ScoreFunction; 5] {
        let bic = ScoreFunction::bic(2000.0, 1.0);
        [bic, ScoreFunction::K2, ScoreFunction::Bdeu { ess: 1.0 }, ScoreFunction::Qnml, ScoreFunction::Fnml]
    }

    #[test]
    fn complete_tables_have_the_usual_scores() {
        let table = table(1, 400, 0);
        for measure in scores() {
            let scorer = FamilyScorer::new(measure, 400.0, false);
            let common = CommonRowsScore::new(&table, &[0, 1, 2, 3, 4]);
            for parents in [&[][..], &[1], &[2, 3], &[1, 2, 4], &[1, 2, 3, 4]] {
                let usual = scorer.score_counts(&FamilyCounts::from_table(&table, 0, parents).unwrap());
                let found = common.family_score(&scorer, 0, parents);
                assert!(
                    (found - usual).abs() < 1e-9 * usual.abs(),
                    "{measure:?} {parents:?}: {found} {usual}"
                );
            }
        }
    }

    fn n_raised(score: impl Fn(u64, &[u32]) -> f64) -> usize {
        let mut raised = 0;
        for seed in 0..20 {
            assert!(score(seed, &[1]) > score(seed, &[]) + 100.0);
            for other in [2, 3, 4] {
                raised += usize::from(score(seed, &[other]) > score(seed, &[]));
                raised += usize::from(score(seed, &[1, other]) > score(seed, &[1]));
            }
        }
        raised
    }

    #[test]
    fn independent_parents_rarely_raise_the_score() {
        let tables: Vec<DiscreteTable> = (0..20).map(|seed| table(seed, 2000, 20)).collect();
        for measure in scores() {
            let scorer = FamilyScorer::new(measure, 2000.0, false);
            let common: Vec<_> =
                tables.iter().map(|table| CommonRowsScore::new(table, &[0, 1, 2, 3, 4])).collect();
            let raised = n_raised(|seed, parents| common[seed as usize].family_score(&scorer, 0, parents));
            assert!(raised <= 6, "{measure:?}: {raised}");
        }
        // If each family is scored by a mean over its own complete rows, independent parents often raise the
        // score.
        let scorer = FamilyScorer::new(ScoreFunction::bic(2000.0, 1.0), 2000.0, true);
        let raised = n_raised(|seed, parents| {
            scorer.score_counts(&FamilyCounts::from_table(&tables[seed as usize], 0, parents).unwrap())
        });
        assert!(raised >= 12, "{raised}");
    }
}

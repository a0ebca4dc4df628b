//! Sums of `n ln n` over the counts of rows by the states of many sets of variables.
//!
//! The log-likelihood of a family is `sum f(N_ijk) - sum f(N_ij)` with `f(n) = n ln n`. `N_ijk` counts rows
//! by the states of child and parents, and `N_ij` by the states of the parents. Each sum depends only on a
//! set of variables, and many families use the same set, so each set is counted only once. Sets are visited
//! in ascending order of their bit masks, so neighboring sets share their highest members. Rows are grouped
//! by the shared members only once. For each set, one pass over the rows then splits the groups by the lowest
//! member of the set.

use super::family::CodeTableForCounting;
use crate::score::RowCount;
use imbcore_core::{Result, RunContext, parallel};

/// Number of variable sets that one parallel task counts.
///
/// It is large enough that neighboring sets share most of the grouping of rows, and small enough to balance
/// the load of the threads.
const SHARE: usize = 512;
/// A table of counts with at most this many cells is kept in four copies.
///
/// Successive rows increment different copies, so that an increment need not wait for the one before.
const APART: usize = 2048;

impl CodeTableForCounting<'_> {
    /// Sum of `n ln n` over the joint states of the variables of each set.
    ///
    /// Here n is the number of rows with a joint state. Sets are bit masks in ascending order. No value may
    /// be missing. `table` contains `n ln n` for the first whole numbers n.
    pub(crate) fn sums_n_ln_n(&self, sets: &[u64], table: &[f64], ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let chunk_worths = |sets: &[u64]| -> Result<Vec<f64>> {
            let mut walk = RowGrouping { counter: self, steps: Vec::new(), used: 0, number: Vec::new() };
            let mut cells = Vec::new();
            let mut worths = Vec::with_capacity(sets.len());
            for &set in sets {
                ctl.check()?;
                if set == 0 {
                    worths.push((self.n_rows() as u32).x_ln_x(table));
                    continue;
                }
                let lowest = set.trailing_zeros();
                walk.group_by(set & (set - 1));
                walk.count_states(lowest, &mut cells);
                worths.push(cells.iter().map(|cell: &u32| cell.x_ln_x(table)).sum());
            }
            Ok(worths)
        };
        Ok(parallel::try_map(sets.chunks(SHARE), chunk_worths)?.concat())
    }
}

#[derive(Default)]
struct GroupingStep {
    variable: u32,
    n_groups: usize,
    of_row: Vec<u32>,
}

/// Variables are added in descending order.
struct RowGrouping<'c> {
    counter: &'c CodeTableForCounting<'c>,
    /// Refinement steps; only the first `used` are valid, and the memory of the others is reused.
    steps: Vec<GroupingStep>,
    used: usize,
    number: Vec<u32>,
}

impl RowGrouping<'_> {
    /// Groups the rows by the variables of `set`.
    ///
    /// If the previous set has the same highest variables, the refinements by these variables are reused.
    fn group_by(&mut self, set: u64) {
        let mut rest = set;
        let mut kept = 0;
        while rest != 0 {
            let highest = rest.ilog2();
            if kept >= self.used || self.steps[kept].variable != highest {
                self.used = kept;
                self.refine_by(highest);
            }
            kept += 1;
            rest &= !(1 << highest);
        }
        self.used = kept;
    }

    fn refine_by(&mut self, variable: u32) {
        if self.steps.len() == self.used {
            self.steps.push(GroupingStep::default());
        }
        let (before, after) = self.steps.split_at_mut(self.used);
        let to = &mut after[0];
        let codes = self.counter.codes(variable);
        to.variable = variable;
        to.of_row.clear();
        if let Some(from) = before.last() {
            let levels = self.counter.n_states_by_variable()[variable as usize];
            self.number.clear();
            self.number.resize(from.n_groups * levels as usize, u32::MAX);
            let mut n_groups = 0;
            for (&group, &code) in from.of_row.iter().zip(codes) {
                let number = &mut self.number[(group * levels + u32::from(code)) as usize];
                if *number == u32::MAX {
                    *number = n_groups;
                    n_groups += 1;
                }
                to.of_row.push(*number);
            }
            to.n_groups = n_groups as usize;
        } else {
            to.n_groups = self.counter.n_states_by_variable()[variable as usize] as usize;
            to.of_row.extend(codes.iter().map(|&code| u32::from(code)));
        }
        self.used += 1;
    }

    fn count_states(&self, variable: u32, cells: &mut Vec<u32>) {
        let codes = self.counter.codes(variable);
        let levels = self.counter.n_states_by_variable()[variable as usize] as usize;
        cells.clear();
        let Some(step) = self.used.checked_sub(1).map(|last| &self.steps[last]) else {
            cells.resize(levels, 0);
            for &code in codes {
                cells[usize::from(code)] += 1;
            }
            return;
        };
        let size = step.n_groups * levels;
        let parts = if size <= APART { 4 } else { 1 };
        cells.resize(size * parts, 0);
        let at = |row: usize| step.of_row[row] as usize * levels + usize::from(codes[row]);
        let whole = codes.len() / parts * parts;
        for row in (0..whole).step_by(parts) {
            for part in 0..parts {
                cells[part * size + at(row + part)] += 1;
            }
        }
        for row in whole..codes.len() {
            cells[at(row)] += 1;
        }
        for part in 1..parts {
            for cell in 0..size {
                cells[cell] += cells[part * size + cell];
            }
        }
        cells.truncate(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::FamilyCounts;
    use crate::score::{FamilyScorer, ScoreFunction, x_ln_x};
    use crate::table::DiscreteTable;
    use imbcore_core::{SeedKey, random_below};

    #[test]
    fn families_are_differences_of_sets() {
        let levels = vec![2, 3, 5, 2, 40, 3];
        let mut rng = SeedKey::root(7).rng();
        for rows in [1, 5, 64, 700] {
            let column = |&levels: &u32| (0..rows).map(|_| random_below(&mut rng, levels) as u16).collect();
            let table = DiscreteTable::new(levels.iter().map(column).collect(), levels.clone()).unwrap();
            let ctl = RunContext::silent();
            let counter = CodeTableForCounting::new(&table, &[0, 1, 2, 3, 4, 5], ctl).unwrap();
            let sets: Vec<u64> = (0..64).collect();
            // The lookup table is short, so that the test also covers counts n whose `n ln n` is not in the
            // table.
            let known: Vec<f64> = (0..20_u32).map(|n| x_ln_x(f64::from(n))).collect();
            let worths = counter.sums_n_ln_n(&sets, &known, ctl).unwrap();
            let worth = |set: u64| worths[set as usize];
            let score =
                FamilyScorer::new(ScoreFunction::Likelihood { penalty: 0.0 }, table.total_weight(), true);
            for child in 0..6_u32 {
                for set in (0..64_u64).filter(|set| set >> child & 1 == 0) {
                    let parents: Vec<u32> = (0..6).filter(|v| set >> v & 1 == 1).collect();
                    let slow =
                        score.score_counts(&FamilyCounts::from_table(&table, child, &parents).unwrap());
                    let fast = worth(set | 1 << child) - worth(set);
                    assert!((fast - slow).abs() < 1e-9 * slow.abs().max(1.0), "{child} {parents:?}");
                }
            }
        }
    }
}

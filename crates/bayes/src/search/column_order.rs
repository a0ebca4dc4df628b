//! Order of the columns in a search, by which ties between equal scores are broken.

use super::decomposable_score::DecomposableScore;
use super::graph_state::Operation;
use crate::dag::Dag;
use crate::info::{entropy_of, state_counts};
use crate::table::DiscreteTable;
use imbcore_core::{Result, RunContext};

#[derive(Clone, Debug)]
pub(crate) struct ColumnOrder {
    columns: Vec<u32>,
    ranks: Vec<u32>,
}

impl ColumnOrder {
    fn new(columns: Vec<u32>) -> Self {
        let mut ranks = vec![0; columns.len()];
        for (rank, &column) in columns.iter().enumerate() {
            ranks[column as usize] = rank as u32;
        }
        Self { columns, ranks }
    }

    pub(crate) fn identity(n: usize) -> Self {
        Self::new((0..n as u32).collect())
    }

    pub(crate) fn reversed(&self) -> Self {
        Self::new(self.columns.iter().rev().copied().collect())
    }

    pub(crate) fn columns(&self) -> &[u32] {
        &self.columns
    }

    pub(crate) fn rank(&self, column: u32) -> u32 {
        self.ranks[column as usize]
    }

    pub(crate) fn dag_with_column_numbers(&self, parents: &[Vec<u32>]) -> Result<Dag> {
        let own = |&rank: &u32| {
            parents[rank as usize].iter().map(|&parent| self.columns[parent as usize]).collect()
        };
        Dag::new(self.ranks.iter().map(own).collect())
    }

    pub(crate) fn operation_with_column_numbers(&self, operation: Operation) -> Operation {
        let column = |rank: u32| self.columns[rank as usize];
        match operation {
            Operation::Add(from, to) => Operation::Add(column(from), column(to)),
            Operation::Remove(from, to) => Operation::Remove(column(from), column(to)),
            Operation::Reverse(from, to) => Operation::Reverse(column(from), column(to)),
        }
    }
}

/// Wraps a score function for searches in the reverse column order.
///
/// A search in the reverse order can therefore share a cache of scores with a search in the original order.
pub(crate) struct ReverseOrderScore<'a>(pub(crate) &'a dyn DecomposableScore);

impl ReverseOrderScore<'_> {
    fn reverse_rank(&self, v: u32) -> u32 {
        self.0.n_variables() as u32 - 1 - v
    }

    fn reverse_ranks(&self, parents: &[u32]) -> Vec<u32> {
        parents.iter().rev().map(|&parent| self.reverse_rank(parent)).collect()
    }
}

impl DecomposableScore for ReverseOrderScore<'_> {
    fn n_variables(&self) -> usize {
        self.0.n_variables()
    }

    fn is_symmetric(&self) -> bool {
        self.0.is_symmetric()
    }

    fn family_score_bound(&self, child: u32, parents: &[u32]) -> f64 {
        self.0.family_score_bound(self.reverse_rank(child), &self.reverse_ranks(parents))
    }

    fn family_score(&self, child: u32, parents: &[u32]) -> f64 {
        self.0.family_score(self.reverse_rank(child), &self.reverse_ranks(parents))
    }

    fn scores_with_each_parent(
        &self,
        child: u32,
        parents: &[u32],
        others: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let others: Vec<u32> = others.iter().map(|&other| self.reverse_rank(other)).collect();
        self.0.scores_with_each_parent(self.reverse_rank(child), &self.reverse_ranks(parents), &others, ctl)
    }
}

/// Orders the columns by ascending entropy, rounded to 1e-9.
///
/// Columns with equal entropies are ordered by their number of states, then by their sorted counts, then by
/// their names, or as in the table if they have no names. With names, results do not depend on the order of
/// the columns in the table (Kitson and Constantinou 2025 explain why this matters).
pub(crate) fn order_columns_by_entropy(table: &DiscreteTable, ctl: RunContext<'_>) -> Result<ColumnOrder> {
    let facts = |column: u32| {
        ctl.check()?;
        let mut counts = state_counts(table, column);
        let entropy = (entropy_of(&counts) * 1e9).round();
        counts.sort_by(f64::total_cmp);
        Ok((entropy, counts, column, table.name_rank(column)))
    };
    let mut all: Vec<(f64, Vec<f64>, u32, u32)> =
        (0..table.n_columns() as u32).map(facts).collect::<Result<_>>()?;
    all.sort_by(|a, b| {
        let counts = || a.1.iter().zip(&b.1).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        let by = a.0.total_cmp(&b.0).then(a.1.len().cmp(&b.1.len()));
        by.then_with(|| counts().unwrap_or(std::cmp::Ordering::Equal)).then(a.3.cmp(&b.3))
    });
    Ok(ColumnOrder::new(all.into_iter().map(|(_, _, column, _)| column).collect()))
}

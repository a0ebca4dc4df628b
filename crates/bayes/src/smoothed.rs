//! Probability tables of columns with many levels, smoothed toward tables with fewer parents.
//!
//! If a parent has many levels, each row of the table has few rows of data. The estimate is therefore a
//! weighted mean of the observed frequencies and an estimate from the table without this parent. The parent
//! with most states is left out first. The smaller table is estimated in the same way (back-off smoothing
//! with the m-estimates of Cestnik 1990). The weights maximize the likelihood of training rows that are left
//! out one at a time. Tables without such columns are not smoothed.

use crate::counts::FamilyCounts;
use crate::cpt::{Cpt, DENSE_CELLS};
use crate::dag::Dag;
use crate::estimate::FamilyEstimator;
use crate::info::state_counts;
use crate::table::DiscreteTable;
use imbcore_core::{Result, RunContext, parallel};
use std::collections::BTreeMap;

/// Minimum number of states of a sparse column.
pub const MANY_STATES: u32 = 20;
/// Minimum number of rows of the rarest class per state; a column with fewer rows is sparse.
///
/// A sparse column must also have at least [`MANY_STATES`] states.
pub const ROWS_PER_STATE: f64 = 5.0;
/// End (exclusive) of the exponents of the candidate weights, which are powers of two.
///
/// The exponents start at -1. A weight belongs to the estimate from the table with fewer parents.
const N_WEIGHTS: i32 = 18;

/// Sparse columns: columns with many states and few rows of the rarest class per state.
///
/// Estimates of their probability tables and of their mutual information are corrected.
#[derive(Clone, Debug)]
pub(crate) struct SparseColumns {
    of: Vec<bool>,
}

impl SparseColumns {
    pub(crate) fn find_sparse(table: &DiscreteTable, class: u32) -> Self {
        let rows = state_counts(table, class).into_iter().filter(|&rows| rows > 0.0);
        let rarest = rows.fold(f64::INFINITY, f64::min);
        let is_sparse = |(at, &levels): (usize, &u32)| {
            at as u32 != class && levels >= MANY_STATES && rarest < ROWS_PER_STATE * f64::from(levels)
        };
        Self { of: table.n_states_by_column().iter().enumerate().map(is_sparse).collect() }
    }

    pub(crate) fn without_sparse_columns(table: &DiscreteTable) -> Self {
        Self { of: vec![false; table.n_columns()] }
    }

    pub(crate) fn contains(&self, column: u32) -> bool {
        self.of[column as usize]
    }

    /// Degrees of freedom for a test whether two columns are independent given the class.
    ///
    /// Only states that occur are counted. If `b` is `None`, the test is whether `a` and the class are
    /// independent.
    pub(crate) fn degrees_of_freedom(
        table: &DiscreteTable,
        a: u32,
        b: Option<u32>,
        class: u32,
    ) -> Result<f64> {
        let Some(b) = b else {
            let occurring =
                |column: u32| state_counts(table, column).iter().filter(|&&n| n > 0.0).count() as f64;
            return Ok((occurring(a) - 1.0) * (occurring(class) - 1.0));
        };
        let occurring = |column: u32| -> Result<Vec<f64>> {
            let mut of_classes = vec![0.0; table.n_states_by_column()[class as usize] as usize];
            for (key, row) in FamilyCounts::from_table(table, column, &[class])?.counts_by_configuration() {
                of_classes[key as usize] = row.iter().filter(|&&n| n > 0.0).count() as f64;
            }
            Ok(of_classes)
        };
        let of_class = |(a, b): (f64, f64)| (a - 1.0).max(0.0) * (b - 1.0).max(0.0);
        Ok(occurring(a)?.into_iter().zip(occurring(b)?).map(of_class).sum())
    }
}

/// Smooths each probability table whose child or parents include a sparse column.
///
/// # Errors
/// Same errors as [`crate::estimate()`].
pub(crate) fn smooth_sparse_tables(
    cpts: Vec<Cpt>,
    dag: &Dag,
    (class, sparse): (u32, &SparseColumns),
    estimator: &FamilyEstimator<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<Cpt>> {
    parallel::try_map((0..).zip(cpts), |(child, cpt): (u32, Cpt)| {
        ctl.check()?;
        let parents = dag.parents(child as usize);
        if !sparse.contains(child) && !parents.iter().any(|&parent| sparse.contains(parent)) {
            return Ok(cpt);
        }
        SmoothedTable::new(child, parents, (class, sparse), estimator)?.to_cpt(class)
    })
}

/// A probability table, and smaller tables with fewer parents, toward which it is smoothed.
struct SmoothedTable<'a> {
    table: &'a DiscreteTable,
    child: u32,
    parents: Vec<Vec<u32>>,
    rows: Vec<BTreeMap<u64, Vec<f64>>>,
    last: Cpt,
}

impl<'a> SmoothedTable<'a> {
    fn new(
        child: u32,
        parents: &[u32],
        (class, sparse): (u32, &SparseColumns),
        estimator: &FamilyEstimator<'a>,
    ) -> Result<Self> {
        let table = estimator.training_table();
        let levels = |parent: u32| (parent != class, table.n_states_by_column()[parent as usize], parent);
        let mut chain = vec![parents.to_vec()];
        loop {
            let own = &chain[chain.len() - 1];
            // If the child is sparse, all parents are removed one after the other, the class last. Otherwise
            // only sparse parents are removed.
            let candidates = own.iter().filter(|&&parent| sparse.contains(child) || sparse.contains(parent));
            let Some(widest) = candidates.copied().max_by_key(|&parent| levels(parent)) else { break };
            let fewer = own.iter().copied().filter(|&parent| parent != widest).collect();
            chain.push(fewer);
        }
        let last = estimator.estimate_family(child, &chain[chain.len() - 1])?;
        let n_smoothed = chain.len() - 1;
        let mut smoothed = Self { table, child, parents: chain, rows: Vec::new(), last };
        smoothed.rows = vec![BTreeMap::new(); n_smoothed];
        for at in (0..n_smoothed).rev() {
            smoothed.rows[at] = smoothed.smoothed_rows(at, class)?;
        }
        Ok(smoothed)
    }

    fn smoothed_rows(&self, at: usize, class: u32) -> Result<BTreeMap<u64, Vec<f64>>> {
        let counts = FamilyCounts::from_table(self.table, self.child, &self.parents[at])?;
        // Each class has its own smoothing weight, because frequent and rare classes need different weights.
        let place = self.parents[at].iter().position(|&parent| parent == class);
        let mut by_class: BTreeMap<u32, Vec<LeaveOneOutCounts<'_>>> = BTreeMap::new();
        for (key, counts) in counts.counts_by_configuration() {
            let states = self.parents_with_states(at, key);
            let row = LeaveOneOutCounts { key, counts, fewer: self.smoothed_distribution(at + 1, &states) };
            by_class.entry(place.map_or(0, |place| states[place].1)).or_default().push(row);
        }
        let mut smoothed = BTreeMap::new();
        for rows in by_class.values() {
            let weight = best_smoothing_weight(rows);
            smoothed.extend(rows.iter().map(|row| (row.key, row.smoothed_probabilities(weight))));
        }
        Ok(smoothed)
    }

    fn parents_with_states(&self, at: usize, mut key: u64) -> Vec<(u32, u32)> {
        let mut states = Vec::with_capacity(self.parents[at].len());
        for &parent in self.parents[at].iter().rev() {
            let levels = u64::from(self.table.n_states_by_column()[parent as usize]);
            states.push((parent, (key % levels) as u32));
            key /= levels;
        }
        states.reverse();
        states
    }

    /// Distribution of the child in the table with index `at` for given states of its parents.
    ///
    /// If no row of the data has these states, it is the distribution in the next smaller table.
    fn smoothed_distribution(&self, at: usize, states: &[(u32, u32)]) -> &[f64] {
        let key = |at: usize| {
            let own = states.iter().filter(|(parent, _)| self.parents[at].contains(parent));
            own.fold(0, |key, &(parent, state)| {
                key * u64::from(self.table.n_states_by_column()[parent as usize]) + u64::from(state)
            })
        };
        let held = (at..self.rows.len()).find_map(|at| self.rows[at].get(&key(at)));
        match held {
            Some(row) => row,
            None => self.last.row(key(self.rows.len())),
        }
    }

    /// Returns the smoothed table with all parents.
    ///
    /// A large table stores only some rows; all other rows are uniform. If states of the parents other than
    /// the class occur in training, the table stores the rows of all classes for these states. A class
    /// without such training rows would otherwise get a uniform distribution, which cannot be compared with
    /// the distributions of the other classes.
    fn to_cpt(&self, class: u32) -> Result<Cpt> {
        let (parents, levels) =
            (self.parents[0].clone(), self.table.n_states_by_column()[self.child as usize]);
        let parent_levels: Vec<u32> =
            parents.iter().map(|&parent| self.table.n_states_by_column()[parent as usize]).collect();
        let n_rows =
            parent_levels.iter().try_fold(1_u64, |rows, &levels| rows.checked_mul(u64::from(levels)));
        let cells = n_rows.and_then(|rows| rows.checked_mul(u64::from(levels)));
        let row = |key: u64| self.smoothed_distribution(0, &self.parents_with_states(0, key)).iter().copied();
        if let (Some(n_rows), true) = (n_rows, cells.is_some_and(|cells| cells <= DENSE_CELLS)) {
            return Cpt::from_dense_cells(
                parents,
                parent_levels,
                levels,
                (0..n_rows).flat_map(row).collect(),
            );
        }
        let mut keys: Vec<u64> = self.rows[0].keys().copied().collect();
        if let Some(at) = parents.iter().position(|&parent| parent == class) {
            let step: u64 = parent_levels[at + 1..].iter().map(|&levels| u64::from(levels)).product();
            let n_classes = u64::from(parent_levels[at]);
            let of_classes = |key: u64| {
                let first = key - key / step % n_classes * step;
                (0..n_classes).map(move |class| first + class * step)
            };
            keys = keys.into_iter().flat_map(of_classes).collect();
            keys.sort_unstable();
            keys.dedup();
        }
        let p = keys.iter().flat_map(|&key| row(key)).collect();
        Cpt::from_sparse_rows(parents, parent_levels, levels, keys, p)
    }
}

/// Counts for one parent configuration, and the child's distribution with fewer parents.
struct LeaveOneOutCounts<'a> {
    key: u64,
    counts: &'a [f64],
    fewer: &'a [f64],
}

impl LeaveOneOutCounts<'_> {
    /// Smoothed distribution `(n_k + m q_k) / (n + m)` with the weight m.
    ///
    /// The counts `n_k` sum to n; q is the distribution `fewer`.
    fn smoothed_probabilities(&self, weight: f64) -> Vec<f64> {
        let total = self.counts.iter().sum::<f64>() + weight;
        self.counts.iter().zip(self.fewer).map(|(count, q)| (count + weight * q) / total).collect()
    }

    /// Log-likelihood of one parent configuration; each row is predicted from its other rows.
    fn leave_one_out_log_likelihood(&self, weight: f64) -> f64 {
        let total = (self.counts.iter().sum::<f64>() - 1.0).max(0.0) + weight;
        let cells = self.counts.iter().zip(self.fewer).filter(|(count, _)| **count > 0.0);
        cells.map(|(count, q)| count * (((count - 1.0).max(0.0) + weight * q) / total).ln()).sum()
    }
}

/// Smoothing weight with the largest likelihood if each row is predicted from all other rows.
///
/// If several weights have the largest likelihood, the largest weight is returned.
fn best_smoothing_weight(rows: &[LeaveOneOutCounts<'_>]) -> f64 {
    let mut best = (f64::NEG_INFINITY, 0.5);
    for power in -1..N_WEIGHTS {
        let weight = f64::from(power).exp2();
        let likelihood = rows.iter().map(|row| row.leave_one_out_log_likelihood(weight)).sum();
        if likelihood >= best.0 {
            best = (likelihood, weight);
        }
    }
    best.1
}

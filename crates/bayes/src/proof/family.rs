//! Family scores of the proof checker, and the filter that selects families.
//!
//! A family is a variable with its parents.

use super::directed::{add_rounded_up, sum_rounded_up};
use super::graph_proof::CutFamilyCosts;
use super::row_groups::{CodeColumns, RowGroups};
use crate::score::{FamilyScorer, x_ln_x};
use imbcore_core::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScoredParentSet {
    pub(crate) set: u64,
    pub(crate) score: f64,
}

/// Computes scores by counting rows, with code that is independent of the structure search.
pub(crate) struct ReferenceFamilyScorer<'a> {
    pub(crate) codes: CodeColumns,
    pub(crate) score: &'a FamilyScorer,
    /// For each variable, the constant added to its score if it has parents.
    pub(crate) bonus: &'a [f64],
    /// Entropy of variable `v` given `u` in nats, times the number of rows, at `v * n + u`.
    ///
    /// Here n is the number of variables. If `u` is `v`, it is the entropy of `v` alone.
    pub(crate) left: Vec<f64>,
}

pub(crate) struct FamilyQuery<'a> {
    pub(crate) child: u32,
    pub(crate) required: u64,
    pub(crate) others: &'a [u32],
    pub(crate) max_parents: u32,
    pub(crate) payments: Vec<CutFamilyCosts<'a>>,
    /// Parent sets with a reduced score (see the module `proof`) of at most this are left out.
    pub(crate) min_reduced_score: f64,
    /// The enumeration stops as soon as a parent set has a larger reduced score than this.
    pub(crate) limit: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct EnumeratedFamilies {
    pub(crate) kept: Vec<ScoredParentSet>,
    /// Largest reduced score of the parent sets that were scored by counting rows.
    pub(crate) most: f64,
    pub(crate) counted: u64,
}

impl FamilyQuery<'_> {
    pub(crate) fn total_cut_cost(&self, set: u64) -> f64 {
        sum_rounded_up(self.payments.iter().map(|payment| payment.weighted_cost(set)))
    }
}

impl<'a> ReferenceFamilyScorer<'a> {
    pub(crate) fn new(codes: CodeColumns, score: &'a FamilyScorer, bonus: &'a [f64]) -> Self {
        let mut plain = Self { codes, score, bonus, left: Vec::new() };
        if plain.penalty_per_parameter().is_some() {
            let n = plain.codes.levels.len() as u32;
            let whole = plain.codes.single_group();
            let mut counts = Vec::new();
            for (v, u) in (0..n).flat_map(|v| (0..n).map(move |u| (v, u))) {
                plain.codes.count_child_states(&whole, (u != v).then_some(u), v, &mut counts);
                plain.left.push(-plain.log_likelihood(&counts, v));
            }
        }
        plain
    }

    /// Penalty per parameter if the score is a penalized likelihood (AIC, BIC), else `None`.
    ///
    /// It is also `None` if a constant is added to some scores (`bonus`).
    pub(crate) fn penalty_per_parameter(&self) -> Option<f64> {
        self.score.penalty_per_parameter().filter(|_| self.bonus.iter().all(|&bonus| bonus == 0.0))
    }

    pub(crate) fn n_configurations(&self, set: u64) -> f64 {
        members_of_set(set).map(|v| f64::from(self.codes.levels[v as usize])).product()
    }

    fn log_likelihood(&self, counts: &[u32], child: u32) -> f64 {
        let known = self.score.n_ln_n_table();
        let n_ln_n = |n: u32| known.get(n as usize).copied().unwrap_or_else(|| x_ln_x(f64::from(n)));
        let row = |own: &[u32]| own.iter().map(|&n| n_ln_n(n)).sum::<f64>() - n_ln_n(own.iter().sum());
        counts.chunks(self.codes.levels[child as usize] as usize).map(row).sum()
    }

    /// Upper bound on the score of `child` with any parents that include `set`.
    ///
    /// The bound needs no counts. It is `None` unless the score is a penalized likelihood.
    pub(crate) fn superset_score_bound(&self, child: u32, set: u64) -> Option<f64> {
        let cost = self.score.penalty_per_parameter()? * self.n_configurations(set);
        Some(self.bonus[child as usize].max(0.0) - cost * f64::from(self.codes.levels[child as usize] - 1))
    }

    /// Score of `child` with the parents `set`, a conditional entropy, and a bound.
    ///
    /// The entropy is that of `child` given `set`, times the number of rows. It is 0 unless the score is a
    /// penalized likelihood. The bound is an upper bound on the score of `child` with any proper superset of
    /// `set`.
    pub(crate) fn score_entropy_and_bound(&self, counts: &[u32], child: u32, set: u64) -> (f64, f64, f64) {
        let (levels, all) = (self.codes.levels[child as usize], self.n_configurations(set));
        let bonus = self.bonus[child as usize];
        let own = if set == 0 { 0.0 } else { bonus };
        if let (Some(ceiling), Some(penalty)) =
            (self.superset_score_bound(child, set), self.score.penalty_per_parameter())
        {
            let likelihood = self.log_likelihood(counts, child);
            return (likelihood - penalty * all * f64::from(levels - 1) + own, -likelihood, ceiling);
        }
        let rows = counts.chunks(levels as usize).map(|row| row.iter().copied());
        let occur = rows.len() as f64;
        let score = self.score.score_family(rows, levels as usize, all) + own;
        let ceiling = if self.score.has_configuration_penalty() {
            -occur * f64::from(levels).ln()
        } else {
            self.score.family_score_bound(f64::from(levels), all)
        };
        (score, 0.0, ceiling + bonus.max(0.0))
    }

    pub(crate) fn score(&self, child: u32, parents: &[u32]) -> f64 {
        let set = parents.iter().map(|&v| 1 << v).sum();
        let mut counts = Vec::new();
        self.codes.count_child_states(&self.group_rows_by_parents(child, set), None, child, &mut counts);
        self.score_entropy_and_bound(&counts, child, set).0
    }

    /// For a penalized likelihood, groups in which the child has only one state are left out.
    pub(crate) fn group_rows_by_parents(&self, child: u32, parents: u64) -> RowGroups {
        members_of_set(parents)
            .fold(self.codes.single_group(), |groups, v| self.split_groups_by_parent(&groups, v, child))
    }

    /// For a penalized likelihood, groups in which the child has only one state are left out.
    pub(crate) fn split_groups_by_parent(&self, groups: &RowGroups, by: u32, child: u32) -> RowGroups {
        let mut next = RowGroups::default();
        self.codes.split_groups_by_column(
            groups,
            by,
            child,
            self.score.penalty_per_parameter().is_some(),
            &mut next,
        );
        next
    }
}

impl EnumeratedFamilies {
    pub(crate) fn add_family(&mut self, wanted: &FamilyQuery<'_>, set: u64, score: f64) -> bool {
        self.counted += 1;
        let worth = add_rounded_up(score, wanted.total_cut_cost(set));
        self.most = self.most.max(worth);
        let keep = worth > wanted.min_reduced_score;
        if keep {
            self.kept.push(ScoredParentSet { set, score });
        }
        keep
    }
}

/// Maximum number of parent sets in memory.
///
/// A certificate whose multipliers exclude few parent sets would otherwise exhaust the memory.
pub(crate) const MOST_FAMILIES: usize = 4_000_000;

#[derive(Debug, Default)]
pub(crate) struct FamilyMemoryBudget(AtomicUsize);

impl FamilyMemoryBudget {
    /// Adds `n` parent sets to the number in memory.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the number exceeds [`MOST_FAMILIES`].
    pub(crate) fn add_families(&self, n: usize) -> Result<()> {
        let before = self.0.fetch_add(n, Ordering::Relaxed);
        if before.saturating_add(n) > MOST_FAMILIES { Err(Error::Cancelled) } else { Ok(()) }
    }

    pub(crate) fn remove_families(&self, n: usize) {
        self.0.fetch_sub(n, Ordering::Relaxed);
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MOST_FAMILIES
    }
}

pub(crate) fn members_of_set(set: u64) -> impl Iterator<Item = u32> + Clone {
    (0..u64::BITS).filter(move |v| set >> v & 1 == 1)
}

//! Score interface of the searches: one family, or a family with each additional parent.

use super::common_rows_score::CommonRowsScore;
use crate::counts::{CodeTableForCounting, CountScratch, GroupedFamily};
use crate::score::{FamilyScorer, RowCount};
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, parallel};

/// Work that reads fewer memory words than this (about 200 microseconds) uses one thread.
const WORTH_A_THREAD: usize = 800_000;

pub(crate) trait DecomposableScore: Sync {
    fn n_variables(&self) -> usize;

    /// Whether `a -> b` and `b -> a` have equal gains if a and b have no other parents.
    fn is_symmetric(&self) -> bool;

    fn family_score_bound(&self, child: u32, parents: &[u32]) -> f64;

    /// Whether the upper bounds usually exclude most parent sets from a search.
    fn has_tight_bounds(&self) -> bool {
        false
    }

    /// Upper bound on the score of `child` with `parents` or any superset of them.
    fn superset_score_bound(&self, child: u32, parents: &[u32]) -> f64 {
        self.family_score_bound(child, parents)
    }

    /// Penalty in nats per parameter, and the number of states of each variable.
    ///
    /// The result is `None` if the score is not a penalized likelihood, or if constants are added to scores.
    /// It is also `None` if the table has missing values or weights.
    fn penalty_per_parameter(&self) -> Option<(f64, &[u32])> {
        None
    }

    /// For each set of variables, the sum of `n ln n` over all combinations of their states.
    ///
    /// Here n is the number of rows with the combination. Sets are bit masks in ascending order. The score of
    /// a child is the sum for the set of child and parents, minus the sum for the set of parents, minus the
    /// penalty. Only scores with a [`Self::penalty_per_parameter`] support this method.
    fn sums_n_ln_n(&self, _sets: &[u64], _ctl: RunContext<'_>) -> Result<Vec<f64>> {
        Err(Error::Internal("this score is not a difference of set sums".into()))
    }

    fn family_score(&self, child: u32, parents: &[u32]) -> f64;

    fn scores_with_each_parent(
        &self,
        child: u32,
        parents: &[u32],
        others: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>>;
}

pub(crate) struct CountingScore<'t, N> {
    counter: CodeTableForCounting<'t>,
    score: FamilyScorer,
    common_rows: Option<CommonRowsScore<'t>>,
    bonus: Vec<f64>,
    symmetric: bool,
    count: std::marker::PhantomData<N>,
}

impl<'t, N: RowCount> CountingScore<'t, N> {
    pub(crate) fn new(
        counter: CodeTableForCounting<'t>,
        score: FamilyScorer,
        bonus: Option<Vec<f64>>,
    ) -> Self {
        let n = counter.n_states_by_variable().len();
        let symmetric = score.is_score_equivalent() && bonus.is_none() && !counter.has_missing_values();
        let bonus = bonus.unwrap_or_else(|| vec![0.0; n]);
        Self { counter, score, common_rows: None, bonus, symmetric, count: std::marker::PhantomData }
    }

    pub(crate) fn with_common_rows(self, table: &'t DiscreteTable, columns: &[u32]) -> Self {
        let is_incomplete = self.counter.has_missing_values();
        Self { common_rows: is_incomplete.then(|| CommonRowsScore::new(table, columns)), ..self }
    }

    fn group_rows_by_family(&self, child: u32, parents: &[u32]) -> GroupedFamily<'_, N> {
        self.counter.group_rows_by_family(child, parents)
    }
}

impl<N: RowCount> DecomposableScore for CountingScore<'_, N> {
    fn n_variables(&self) -> usize {
        self.counter.n_states_by_variable().len()
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn family_score_bound(&self, child: u32, parents: &[u32]) -> f64 {
        let levels = self.counter.n_states_by_variable();
        let configurations = parents.iter().map(|&parent| f64::from(levels[parent as usize])).product();
        self.score.family_score_bound(f64::from(levels[child as usize]), configurations)
            + self.bonus[child as usize].max(0.0)
    }

    fn has_tight_bounds(&self) -> bool {
        let penalised = self.score.penalty_per_parameter().is_some_and(|penalty| penalty > 0.0);
        self.counter.is_complete_and_unweighted() && (penalised || self.score.has_configuration_penalty())
    }

    fn superset_score_bound(&self, child: u32, parents: &[u32]) -> f64 {
        if !self.score.has_configuration_penalty() || !self.counter.is_complete_and_unweighted() {
            return self.family_score_bound(child, parents);
        }
        // At least as many parent configurations occur if more parents are added, so the bound also holds for
        // supersets.
        let occur = self.group_rows_by_family(child, parents).n_configurations() as f64;
        -occur * f64::from(self.counter.n_states_by_variable()[child as usize]).ln()
            + self.bonus[child as usize].max(0.0)
    }

    fn penalty_per_parameter(&self) -> Option<(f64, &[u32])> {
        let plain = self.symmetric && self.counter.is_complete_and_unweighted();
        Some((self.score.penalty_per_parameter().filter(|_| plain)?, self.counter.n_states_by_variable()))
    }

    fn sums_n_ln_n(&self, sets: &[u64], ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.counter.sums_n_ln_n(sets, self.score.n_ln_n_table(), ctl)
    }

    fn family_score(&self, child: u32, parents: &[u32]) -> f64 {
        let bonus = if parents.is_empty() { 0.0 } else { self.bonus[child as usize] };
        match &self.common_rows {
            Some(common) => common.family_score(&self.score, child, parents) + bonus,
            None => self.group_rows_by_family(child, parents).score(&self.score) + bonus,
        }
    }

    fn scores_with_each_parent(
        &self,
        child: u32,
        parents: &[u32],
        others: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        if self.common_rows.is_some() {
            return parallel::try_map(others, |&other| {
                ctl.check()?;
                let mut family = parents.to_vec();
                family.insert(family.partition_point(|&parent| parent < other), other);
                Ok(self.family_score(child, &family))
            });
        }
        let family = self.group_rows_by_family(child, parents);
        let bonus = self.bonus[child as usize];
        let one = |scratch: &mut CountScratch<N>, other: u32| {
            ctl.check()?;
            Ok(family.score_with_parent(other, &self.score, scratch) + bonus)
        };
        if family.counting_cost() * others.len() < ctl.task_size(WORTH_A_THREAD) {
            let mut scratch = CountScratch::default();
            return others.iter().map(|&other| one(&mut scratch, other)).collect();
        }
        parallel::try_map_with(others, CountScratch::default, |scratch, &other| one(scratch, other))
    }
}

/// Scores that are a constant plus a sum over arcs minus a penalty.
///
/// See Morán Jiménez 2018, section 4.4.2.
pub(crate) struct PairwiseScore {
    pub(crate) levels: Vec<u32>,
    /// Score of the arc `x -> y`, at `y * n + x`.
    pub(crate) arcs: Vec<f64>,
    pub(crate) alone: Vec<f64>,
    /// Nats per parameter.
    pub(crate) penalty: f64,
}

impl DecomposableScore for PairwiseScore {
    fn n_variables(&self) -> usize {
        self.levels.len()
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn family_score_bound(&self, _: u32, _: &[u32]) -> f64 {
        f64::INFINITY
    }

    fn family_score(&self, child: u32, parents: &[u32]) -> f64 {
        let row = &self.arcs[child as usize * self.levels.len()..];
        let arcs: f64 = parents.iter().map(|&parent| row[parent as usize]).sum();
        let configurations: f64 =
            parents.iter().map(|&parent| f64::from(self.levels[parent as usize])).product();
        let parameters = configurations * (f64::from(self.levels[child as usize]) - 1.0);
        self.alone[child as usize] + arcs - self.penalty * parameters
    }

    fn scores_with_each_parent(
        &self,
        child: u32,
        parents: &[u32],
        others: &[u32],
        _: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let one = |&other: &u32| {
            let mut family = parents.to_vec();
            family.push(other);
            family.sort_unstable();
            self.family_score(child, &family)
        };
        Ok(others.iter().map(one).collect())
    }
}

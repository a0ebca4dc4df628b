//! Cache of family scores, with the changes of each parent set that improve its score.
//!
//! Searches over orders and climbs from many graphs need the scores of the same families repeatedly.
//!
//! In a search over orders, the parents of a variable are selected from the variables before it, in steps
//! from one [`FamilyExtensionScores`] to a better one. A step adds the parent with the largest gain. If no
//! addition raises the score, the step removes a parent that does not improve the score. If there is no such
//! parent, the step exchanges a parent. Additions and removals are the grow-shrink trees of Andrews et al.
//! (2023). Exchanges are an extension. They help if parents `a` and `b` have much the same information about
//! the child, `a` was added first, and `b` is better together with other parents. Without exchanges, `a`
//! would stay.
//!
//! Cached values depend only on the data and the constraints, so all searches in all threads share one cache.

use super::arc_constraints::ArcConstraints;
use super::decomposable_score::DecomposableScore;
use imbcore_core::{Result, RunContext};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

pub(crate) type ParentBits = Vec<u64>;

pub(crate) fn has_variable_bit(bits: &[u64], v: u32) -> bool {
    bits[v as usize / 64] >> (v % 64) & 1 == 1
}

pub(crate) fn set_variable_bit(bits: &mut [u64], v: u32) {
    bits[v as usize / 64] |= 1 << (v % 64);
}

#[derive(Debug)]
pub(crate) struct FamilyExtensionScores {
    child: u32,
    pub(crate) parents: Vec<u32>,
    pub(crate) score: f64,
    pub(crate) with: Vec<f64>,
    /// Additional parents that raise the score, the best first.
    grow: Vec<ParentSetChange>,
    /// Scores of the same child without its least useful parent.
    ///
    /// The option is `None` if every allowed removal of a parent lowers the score.
    shrink: OnceLock<Option<Arc<FamilyExtensionScores>>>,
    /// Replacements of one parent by another variable that raise the score, the best first.
    swap: OnceLock<Vec<ParentSetChange>>,
}

/// A change to another parent set, in which `enters` is added and `leaves` is removed.
#[derive(Debug)]
struct ParentSetChange {
    enters: u32,
    leaves: Option<u32>,
    to: OnceLock<Arc<FamilyExtensionScores>>,
}

#[derive(Debug, Default)]
struct FamilyCache {
    columns: BTreeMap<Vec<u32>, Arc<FamilyExtensionScores>>,
    scores: BTreeMap<Vec<u32>, f64>,
}

pub(crate) struct CachedScorer<'a> {
    families: &'a dyn DecomposableScore,
    pub(crate) rules: &'a ArcConstraints,
    /// A gain of at most this counts as 0, because scores of equal graphs differ by rounding.
    pub(crate) tolerance: f64,
    known: Vec<Mutex<FamilyCache>>,
}

impl<'a> CachedScorer<'a> {
    pub(crate) fn new(
        families: &'a dyn DecomposableScore,
        rules: &'a ArcConstraints,
        tolerance: f64,
    ) -> Self {
        let known = (0..families.n_variables()).map(|_| Mutex::default()).collect();
        Self { families, rules, tolerance, known }
    }

    fn lock_family_cache(&self, child: u32) -> MutexGuard<'_, FamilyCache> {
        self.known[child as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of cached scores: the number of cached parent sets times the number of variables.
    ///
    /// This number does not depend on the number of threads if the same parent sets are requested.
    pub(crate) fn n_cached_scores(&self) -> u64 {
        let n = self.n_variables();
        let columns: usize = (0..n).map(|child| self.lock_family_cache(child as u32).columns.len()).sum();
        (columns * n) as u64
    }

    pub(crate) fn family_extension_scores(
        &self,
        child: u32,
        parents: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Arc<FamilyExtensionScores>> {
        if let Some(found) = self.lock_family_cache(child).columns.get(parents) {
            return Ok(found.clone());
        }
        // Rows are counted without holding the lock, so that other threads do not wait. Two threads may then
        // compute the same scores, with the same result.
        let counted = Arc::new(self.compute_extension_scores(child, parents, ctl)?);
        Ok(self.lock_family_cache(child).columns.entry(parents.to_vec()).or_insert(counted).clone())
    }

    fn compute_extension_scores(
        &self,
        child: u32,
        parents: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<FamilyExtensionScores> {
        let n = self.n_variables();
        let room = self.rules.max_parents.is_none_or(|most| parents.len() < most as usize);
        let allowed = |&other: &u32| {
            room && other != child && self.rules.allows_arc(other, child) && !parents.contains(&other)
        };
        let others: Vec<u32> = (0..n as u32).filter(allowed).collect();
        let score = self.family_score(child, parents);
        let mut with = vec![f64::NEG_INFINITY; n];
        for (&other, value) in
            others.iter().zip(self.families.scores_with_each_parent(child, parents, &others, ctl)?)
        {
            with[other as usize] = value;
        }
        let gains = others.into_iter().map(|enters| (with[enters as usize], enters, None)).collect();
        let grow = self.rank_improving_changes(score, gains);
        let (shrink, swap) = (OnceLock::new(), OnceLock::new());
        Ok(FamilyExtensionScores { child, parents: parents.to_vec(), score, with, grow, shrink, swap })
    }

    /// Keeps only the changes of parents that raise the score, the best change first.
    ///
    /// Of changes with equal scores, the change with the lowest new parent comes first.
    fn rank_improving_changes(
        &self,
        score: f64,
        mut all: Vec<(f64, u32, Option<u32>)>,
    ) -> Vec<ParentSetChange> {
        all.retain(|&(value, ..)| value > score + self.tolerance);
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        all.into_iter()
            .map(|(_, enters, leaves)| ParentSetChange { enters, leaves, to: OnceLock::new() })
            .collect()
    }

    /// Changes the parents of `start` step by step, until no change raises the score.
    ///
    /// The new parents are variables in the set `before`.
    pub(crate) fn best_parents_within<'c>(
        &self,
        start: &'c Arc<FamilyExtensionScores>,
        before: &[u64],
        ctl: RunContext<'_>,
    ) -> Result<&'c Arc<FamilyExtensionScores>> {
        let mut column = start;
        loop {
            let open = |step: &&ParentSetChange| has_variable_bit(before, step.enters);
            column = if let Some(step) = column.grow.iter().find(open) {
                self.apply_parent_set_change(column, step, ctl)?
            } else if let Some(fewer) = self.without_least_useful_parent(column, ctl)? {
                fewer
            } else if let Some(step) = self.rank_parent_swaps(column, ctl)?.iter().find(open) {
                self.apply_parent_set_change(column, step, ctl)?
            } else {
                return Ok(column);
            };
        }
    }

    fn apply_parent_set_change<'c>(
        &self,
        column: &FamilyExtensionScores,
        step: &'c ParentSetChange,
        ctl: RunContext<'_>,
    ) -> Result<&'c Arc<FamilyExtensionScores>> {
        if let Some(to) = step.to.get() {
            return Ok(to);
        }
        let mut parents = column.parents.clone();
        parents.retain(|&parent| Some(parent) != step.leaves);
        parents.insert(parents.partition_point(|&parent| parent < step.enters), step.enters);
        let to = self.family_extension_scores(column.child, &parents, ctl)?;
        Ok(step.to.get_or_init(|| to))
    }

    fn without_least_useful_parent<'c>(
        &self,
        column: &'c FamilyExtensionScores,
        ctl: RunContext<'_>,
    ) -> Result<Option<&'c Arc<FamilyExtensionScores>>> {
        if column.shrink.get().is_none() {
            let mut best: Option<(f64, Vec<u32>)> = None;
            for (_, rest) in self.parent_sets_without_one(column) {
                let score = self.family_score(column.child, &rest);
                if score >= column.score && best.as_ref().is_none_or(|&(most, _)| score > most) {
                    best = Some((score, rest));
                }
            }
            let to =
                best.map(|(_, rest)| self.family_extension_scores(column.child, &rest, ctl)).transpose()?;
            column.shrink.get_or_init(|| to);
        }
        Ok(column.shrink.get().and_then(Option::as_ref))
    }

    /// Each parent that is not required, with the parents that remain after its removal.
    fn parent_sets_without_one(&self, column: &FamilyExtensionScores) -> Vec<(u32, Vec<u32>)> {
        let may_go = |&&parent: &&u32| !self.rules.requires_arc(parent, column.child);
        let rest = |&leaves: &u32| {
            (leaves, column.parents.iter().copied().filter(|&parent| parent != leaves).collect())
        };
        column.parents.iter().filter(may_go).map(rest).collect()
    }

    fn rank_parent_swaps<'c>(
        &self,
        column: &'c FamilyExtensionScores,
        ctl: RunContext<'_>,
    ) -> Result<&'c [ParentSetChange]> {
        if column.swap.get().is_none() {
            let mut all = Vec::new();
            for (leaves, rest) in self.parent_sets_without_one(column) {
                let rest = self.family_extension_scores(column.child, &rest, ctl)?;
                let values = (0_u32..).zip(&rest.with).filter(|&(enters, _)| enters != leaves);
                all.extend(values.map(|(enters, &value)| (value, enters, Some(leaves))));
            }
            column.swap.get_or_init(|| self.rank_improving_changes(column.score, all));
        }
        Ok(column.swap.get().map_or(&[], Vec::as_slice))
    }
}

impl DecomposableScore for CachedScorer<'_> {
    fn n_variables(&self) -> usize {
        self.families.n_variables()
    }

    fn is_symmetric(&self) -> bool {
        self.families.is_symmetric()
    }

    fn family_score_bound(&self, child: u32, parents: &[u32]) -> f64 {
        self.families.family_score_bound(child, parents)
    }

    fn family_score(&self, child: u32, parents: &[u32]) -> f64 {
        if let Some(&found) = self.lock_family_cache(child).scores.get(parents) {
            return found;
        }
        let score = self.families.family_score(child, parents);
        self.lock_family_cache(child).scores.insert(parents.to_vec(), score);
        score
    }

    fn scores_with_each_parent(
        &self,
        child: u32,
        parents: &[u32],
        others: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let column = self.family_extension_scores(child, parents, ctl)?;
        Ok(others.iter().map(|&other| column.with[other as usize]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CodeTableForCounting;
    use crate::score::{FamilyScorer, ScoreFunction};
    use crate::search::decomposable_score::CountingScore;
    use crate::table::DiscreteTable;
    use imbcore_core::{SeedKey, random_below};

    fn table(seed: u64) -> DiscreteTable {
        let mut rng = SeedKey::root(seed).rng();
        let mut columns: Vec<Vec<u16>> = Vec::new();
        for v in 0..6 {
            let (a, b) =
                (random_below(&mut rng, v.max(1)) as usize, random_below(&mut rng, v.max(1)) as usize);
            let echo =
                |row: usize| columns.get(a).map_or(0, |a| a[row]) + columns.get(b).map_or(0, |b| b[row]);
            let code = |row| {
                if random_below(&mut rng, 4) == 0 { random_below(&mut rng, 3) as u16 } else { echo(row) % 3 }
            };
            let column = (0..200).map(code).collect();
            columns.push(column);
        }
        DiscreteTable::new(columns, vec![3; 6]).unwrap()
    }

    /// Reference for [`CachedScorer::best_parents_within`]: the same changes without a cache.
    fn plain(
        families: &impl DecomposableScore,
        rules: &ArcConstraints,
        child: u32,
        before: &[u32],
        tolerance: f64,
    ) -> (f64, Vec<u32>) {
        let score = |parents: &[u32]| families.family_score(child, parents);
        let sorted = |parents: &mut dyn Iterator<Item = u32>| {
            let mut sorted: Vec<u32> = parents.collect();
            sorted.sort_unstable();
            sorted
        };
        let room = |parents: &[u32]| rules.max_parents.is_none_or(|most| parents.len() <= most as usize);
        let mut now = Vec::new();
        loop {
            let first = |sets: Vec<Vec<u32>>, least: f64| {
                let best = sets.into_iter().filter(|set| room(set)).map(|set| (score(&set), set));
                best.filter(|&(value, _)| value > least).reduce(|a, b| if b.0 > a.0 { b } else { a })
            };
            let outside = |now: &[u32]| -> Vec<u32> {
                before.iter().copied().filter(|v| !now.contains(v) && rules.allows_arc(*v, child)).collect()
            };
            let most = score(&now) + tolerance;
            let added = outside(&now).into_iter().map(|v| sorted(&mut now.iter().copied().chain([v])));
            let rest = |out: u32| now.iter().copied().filter(move |&v| v != out);
            let dropped = now.iter().map(|&out| rest(out).collect());
            let swapped = outside(&now)
                .into_iter()
                .flat_map(|v| now.iter().map(move |&out| (v, out)))
                .map(|(v, out)| sorted(&mut rest(out).chain([v])));
            let next = first(added.collect(), most)
                .or_else(|| first(dropped.collect(), score(&now) - 1e-9))
                .or_else(|| first(swapped.collect(), most));
            match next {
                Some((_, set)) => now = set,
                None => return (score(&now), now),
            }
        }
    }

    #[test]
    fn steps_from_memory_are_those_counted_anew() {
        for seed in 0..20 {
            let table = table(seed);
            let mut rules = ArcConstraints::new(6, (seed % 2 == 0).then_some(2));
            rules.forbid_arc(1, 4);
            let ctl = RunContext::silent();
            let counter = CodeTableForCounting::new(&table, &[0, 1, 2, 3, 4, 5], ctl).unwrap();
            let score = FamilyScorer::new(ScoreFunction::bic(200.0, 0.2), 200.0, false);
            let families = CountingScore::<u32>::new(counter, score, None);
            let memory = CachedScorer::new(&families, &rules, 1e-7);
            for child in 0..6_u32 {
                let root = memory.family_extension_scores(child, &[], ctl).unwrap();
                for set in (0..64_u64).filter(|set| set >> child & 1 == 0) {
                    let before: Vec<u32> = (0..6).filter(|v| set >> v & 1 == 1).collect();
                    let fast = memory.best_parents_within(&root, &[set], ctl).unwrap();
                    let (score, parents) = plain(&families, &rules, child, &before, 1e-7);
                    assert!((fast.score - score).abs() < 1e-7, "{seed} {child} {before:?}: {parents:?}");
                }
            }
            assert!(memory.n_cached_scores() < 6 * 6 * 64);
        }
    }
}

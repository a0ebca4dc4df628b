//! The parent sets that an optimal graph may have.
//!
//! A parent set is useless if one of its subsets scores as much, because removing arcs keeps a graph acyclic.
//! Sets are enumerated by size. A set is dropped together with its supersets if a bound shows that all of
//! them are useless. There are two bounds:
//!
//! - No superset of a set `S` scores more than the bound [`DecomposableScore::superset_score_bound`] of `S`.
//!   The supersets are useless if a subset of `S` already has this score (de Campos and Ji 2011).
//! - In a superset of `S`, an additional parent `j` gains at most the entropy of the child given `S`, and at
//!   most the entropy of `j` given `S`. It adds at least the penalty that it adds to `S`. If this penalty is
//!   larger than the gain, all supersets of `S` with `j` are useless (de Campos, Scanagatta, Corani and
//!   Zaffalon 2018).

use super::arc_constraints::ArcConstraints;
use super::decomposable_score::DecomposableScore;
use super::search_limits::{SearchLimits, StopReason};
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Error, Result, parallel};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) type VariableSet = u64;

pub(crate) const MOST_VARIABLES: usize = 64;

/// Maximum number of parent sets of one size, over all children, that may be in memory.
const MOST_SETS: usize = 40_000_000;

const BETWEEN_LOOKS: usize = 2048;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScoredParents {
    pub(crate) set: VariableSet,
    pub(crate) score: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct CandidateParentSets {
    /// Parent sets, best first; of sets with equal scores, smaller sets come first.
    pub(crate) sets: Vec<ScoredParents>,
    /// Upper bound on the score of the parent sets that the enumeration did not reach.
    ///
    /// It is minus infinity if the enumeration is complete.
    pub(crate) others: f64,
    pub(crate) looked_at: u64,
}

impl CandidateParentSets {
    pub(crate) fn max_score(&self) -> f64 {
        self.sets.first().map_or(self.others, |first| first.score.max(self.others))
    }
}

#[derive(Clone, Copy, Debug)]
struct ExpandableParentSet {
    set: VariableSet,
    score: f64,
    best: f64,
}

pub(crate) fn members_of_set(set: VariableSet) -> impl Iterator<Item = u32> + Clone {
    (0..VariableSet::BITS).filter(move |v| set >> v & 1 == 1)
}

pub(crate) fn member_list(set: VariableSet) -> Vec<u32> {
    members_of_set(set).collect()
}

struct ChildEnumeration {
    variable: u32,
    required: VariableSet,
    level: Vec<ExpandableParentSet>,
    found: CandidateParentSets,
}

type UnscoredParentSet = (VariableSet, f64);

/// Sets of variables, ascending, each with a sum over the combinations of their states.
///
/// The summands are `n ln n`, where n is the number of rows with the combination.
type EntropySumsBySet = Vec<(VariableSet, f64)>;

type StoppableResult<T> = std::result::Result<T, StopReason>;

/// If a limit stops the enumeration early, the reason is returned, too.
pub(crate) fn enumerate_candidates(
    families: &dyn DecomposableScore,
    rules: &ArcConstraints,
    tolerance: f64,
    clock: SearchLimits<'_>,
) -> Result<(Vec<CandidateParentSets>, Option<StopReason>)> {
    let (left, waiting) = (conditional_entropies(families, clock)?, AtomicUsize::new(0));
    let enumeration = ParentSetEnumeration {
        families,
        rules,
        tolerance,
        clock: clock.without_progress_reports(),
        left,
        waiting,
    };
    let n = families.n_variables() as u32;
    let mut children: Vec<ChildEnumeration> =
        (0..n).map(|child| enumeration.initial_enumeration_state(child)).collect();
    let mut worths = EntropySumsBySet::new();
    let mut stopped = None;
    while stopped.is_none() && children.iter().any(|child| !child.level.is_empty()) {
        stopped = enumeration.extend_parent_sets(&mut children, &mut worths)?;
        clock.ctl.report_progress("parent sets", children.iter().map(|child| child.found.looked_at).sum(), 0);
    }
    let closed = |mut child: ChildEnumeration| {
        if stopped.is_some() {
            // The enumeration has been stopped, so this bound is computed without counting rows.
            let bound = |open: &ExpandableParentSet| {
                families.family_score_bound(child.variable, &member_list(open.set))
            };
            child.found.others = child.level.iter().map(bound).fold(f64::NEG_INFINITY, f64::max);
        }
        sort_by_score(child.found)
    };
    Ok((children.into_iter().map(closed).collect(), stopped))
}

/// Entropy of variable `v` given `u` in nats, times the number of rows, at `v * n + u`.
///
/// Here n is the number of variables. If `u` is `v`, it is the entropy of `v` alone. The list is empty if the
/// score has no [`DecomposableScore::penalty_per_parameter`].
fn conditional_entropies(families: &dyn DecomposableScore, clock: SearchLimits<'_>) -> Result<Vec<f64>> {
    let n = families.n_variables() as u32;
    if families.penalty_per_parameter().is_none() {
        return Ok(Vec::new());
    }
    let pair = |v: u32, u: u32| 1 << v | 1 << u;
    let mut sets: Vec<VariableSet> =
        (0..n).flat_map(|v| (0..=v).map(move |u| pair(v, u))).chain([0]).collect();
    sets.sort_unstable();
    let worths: EntropySumsBySet =
        sets.iter().copied().zip(families.sums_n_ln_n(&sets, clock.ctl)?).collect();
    let given = |v: u32, u: u32| if u == v { 0 } else { 1 << u };
    let entropy =
        |v: u32, u: u32| entropy_sum_of_set(&worths, given(v, u)) - entropy_sum_of_set(&worths, pair(v, u));
    Ok((0..n).flat_map(|v| (0..n).map(move |u| (v, u))).map(|(v, u)| entropy(v, u)).collect())
}

/// Sum of `n ln n` stored for a set of variables; NaN if no sum is stored for the set.
fn entropy_sum_of_set(worths: &EntropySumsBySet, set: VariableSet) -> f64 {
    worths.binary_search_by_key(&set, |&(set, _)| set).map_or(f64::NAN, |at| worths[at].1)
}

struct ParentSetEnumeration<'a> {
    families: &'a dyn DecomposableScore,
    rules: &'a ArcConstraints,
    tolerance: f64,
    clock: SearchLimits<'a>,
    left: Vec<f64>,
    /// Number of parent sets of the current size that are to be scored, over all children.
    waiting: AtomicUsize,
}

impl ParentSetEnumeration<'_> {
    fn initial_enumeration_state(&self, child: u32) -> ChildEnumeration {
        let n = self.families.n_variables() as u32;
        let required: VariableSet =
            (0..n).filter(|&v| self.rules.requires_arc(v, child)).map(|v| 1 << v).sum();
        let score = self.families.family_score(child, &member_list(required));
        let sets = vec![ScoredParents { set: required, score }];
        let found = CandidateParentSets { sets, others: f64::NEG_INFINITY, looked_at: 1 };
        ChildEnumeration {
            variable: child,
            required,
            level: vec![ExpandableParentSet { set: required, score, best: score }],
            found,
        }
    }

    /// Extends the current parent sets by one parent; returns the reason if a limit stops it.
    fn extend_parent_sets(
        &self,
        children: &mut [ChildEnumeration],
        worths: &mut EntropySumsBySet,
    ) -> Result<Option<StopReason>> {
        self.waiting.store(0, Ordering::Relaxed);
        let next: StoppableResult<Vec<Vec<UnscoredParentSet>>> =
            parallel::map(&*children, |child| self.unscored_supersets(child)).into_iter().collect();
        let scored = match next {
            Ok(next) => self.score_pending_sets(children, &next, worths)?.map(|scores| (next, scores)),
            Err(stopped) => Err(stopped),
        };
        let (next, scores) = match scored {
            Ok(scored) => scored,
            Err(stopped) => return Ok(Some(stopped)),
        };
        parallel::map(children.iter_mut().zip(next).zip(scores), |((child, next), scores)| {
            child.add_undominated_sets(next, &scores, self.tolerance);
        });
        Ok(None)
    }

    /// Possibly useful supersets of the current parent sets, each with one more parent.
    ///
    /// Each superset is returned with the best score of its subsets.
    fn unscored_supersets(&self, child: &ChildEnumeration) -> StoppableResult<Vec<UnscoredParentSet>> {
        let (n, required) = (self.families.n_variables() as u32, child.required);
        let most = self.rules.max_parents.unwrap_or(u32::MAX);
        let allowed = |&v: &u32| {
            v != child.variable && required >> v & 1 == 0 && self.rules.allows_arc(v, child.variable)
        };
        let mut next = Vec::new();
        for open in child.level.iter().filter(|open| open.set.count_ones() < most) {
            let before = next.len();
            let first = VariableSet::BITS - (open.set & !required).leading_zeros();
            for set in (first..n).filter(allowed).map(|v| open.set | 1 << v) {
                next.extend(self.best_subset_score(child, set, open.best).map(|best| (set, best)));
            }
            let waiting = self.waiting.fetch_add(next.len() - before, Ordering::Relaxed);
            let full = (waiting > MOST_SETS).then_some(StopReason::MaxSets);
            if let Some(why) = self.clock.stop_reason(0).or(full) {
                return Err(why);
            }
        }
        Ok(next)
    }

    /// Best score of the proper subsets of `set`; `None` if a bound shows that `set` is useless.
    ///
    /// `least` is a score that some proper subset has.
    fn best_subset_score(&self, child: &ChildEnumeration, set: VariableSet, least: f64) -> Option<f64> {
        let cost = self.family_penalty(child.variable, set);
        let ceiling = cost.map(|cost| -cost);
        if ceiling.is_some_and(|ceiling| ceiling <= least + self.tolerance) {
            return None;
        }
        let mut best = f64::NEG_INFINITY;
        for v in members_of_set(set & !child.required) {
            let rest = set & !(1 << v);
            let at = child.level.binary_search_by_key(&rest, |open| open.set).ok()?;
            let open = &child.level[at];
            if cost.is_some_and(|cost| !self.can_gain_exceed_penalty(open, v, cost)) {
                return None;
            }
            best = best.max(open.best);
        }
        let ceiling =
            ceiling.unwrap_or_else(|| self.families.superset_score_bound(child.variable, &member_list(set)));
        (ceiling > best + self.tolerance).then_some(best)
    }

    fn family_penalty(&self, child: u32, parents: VariableSet) -> Option<f64> {
        let (penalty, states) = self.families.penalty_per_parameter()?;
        let states = |v: u32| f64::from(states[v as usize]);
        Some(penalty * (states(child) - 1.0) * members_of_set(parents).map(states).product::<f64>())
    }

    /// Whether adding parent `v` to `open` or a superset may gain more than the added penalty.
    ///
    /// `cost` is the penalty with the parents `open` and `v`.
    fn can_gain_exceed_penalty(&self, open: &ExpandableParentSet, v: u32, cost: f64) -> bool {
        let n = self.families.n_variables();
        let states =
            self.families.penalty_per_parameter().map_or(1.0, |(_, states)| f64::from(states[v as usize]));
        let without = cost / states;
        let given = members_of_set(open.set | 1 << v).map(|u| self.left[v as usize * n + u as usize]);
        given.fold(-(open.score + without), f64::min) + self.tolerance > cost - without
    }

    fn score_pending_sets(
        &self,
        children: &[ChildEnumeration],
        next: &[Vec<UnscoredParentSet>],
        worths: &mut EntropySumsBySet,
    ) -> Result<StoppableResult<Vec<Vec<f64>>>> {
        let n_sets: usize = next.iter().map(Vec::len).sum();
        let is_penalized = self.families.penalty_per_parameter().is_some();
        let of_set = if is_penalized { 3 * size_of::<VariableSet>() + size_of::<f64>() } else { 0 };
        let bytes = n_sets.saturating_mul(size_of::<f64>() + of_set);
        let purpose = format!("the scores of {n_sets} parent sets");
        let remedy = "use fewer columns, or set max_parents";
        MemoryEstimate::default().with_bytes(bytes, purpose, remedy).check("the exact search")?;
        let all = children.iter().zip(next);
        if !is_penalized {
            let scored = parallel::try_map(all, |(child, next)| self.score_sets_of_child(child, next))?;
            return Ok(scored.into_iter().collect());
        }
        let mut sets: Vec<VariableSet> = Vec::new();
        for (child, next) in all.clone() {
            sets.extend(next.iter().flat_map(|&(set, _)| [set, set | 1 << child.variable]));
        }
        sets.par_sort_unstable();
        sets.dedup();
        if let Some(stopped) = self.update_entropy_sums(sets, worths)? {
            return Ok(Err(stopped));
        }
        let score = |(child, next): (&ChildEnumeration, &Vec<UnscoredParentSet>)| {
            let set_score = |&(set, _): &UnscoredParentSet| {
                let cost = self.family_penalty(child.variable, set).unwrap_or(0.0);
                entropy_sum_of_set(worths, set | 1 << child.variable) - entropy_sum_of_set(worths, set) - cost
            };
            next.iter().map(set_score).collect()
        };
        Ok(Ok(parallel::map(all, score)))
    }

    /// Replaces `worths` by the sums of `n ln n` for `sets`, which are ascending.
    ///
    /// Sums that `worths` already contains are not computed again.
    fn update_entropy_sums(
        &self,
        sets: Vec<VariableSet>,
        worths: &mut EntropySumsBySet,
    ) -> Result<Option<StopReason>> {
        let old = std::mem::take(worths);
        let known = |set: &VariableSet| {
            old.binary_search_by_key(set, |&(set, _)| set).ok().map(|at| (*set, old[at].1))
        };
        worths.extend(sets.iter().filter_map(known));
        let new: Vec<VariableSet> = sets.into_iter().filter(|set| known(set).is_none()).collect();
        for sets in new.chunks(BETWEEN_LOOKS) {
            if let Some(why) = self.clock.stop_reason(0) {
                return Ok(Some(why));
            }
            match self.families.sums_n_ln_n(sets, self.clock.ctl) {
                Err(Error::Cancelled) => return Ok(Some(StopReason::Interrupted)),
                found => worths.extend(sets.iter().copied().zip(found?)),
            }
        }
        worths.par_sort_unstable_by_key(|&(set, _)| set);
        Ok(None)
    }

    /// Sets that differ only in their highest parent are counted together.
    fn score_sets_of_child(
        &self,
        child: &ChildEnumeration,
        next: &[UnscoredParentSet],
    ) -> Result<StoppableResult<Vec<f64>>> {
        let highest = |set: VariableSet| (set & !child.required).ilog2();
        let rest = |set: VariableSet| set & !(1 << highest(set));
        let mut scores = Vec::with_capacity(next.len());
        for alike in next.chunk_by(|a, b| rest(a.0) == rest(b.0)) {
            if let Some(why) = self.clock.stop_reason(0) {
                return Ok(Err(why));
            }
            let others: Vec<u32> = alike.iter().map(|&(set, _)| highest(set)).collect();
            let parents = member_list(rest(alike[0].0));
            match self.families.scores_with_each_parent(child.variable, &parents, &others, self.clock.ctl) {
                Err(Error::Cancelled) => return Ok(Err(StopReason::Interrupted)),
                found => scores.extend(found?),
            }
        }
        Ok(Ok(scores))
    }
}

impl ChildEnumeration {
    fn add_undominated_sets(&mut self, next: Vec<UnscoredParentSet>, scores: &[f64], tolerance: f64) {
        self.found.looked_at += scores.len() as u64;
        self.level.clear();
        for ((set, best), &score) in next.into_iter().zip(scores) {
            if score > best + tolerance {
                self.found.sets.push(ScoredParents { set, score });
            }
            self.level.push(ExpandableParentSet { set, score, best: best.max(score) });
        }
        self.level.sort_unstable_by_key(|open| open.set);
    }
}

fn sort_by_score(mut found: CandidateParentSets) -> CandidateParentSets {
    found.sets.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.set.count_ones().cmp(&b.set.count_ones())).then(a.set.cmp(&b.set))
    });
    found
}

//! Best order score search (Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld 2023).
//!
//! An order of the variables represents a graph: [`CachedScorer::best_parents_within`] selects the parents of
//! each variable from the variables before it. The search moves each variable in turn to its best place in
//! the order, until no variable moves.

use super::backward_phase::backward_phase;
use super::cached_scorer::{CachedScorer, FamilyExtensionScores, ParentBits, set_variable_bit};
use super::hill_climbing::SearchResult;
use super::random_graphs::random_order;
use super::search_limits::{SearchLimits, StopReason};
use crate::dag::Dag;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Error, Result, RunContext, SeedKey, tags};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// An order of the variables that the search improves.
///
/// Between moves, `scores[place]` is the score of the variable at this place, with the best parents among the
/// variables before it. A variable always comes after its required parents.
pub(crate) struct BestOrderSearch<'a> {
    families: &'a CachedScorer<'a>,
    /// For each variable, the scores with its required parents as the only parents.
    roots: Vec<Arc<FamilyExtensionScores>>,
    order: Vec<u32>,
    scores: Vec<f64>,
    moves: u32,
    words: usize,
}

impl<'a> BestOrderSearch<'a> {
    /// Starts the search from an order in which each variable comes after its required parents.
    pub(crate) fn new(families: &'a CachedScorer<'a>, order: Vec<u32>, ctl: RunContext<'_>) -> Result<Self> {
        let n = order.len() as u32;
        // For each variable, the search stores one score per other variable: the score with the required
        // parents and this additional parent.
        let bytes = order.len().saturating_mul(order.len()).saturating_mul(size_of::<f64>());
        let purpose = format!("the scores of all arcs between {n} variables");
        MemoryEstimate::default().with_bytes(bytes, purpose, "use fewer columns").check("the search")?;
        let root = |v: u32| {
            let required: Vec<u32> = (0..n).filter(|&other| families.rules.requires_arc(other, v)).collect();
            families.family_extension_scores(v, &required, ctl)
        };
        let roots = (0..n).map(root).collect::<Result<_>>()?;
        let words = order.len().div_ceil(64);
        let mut boss = Self { families, roots, scores: Vec::new(), order, moves: 0, words };
        boss.scores = boss.map_best_families(ctl, |column| column.score)?;
        Ok(boss)
    }

    fn best_family_before(
        &self,
        v: u32,
        before: &[u64],
        ctl: RunContext<'_>,
    ) -> Result<&Arc<FamilyExtensionScores>> {
        self.families.best_parents_within(&self.roots[v as usize], before, ctl)
    }

    fn map_best_families<T>(
        &self,
        ctl: RunContext<'_>,
        read: impl Fn(&FamilyExtensionScores) -> T,
    ) -> Result<Vec<T>> {
        let mut before: ParentBits = vec![0; self.words];
        let one = |&v: &u32| {
            let found = read(self.best_family_before(v, &before, ctl)?);
            set_variable_bit(&mut before, v);
            Ok(found)
        };
        self.order.iter().map(one).collect()
    }

    fn parent_sets(&self, ctl: RunContext<'_>) -> Result<Vec<Vec<u32>>> {
        let mut parents = vec![Vec::new(); self.order.len()];
        for (&v, own) in self.order.iter().zip(self.map_best_families(ctl, |column| column.parents.clone())?)
        {
            parents[v as usize] = own;
        }
        Ok(parents)
    }

    fn score(&self) -> f64 {
        self.scores.iter().sum()
    }

    pub(crate) fn run(&mut self, clock: SearchLimits<'_>) -> Result<StopReason> {
        loop {
            let before = self.moves;
            for v in self.order.clone() {
                if let Some(why) = clock.stop_reason(self.moves) {
                    return Ok(why);
                }
                match self.move_to_best_position(v, clock.ctl) {
                    Ok(better) => self.moves += u32::from(better),
                    Err(Error::Cancelled) => return Ok(StopReason::Interrupted),
                    Err(error) => return Err(error),
                }
            }
            if self.moves == before {
                return Ok(StopReason::NoImprovement);
            }
        }
    }

    pub(crate) fn to_result(&self, stopped_by: StopReason) -> Result<SearchResult> {
        // All scores of the current order are already in the cache, so no rows are counted.
        let parents = self.parent_sets(RunContext::silent())?;
        Ok(SearchResult {
            parents,
            score: self.score(),
            trace: Vec::new(),
            stopped_by,
            iterations: self.moves,
            bound: None,
            proof: None,
        })
    }

    /// Places in `rest` at which the required arcs allow to insert `v`.
    ///
    /// `rest` is the order of all variables except `v`.
    fn allowed_positions(&self, v: u32, rest: &[u32]) -> RangeInclusive<usize> {
        let rules = self.families.rules;
        let first = rest.iter().rposition(|&other| rules.requires_arc(other, v)).map_or(0, |place| place + 1);
        let last = rest.iter().position(|&other| rules.requires_arc(v, other)).unwrap_or(rest.len());
        first..=last
    }

    fn move_to_best_position(&mut self, v: u32, ctl: RunContext<'_>) -> Result<bool> {
        let Some(now) = self.order.iter().position(|&other| other == v) else { return Ok(false) };
        let rest: Vec<u32> = self.order.iter().copied().filter(|&other| other != v).collect();
        let mut before: ParentBits = vec![0; self.words];
        // Each list has an entry for each variable `other` in `rest`. `own` has the score of `v` if `v` is
        // placed directly before `other`. `without` has the score of `other` if `other` precedes `v`, and
        // `with` has the score of `other` if `other` follows `v`.
        let (mut without, mut with, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (place, &other) in rest.iter().enumerate() {
            own.push(self.best_family_before(v, &before, ctl)?.score);
            // The current order has stored one of the two scores of `other`; only the second score is
            // computed.
            if place < now {
                let mut more = before.clone();
                set_variable_bit(&mut more, v);
                without.push(self.scores[place]);
                with.push(self.best_family_before(other, &more, ctl)?.score);
            } else {
                without.push(self.best_family_before(other, &before, ctl)?.score);
                with.push(self.scores[place + 1]);
            }
            set_variable_bit(&mut before, other);
        }
        own.push(self.best_family_before(v, &before, ctl)?.score);
        let best = best_position(
            &without,
            &with,
            &own,
            now,
            self.allowed_positions(v, &rest),
            self.families.tolerance,
        );
        if best == now {
            return Ok(false);
        }
        self.order = rest;
        self.order.insert(best, v);
        self.scores.clear();
        self.scores.extend(&without[..best]);
        self.scores.push(own[best]);
        self.scores.extend(&with[best..]);
        Ok(true)
    }
}

/// First place with the highest total score; the current place `now` if no other is better.
fn best_position(
    without: &[f64],
    with: &[f64],
    own: &[f64],
    now: usize,
    range: RangeInclusive<usize>,
    tolerance: f64,
) -> usize {
    let (mut head, mut tail) = (0.0, with.iter().sum::<f64>());
    let mut totals = Vec::with_capacity(own.len());
    for (place, own) in own.iter().enumerate() {
        totals.push(head + own + tail);
        if let (Some(without), Some(with)) = (without.get(place), with.get(place)) {
            head += without;
            tail -= with;
        }
    }
    let mut best = now;
    let mut least = totals[now] + tolerance;
    for place in range {
        if totals[place] > least {
            (best, least) = (place, totals[place]);
        }
    }
    best
}

/// Returns the best graph of several searches, from `start` and from random orders.
///
/// The backward phase improves the result of each search that was not stopped early. Of graphs with equal
/// scores, the first is returned.
pub(crate) fn search_from_orders(
    memory: &CachedScorer<'_>,
    start: &Dag,
    restarts: u32,
    key: SeedKey,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let smallest = memory.rules.required_graph()?;
    let one = |order: Vec<u32>| {
        let mut boss = BestOrderSearch::new(memory, order, clock.ctl)?;
        let stopped_by = boss.run(clock)?;
        match boss.to_result(stopped_by)? {
            found if stopped_by == StopReason::NoImprovement => backward_phase(memory, found, clock.ctl),
            found => Ok(found),
        }
    };
    let mut best = one(start.topological_order())?;
    for number in 0..restarts {
        if best.stopped_by != StopReason::NoImprovement {
            break;
        }
        let mut rng = key.child(tags::structure::RESTART, number).rng();
        let found = one(random_order(&smallest, &mut rng))?;
        let (iterations, stopped_by) = (best.iterations + found.iterations, found.stopped_by);
        let better = found.score > best.score + memory.tolerance;
        best = SearchResult { stopped_by, iterations, ..if better { found } else { best } };
    }
    Ok(best)
}

//! Alternating searches over orders and over graphs, from many starts, under common limits.
//!
//! A round runs a fixed number of chains in parallel, which share one cache of scores. After the first round,
//! each chain starts from another perturbation of the best graph so far, or from a random order. A chain
//! alternates [`BestOrderSearch`], tabu search and a search for pairs of arcs until none of them improves the
//! graph.
//!
//! If a limit on rounds or scores ends the search, the same seed gives the same graph on any number of
//! threads. Chains start from the best graph of the previous round, and the number of computed scores after a
//! round does not depend on scheduling.

use super::backward_phase::backward_phase;
use super::best_order_search::BestOrderSearch;
use super::cached_scorer::CachedScorer;
use super::graph_state::GraphState;
use super::hill_climbing::{SearchResult, TabuParams, hill_climb};
use super::parent_pairs::best_parent_pair;
use super::random_graphs::{
    apply_random_operations, random_order, reverse_arc_in_order, reverse_covered_arcs, topological_order_near,
};
use super::search_limits::{SearchLimits, StopReason};
use crate::dag::Dag;
use imbcore_core::{Error, Result, SeedKey, parallel, random_below, tags};
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Copy, Debug)]
pub(crate) struct MultiStartParams {
    pub(crate) most: u32,
    pub(crate) max_scores: u64,
    pub(crate) perturb: u32,
    pub(crate) downhill: TabuParams,
}

const TUCKS: u32 = 3;

/// Starting points of a chain of searches; all but `Anew` perturb the best graph so far.
#[derive(Clone, Copy, Debug)]
enum ChainStart {
    /// A random order of the variables, independent of the best graph.
    Anew,
    /// A topological order of the best graph in which some variables move to random places.
    Moves,
    /// A topological order of the best graph after random arcs are reversed in it.
    ///
    /// The child of such an arc moves before the parent, with the ancestors of the child that are between
    /// both.
    Tucks,
    /// The best graph after random changes of arcs; odd rounds reverse only covered arcs.
    Graph,
}

const CHAIN_STARTS: [ChainStart; 4] =
    [ChainStart::Anew, ChainStart::Moves, ChainStart::Tucks, ChainStart::Graph];

struct MultiStartSearch<'a> {
    memory: &'a CachedScorer<'a>,
    settings: MultiStartParams,
    clock: SearchLimits<'a>,
}

/// Returns the best graph of all rounds; the graph `start` is used only in the first round.
pub(crate) fn multi_start_search(
    memory: &CachedScorer<'_>,
    start: &Dag,
    settings: MultiStartParams,
    key: SeedKey,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let chains = MultiStartSearch { memory, settings, clock: clock.without_progress_reports() };
    let mut best: Option<SearchResult> = None;
    for round in 0..settings.most {
        clock.ctl.report_progress("rounds", u64::from(round), u64::from(settings.most));
        let key = key.child(tags::structure::RESTART, round);
        let found = parallel::try_map(0..CHAIN_STARTS.len() as u32, |number| {
            let mut rng = key.child(tags::structure::STEPS, number).rng();
            match chains.run_chain(best.as_ref(), start, number, round, &mut rng) {
                Err(Error::Cancelled) => Ok(None),
                found => found.map(Some),
            }
        })?;
        let mut stopped = None;
        for one in found.into_iter().flatten() {
            stopped = stopped.or((one.stopped_by != StopReason::NoImprovement).then_some(one.stopped_by));
            // Of graphs with equal scores, the last is kept, so that the next round starts from a graph that
            // is new to it.
            if best.as_ref().is_none_or(|best| one.score >= best.score - memory.tolerance) {
                best = Some(one);
            }
        }
        let Some(reached) = &mut best else { break };
        stopped = stopped.or_else(|| chains.clock.stop_reason(round));
        stopped =
            stopped.or((memory.n_cached_scores() >= settings.max_scores).then_some(StopReason::MaxScores));
        reached.iterations = round + 1;
        reached.stopped_by = stopped.unwrap_or(StopReason::NoImprovement);
        if stopped.is_some() {
            break;
        }
    }
    best.ok_or(Error::Cancelled)
}

impl MultiStartSearch<'_> {
    fn run_chain(
        &self,
        best: Option<&SearchResult>,
        start: &Dag,
        number: u32,
        round: u32,
        rng: &mut ChaCha8Rng,
    ) -> Result<SearchResult> {
        let smallest = self.memory.rules.required_graph()?;
        let descending = (0..smallest.n_variables() as u32).rev().collect();
        match best {
            None if number == 0 => self.alternate_searches_from_order(start.topological_order()),
            None if number == 1 => {
                self.alternate_searches_from_order(topological_order_near(&smallest, descending))
            }
            None if number == 2 => self.alternate_searches_from_order(random_order(&smallest, rng)),
            // The last chain of the first round begins with a tabu search from the start graph. The final
            // result is therefore at least as good as that of tabu search with this order of the columns.
            None => self.alternate_searches(SearchResult::from_state(&GraphState::new(
                self.memory,
                self.memory.rules,
                start,
                self.clock.ctl,
            )?)),
            Some(best) => {
                self.run_perturbed_chain(best, CHAIN_STARTS[number as usize % CHAIN_STARTS.len()], round, rng)
            }
        }
    }

    fn run_perturbed_chain(
        &self,
        best: &SearchResult,
        perturbation: ChainStart,
        round: u32,
        rng: &mut ChaCha8Rng,
    ) -> Result<SearchResult> {
        let smallest = self.memory.rules.required_graph()?;
        let dag = Dag::new(best.parents.clone())?;
        let mut order = dag.topological_order();
        match perturbation {
            ChainStart::Anew => order = random_order(&smallest, rng),
            ChainStart::Moves => {
                for _ in 0..self.settings.perturb {
                    let v = order.remove(random_below(rng, order.len() as u32) as usize);
                    order.insert(random_below(rng, order.len() as u32 + 1) as usize, v);
                }
            }
            ChainStart::Tucks => {
                let arcs = dag.arcs();
                for _ in 0..if arcs.is_empty() { 0 } else { TUCKS } {
                    reverse_arc_in_order(
                        &mut order,
                        &dag,
                        arcs[random_below(rng, arcs.len() as u32) as usize],
                    );
                }
            }
            ChainStart::Graph => {
                return self.alternate_searches(self.perturbed_graph(&dag, round.is_multiple_of(2), rng)?);
            }
        }
        self.alternate_searches_from_order(topological_order_near(&smallest, order))
    }

    /// Changes random arcs of a graph.
    ///
    /// If `any` is false, only arcs are reversed whose reversal leads to an equivalent graph.
    fn perturbed_graph(&self, dag: &Dag, any: bool, rng: &mut ChaCha8Rng) -> Result<SearchResult> {
        let (memory, ctl, size) = (self.memory, self.clock.ctl, self.settings.perturb);
        let mut state = GraphState::new(memory, memory.rules, dag, ctl)?;
        if any {
            apply_random_operations(&mut state, size, rng, ctl)?;
        } else {
            reverse_covered_arcs(&mut state, size, rng, ctl)?;
        }
        Ok(SearchResult::from_state(&state))
    }

    fn alternate_searches_from_order(&self, order: Vec<u32>) -> Result<SearchResult> {
        self.alternate_searches(self.run_best_order_search(order)?)
    }

    fn run_best_order_search(&self, order: Vec<u32>) -> Result<SearchResult> {
        let mut boss = BestOrderSearch::new(self.memory, order, self.clock.ctl)?;
        let stopped_by = boss.run(self.clock)?;
        boss.to_result(stopped_by)
    }

    /// Alternates several searches until none of them improves the graph.
    ///
    /// The searches are tabu search with the backward phase, search over orders, and search for pairs of
    /// arcs.
    fn alternate_searches(&self, mut found: SearchResult) -> Result<SearchResult> {
        let tolerance = self.memory.tolerance;
        while found.stopped_by == StopReason::NoImprovement {
            found = self.climb_from(found)?;
            if found.stopped_by != StopReason::NoImprovement {
                break;
            }
            let again = self.run_best_order_search(Dag::new(found.parents.clone())?.topological_order())?;
            if again.score > found.score + tolerance {
                found = again;
            } else if let Some(pair) = best_parent_pair(self.memory, &found.parents, self.clock.ctl)? {
                found.parents[pair.child as usize].extend([pair.first, pair.second]);
                found.parents[pair.child as usize].sort_unstable();
                found.score += pair.gain;
            } else {
                break;
            }
        }
        Ok(found)
    }

    /// Tabu search, then backward phase, from the graph `from`; returns `from` if interrupted.
    fn climb_from(&self, from: SearchResult) -> Result<SearchResult> {
        let (memory, ctl) = (self.memory, self.clock.ctl);
        let climbing = || {
            let mut state = GraphState::new(memory, memory.rules, &Dag::new(from.parents.clone())?, ctl)?;
            let found =
                hill_climb(&mut state, memory.tolerance, Some(self.settings.downhill), self.clock, 0)?;
            backward_phase(memory, found, ctl)
        };
        match climbing() {
            Err(Error::Cancelled) => Ok(SearchResult { stopped_by: StopReason::Interrupted, ..from }),
            found => found,
        }
    }
}

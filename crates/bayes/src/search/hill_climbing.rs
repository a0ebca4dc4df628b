//! Hill climbing and tabu search (Glover 1986; as in bnlearn, Scutari 2010).
//!
//! Tabu search stores the hashes of recent graphs. It takes the best operation that does not lead to a recent
//! graph, even if the operation lowers the score. It stops when at least `patience` operations gave no new
//! best graph and the next operation would not raise the score. A gain up to the tolerance counts as 0,
//! because the scores of equal graphs differ by rounding.

use super::graph_state::{GraphState, Operation};
use super::params::Kick;
use super::plane::RankNumberedProof;
use super::random_graphs::{apply_random_operations, reverse_covered_arcs};
use super::search_limits::{SearchLimits, StopReason};
use crate::dag::Dag;
use imbcore_core::{Result, SeedKey, tags};

#[derive(Clone, Debug)]
pub(crate) struct SearchResult {
    pub(crate) parents: Vec<Vec<u32>>,
    pub(crate) score: f64,
    pub(crate) trace: Vec<(Operation, f64)>,
    pub(crate) stopped_by: StopReason,
    pub(crate) iterations: u32,
    pub(crate) bound: Option<f64>,
    pub(crate) proof: Option<RankNumberedProof>,
}

impl SearchResult {
    pub(crate) fn from_state(state: &GraphState<'_>) -> Self {
        Self {
            parents: state.parents().to_vec(),
            score: state.total_score(),
            trace: Vec::new(),
            stopped_by: StopReason::NoImprovement,
            iterations: 0,
            bound: None,
            proof: None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TabuParams {
    /// Number of recent graphs that the search does not visit again.
    pub(crate) remember: usize,
    pub(crate) patience: u32,
}

/// Applies the best change of an arc until no change improves the score.
///
/// With `downhill`, this is a tabu search, which also applies changes that lower the score.
pub(crate) fn hill_climb(
    state: &mut GraphState<'_>,
    tolerance: f64,
    downhill: Option<TabuParams>,
    clock: SearchLimits<'_>,
    done: u32,
) -> Result<SearchResult> {
    let mut best = SearchResult { iterations: done, ..SearchResult::from_state(state) };
    let mut recent: Vec<u64> = Vec::new();
    let (mut trace, mut idle, mut iterations) = (Vec::new(), 0, done);
    loop {
        if let Some(reason) = clock.reached_limit(iterations)? {
            return Ok(SearchResult { stopped_by: reason, iterations, ..best });
        }
        if let Some(downhill) = downhill {
            recent.push(state.graph_hash());
            if recent.len() > downhill.remember {
                recent.remove(0);
            }
        }
        let end = |best| Ok(SearchResult { stopped_by: StopReason::NoImprovement, iterations, ..best });
        let Some(operation) = state.best_operation(tolerance, &recent) else { return end(best) };
        let gain = state.gain(operation);
        let uphill = gain > tolerance;
        if !uphill && downhill.is_none_or(|downhill| idle >= downhill.patience) {
            return end(best);
        }
        state.apply_operation(operation, clock.ctl)?;
        trace.push((operation, gain));
        iterations += 1;
        if state.total_score() > best.score + tolerance {
            (best.parents, best.score, best.trace) =
                (state.parents().to_vec(), state.total_score(), trace.clone());
            idle = 0;
        } else {
            idle += 1;
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RestartParams {
    pub(crate) number: u32,
    pub(crate) size: u32,
    pub(crate) perturbation: Kick,
}

pub(crate) fn hill_climb_with_restarts(
    start: GraphState<'_>,
    tolerance: f64,
    downhill: Option<TabuParams>,
    restarts: RestartParams,
    key: SeedKey,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let mut state = start;
    let mut best = hill_climb(&mut state, tolerance, downhill, clock, 0)?;
    for number in 0..restarts.number {
        if let Some(stopped_by) = clock.reached_limit(best.iterations)? {
            return Ok(SearchResult { stopped_by, ..best });
        }
        let mut state = state.with_other_graph(&Dag::new(best.parents.clone())?, clock.ctl)?;
        let mut rng = key.child(tags::structure::RESTART, number).rng();
        let perturbation = match restarts.perturbation {
            Kick::Random => apply_random_operations(&mut state, restarts.size, &mut rng, clock.ctl)?,
            Kick::Equivalent => reverse_covered_arcs(&mut state, restarts.size, &mut rng, clock.ctl)?,
        };
        let found = hill_climb(&mut state, tolerance, downhill, clock, best.iterations)?;
        let (iterations, stopped_by) = (found.iterations, found.stopped_by);
        if found.score > best.score + tolerance {
            let trace = [std::mem::take(&mut best.trace), perturbation, found.trace].concat();
            best = SearchResult { trace, ..found };
        }
        best = SearchResult { stopped_by, iterations, ..best };
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CodeTableForCounting;
    use crate::score::{FamilyScorer, ScoreFunction};
    use crate::search::arc_constraints::ArcConstraints;
    use crate::search::decomposable_score::{CountingScore, DecomposableScore};
    use crate::table::{DiscreteTable, MISSING};
    use imbcore_core::{RunContext, random_below};

    /// Seven columns of two to six states; most values copy an earlier column.
    fn table(seed: u64, gaps: bool) -> DiscreteTable {
        let mut rng = SeedKey::root(seed).rng();
        let levels = [2, 6, 3, 5, 2, 4, 3];
        let mut columns: Vec<Vec<u16>> = Vec::new();
        for (v, &states) in levels.iter().enumerate() {
            let source = random_below(&mut rng, v.max(1) as u32) as usize;
            let code = |row: usize| {
                let echo = columns.get(source).map_or(0, |of: &Vec<u16>| of[row]);
                let drawn =
                    if random_below(&mut rng, 3) == 0 { random_below(&mut rng, states) as u16 } else { echo };
                if gaps && random_below(&mut rng, 12) == 0 { MISSING } else { drawn.min(99) % states as u16 }
            };
            let column = (0..150).map(code).collect();
            columns.push(column);
        }
        DiscreteTable::new(columns, levels.to_vec()).unwrap()
    }

    #[test]
    fn a_climb_that_looks_at_fewer_additions_takes_the_same_steps() {
        let (mut fewer, ctl) = (0, RunContext::silent());
        for seed in 0..60 {
            let table = table(seed, seed % 3 == 0);
            let counter = CodeTableForCounting::new(&table, &[3, 1, 0, 6, 5, 4, 2], ctl).unwrap();
            let score = FamilyScorer::new(ScoreFunction::bic(150.0, 1.0), 150.0, true);
            let bonus = (seed % 4 == 0).then(|| vec![3.0, 0.0, -2.0, 1.0, 0.0, 0.0, 0.5]);
            let families = CountingScore::<u32>::new(counter, score, bonus);
            let rules = ArcConstraints::new(7, None);
            let empty = Dag::new(vec![Vec::new(); 7]).unwrap();
            let step = |mut state: GraphState<'_>| {
                hill_climb(&mut state, 1e-7, None, SearchLimits::start(None, None, ctl), 0).unwrap()
            };
            let all = step(GraphState::new(&families, &rules, &empty, ctl).unwrap());
            let few = step(GraphState::with_min_gain(&families, &rules, &empty, -1e-7, ctl).unwrap());
            assert_eq!((&all.trace, all.score), (&few.trace, few.score), "seed {seed}");
            assert_eq!(all.parents, few.parents, "seed {seed}");
            let bounded = |to: u32| {
                let own = &all.parents[to as usize];
                let more = |from: u32| own.iter().copied().chain([from]).collect::<Vec<_>>();
                let idle = |&from: &u32| {
                    families.family_score_bound(to, &more(from)) <= families.family_score(to, own) - 1e-7
                };
                (0..7).filter(|from| *from != to && !own.contains(from)).filter(idle).count()
            };
            fewer += (0..7).map(bounded).sum::<usize>();
        }
        assert!(fewer > 200, "{fewer} skipped additions are too few for a test");
    }
}

//! Iterated searches, which may continue from a worse graph.
//!
//! These are biased randomization (Juan et al. 2014; Morán Jiménez 2018, section 4.4.1.2), and iterated local
//! search, which alternates perturbation and hill climbing.

use super::graph_state::{GraphState, Operation};
use super::hill_climbing::{SearchResult, hill_climb};
use super::params::Accept;
use super::random_graphs::{apply_random_operations, draw_geometric};
use super::search_limits::{SearchLimits, StopReason};
use imbcore_core::{Result, random_below};
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Copy, Debug)]
pub(crate) struct IteratedSearchParams {
    pub(crate) tolerance: f64,
    pub(crate) patience: u32,
    pub(crate) geometric_p: f64,
    pub(crate) candidates: u32,
    pub(crate) accept: Accept,
}

/// Rule that decides whether a search continues from a new graph with a lower score.
///
/// A graph with a higher score than the current graph is always accepted.
struct AcceptanceRule {
    rule: Accept,
    /// The last increase of the score, which limits how much worse an accepted graph may be.
    ///
    /// It is 0 before the first increase, and after [`Accept::Demon`] has accepted a worse graph.
    credit: f64,
}

impl AcceptanceRule {
    fn accepts(&mut self, current: f64, next: f64, best: f64, tolerance: f64) -> bool {
        if next > current + tolerance {
            self.credit = next - current;
            return true;
        }
        match self.rule {
            Accept::Credit => best - next < self.credit,
            Accept::Demon if current - next <= self.credit => {
                self.credit = 0.0;
                true
            }
            Accept::Demon => false,
        }
    }
}

pub(crate) fn biased_search(
    mut state: GraphState<'_>,
    settings: IteratedSearchParams,
    rng: &mut ChaCha8Rng,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let mut best = SearchResult::from_state(&state);
    let mut acceptance = AcceptanceRule { rule: settings.accept, credit: 0.0 };
    let (mut idle, mut iterations, mut trace) = (0, 0, Vec::new());
    while idle < settings.patience {
        if let Some(reason) = clock.reached_limit(iterations)? {
            return Ok(SearchResult { stopped_by: reason, iterations, ..best });
        }
        iterations += 1;
        idle += 1;
        let Some(operation) = draw_operation(&state, settings, rng) else { break };
        let gain = state.gain(operation);
        let current = state.total_score();
        if acceptance.accepts(current, current + gain, best.score, settings.tolerance) {
            state.apply_operation(operation, clock.ctl)?;
            trace.push((operation, gain));
            if state.total_score() > best.score + settings.tolerance {
                (best.parents, best.score, best.trace) =
                    (state.parents().to_vec(), state.total_score(), trace.clone());
                idle = 0;
            }
        }
    }
    Ok(SearchResult { stopped_by: StopReason::NoImprovement, iterations, ..best })
}

/// Draws several allowed changes of an arc, then one of them, by a geometric distribution.
///
/// The changes are ranked by gain; the best change has the highest probability.
fn draw_operation(
    state: &GraphState<'_>,
    settings: IteratedSearchParams,
    rng: &mut ChaCha8Rng,
) -> Option<Operation> {
    let mut operations = state.legal_operations();
    let drawn = operations.len().min(settings.candidates as usize);
    for place in 0..drawn {
        let other = place + random_below(rng, (operations.len() - place) as u32) as usize;
        operations.swap(place, other);
    }
    operations.truncate(drawn);
    operations.sort_by(|&a, &b| state.gain(b).total_cmp(&state.gain(a)).then(a.cmp(&b)));
    let rank = draw_geometric(settings.geometric_p, rng) as usize;
    (!operations.is_empty()).then(|| operations[rank % operations.len()])
}

pub(crate) fn iterated_local_search(
    mut state: GraphState<'_>,
    settings: IteratedSearchParams,
    rng: &mut ChaCha8Rng,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let mut best = hill_climb(&mut state, settings.tolerance, None, clock, 0)?;
    let mut acceptance = AcceptanceRule { rule: settings.accept, credit: 0.0 };
    let (mut idle, mut rounds) = (0, 0);
    let mut trace = best.trace.clone();
    while idle < settings.patience {
        if let Some(reason) = clock.reached_limit(rounds)? {
            return Ok(SearchResult { stopped_by: reason, iterations: rounds, ..best });
        }
        rounds += 1;
        idle += 1;
        let mut next = state.clone();
        let perturbation = apply_random_operations(
            &mut next,
            1 + draw_geometric(settings.geometric_p, rng),
            rng,
            clock.ctl,
        )?;
        let found = hill_climb(&mut next, settings.tolerance, None, clock, 0)?;
        if !acceptance.accepts(state.total_score(), next.total_score(), best.score, settings.tolerance) {
            continue;
        }
        state = next;
        trace.extend(perturbation);
        trace.extend(found.trace);
        if found.score > best.score + settings.tolerance {
            (best.parents, best.score, best.trace) = (found.parents, found.score, trace.clone());
            idle = 0;
        }
    }
    Ok(SearchResult { stopped_by: StopReason::NoImprovement, iterations: rounds, ..best })
}

//! Iterated searches, which may continue from a worse graph.
//!
//! These are biased randomization (Juan et al. 2014; Morán Jiménez 2018, section 4.4.1.2), and iterated local
//! search, which alternates perturbation and hill climbing.

use super::climb::{SearchResult, climb};
use super::clock::{SearchLimits, StoppedBy};
use super::params::Accept;
use super::random::{geometric, perturb};
use super::state::{GraphState, Operation};
use imbcore_core::{Result, below};
use rand_chacha::ChaCha8Rng;

/// Settings of iterated searches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IteratedParams {
    pub(crate) tolerance: f64,
    pub(crate) patience: u32,
    pub(crate) geometric_p: f64,
    pub(crate) candidates: u32,
    pub(crate) accept: Accept,
}

/// Rule that decides whether a search continues from a graph that is not an improvement.
struct AcceptanceRule {
    rule: Accept,
    /// The last increase of the score, which limits how much worse the graph may become.
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

/// Biased randomization: repeatedly draws a random operation, good operations more often.
pub(crate) fn biased(
    mut state: GraphState<'_>,
    settings: IteratedParams,
    rng: &mut ChaCha8Rng,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let mut best = SearchResult::from_state(&state);
    let mut acceptance = AcceptanceRule { rule: settings.accept, credit: 0.0 };
    let (mut idle, mut iterations, mut trace) = (0, 0, Vec::new());
    while idle < settings.patience {
        if let Some(reason) = clock.over(iterations)? {
            return Ok(SearchResult { stopped_by: reason, iterations, ..best });
        }
        iterations += 1;
        idle += 1;
        let Some(operation) = draw(&state, settings, rng) else { break };
        let gain = state.gain(operation);
        let current = state.score();
        if acceptance.accepts(current, current + gain, best.score, settings.tolerance) {
            state.apply(operation, clock.ctl)?;
            trace.push((operation, gain));
            if state.score() > best.score + settings.tolerance {
                (best.parents, best.score, best.trace) =
                    (state.parents().to_vec(), state.score(), trace.clone());
                idle = 0;
            }
        }
    }
    Ok(SearchResult { stopped_by: StoppedBy::NoImprovement, iterations, ..best })
}

/// Draws some legal operations, then one of them by a geometric distribution over ranks.
/// Operations are ranked by gain, the best first.
fn draw(state: &GraphState<'_>, settings: IteratedParams, rng: &mut ChaCha8Rng) -> Option<Operation> {
    let mut operations = state.operations();
    let drawn = operations.len().min(settings.candidates as usize);
    for place in 0..drawn {
        let other = place + below(rng, (operations.len() - place) as u32) as usize;
        operations.swap(place, other);
    }
    operations.truncate(drawn);
    operations.sort_by(|&a, &b| state.gain(b).total_cmp(&state.gain(a)).then(a.cmp(&b)));
    let rank = geometric(settings.geometric_p, rng) as usize;
    (!operations.is_empty()).then(|| operations[rank % operations.len()])
}

/// Iterated local search: each round applies some random operations, then hill climbing.
pub(crate) fn iterated_local(
    mut state: GraphState<'_>,
    settings: IteratedParams,
    rng: &mut ChaCha8Rng,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    let mut best = climb(&mut state, settings.tolerance, None, clock, 0)?;
    let mut acceptance = AcceptanceRule { rule: settings.accept, credit: 0.0 };
    let (mut idle, mut rounds) = (0, 0);
    let mut trace = best.trace.clone();
    while idle < settings.patience {
        if let Some(reason) = clock.over(rounds)? {
            return Ok(SearchResult { stopped_by: reason, iterations: rounds, ..best });
        }
        rounds += 1;
        idle += 1;
        let mut next = state.clone();
        let perturbation = perturb(&mut next, 1 + geometric(settings.geometric_p, rng), rng, clock.ctl)?;
        let found = climb(&mut next, settings.tolerance, None, clock, 0)?;
        if !acceptance.accepts(state.score(), next.score(), best.score, settings.tolerance) {
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
    Ok(SearchResult { stopped_by: StoppedBy::NoImprovement, iterations: rounds, ..best })
}

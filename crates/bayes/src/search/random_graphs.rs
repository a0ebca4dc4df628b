//! Random graphs and random search steps.

use super::arc_constraints::ArcConstraints;
use super::graph_state::{GraphState, Operation};
use crate::dag::Dag;
use imbcore_core::{Result, RunContext, random_below, shuffle, uniform};
use rand_chacha::ChaCha8Rng;

/// Draws a random graph that satisfies the constraints.
///
/// First draws a random order that respects the required arcs. Each other allowed arc from an earlier to a
/// later variable is then present with probability `density`, up to the maximum number of parents.
pub(crate) fn random_dag(
    rules: &ArcConstraints,
    n: usize,
    density: f64,
    rng: &mut ChaCha8Rng,
) -> Result<Dag> {
    let required = rules.required_graph()?;
    let mut parents: Vec<Vec<u32>> = (0..n).map(|v| required.parents(v).to_vec()).collect();
    let order = random_order(&required, rng);
    for (place, &to) in order.iter().enumerate() {
        for &from in &order[..place] {
            let own = &mut parents[to as usize];
            let room = rules.max_parents.is_none_or(|most| own.len() < most as usize);
            // A number is drawn even if the arc is not allowed, so that a constraint on one arc does not
            // change the draws for other arcs.
            if uniform(rng) < density && room && rules.allows_arc(from, to) && !own.contains(&from) {
                own.push(from);
            }
        }
    }
    Dag::new(parents)
}

pub(crate) fn random_order(dag: &Dag, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..dag.n_variables() as u32).collect();
    shuffle(rng, &mut ranks);
    topological_order_near(dag, ranks)
}

/// Topological order of a graph; keeps the order `ranks` as far as the arcs allow.
pub(crate) fn topological_order_near(dag: &Dag, mut ranks: Vec<u32>) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(ranks.len());
    while let Some(at) = ranks.iter().position(|&v| dag.parents(v as usize).iter().all(|p| order.contains(p)))
    {
        order.push(ranks.remove(at));
    }
    order
}

/// Changes an order of the variables so that an arc of the graph is reversed.
///
/// The child moves before its parent. Ancestors of the child that are between both variables move with it
/// (Lam, Andrews and Ramsey 2022).
pub(crate) fn reverse_arc_in_order(order: &mut [u32], dag: &Dag, (from, to): (u32, u32)) {
    let place = |v: u32| order.iter().position(|&other| other == v);
    let (Some(first), Some(last)) = (place(from), place(to)) else { return };
    if first > last {
        return;
    }
    let mut comes = vec![false; order.len()];
    let mut stack = vec![to];
    while let Some(v) = stack.pop() {
        if v != from && !std::mem::replace(&mut comes[v as usize], true) {
            stack.extend(dag.parents(v as usize));
        }
    }
    // The sort is stable, so both the moved and the other variables keep their order among each other.
    order[first..=last].sort_by_key(|&v| !comes[v as usize]);
}

pub(crate) fn apply_random_operations(
    state: &mut GraphState<'_>,
    size: u32,
    rng: &mut ChaCha8Rng,
    ctl: RunContext<'_>,
) -> Result<Vec<(Operation, f64)>> {
    let mut done = Vec::new();
    for _ in 0..size {
        let operations = state.legal_operations();
        if operations.is_empty() {
            break;
        }
        let operation = operations[random_below(rng, operations.len() as u32) as usize];
        done.push((operation, state.gain(operation)));
        state.apply_operation(operation, ctl)?;
    }
    Ok(done)
}

pub(crate) fn draw_geometric(p: f64, rng: &mut ChaCha8Rng) -> u32 {
    // The result is capped far above all ranks and sizes in use. Without a cap, the loop would take very long
    // for a tiny `p`.
    (0..1_000_000).find(|_| uniform(rng) < p).unwrap_or(1_000_000)
}

/// Reverses `size` random covered arcs, which leads to an equivalent graph (Chickering 1995).
///
/// An arc is covered if its ends have the same parents, apart from the arc itself. Scores that are equal for
/// equivalent graphs do not change.
pub(crate) fn reverse_covered_arcs(
    state: &mut GraphState<'_>,
    size: u32,
    rng: &mut ChaCha8Rng,
    ctl: RunContext<'_>,
) -> Result<Vec<(Operation, f64)>> {
    let mut done = Vec::new();
    for _ in 0..size {
        let covered = state.covered_arc_reversals();
        if covered.is_empty() {
            break;
        }
        let operation = covered[random_below(rng, covered.len() as u32) as usize];
        done.push((operation, state.gain(operation)));
        state.apply_operation(operation, ctl)?;
    }
    Ok(done)
}

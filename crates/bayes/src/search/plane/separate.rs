//! Search for cluster inequalities that an LP solution violates.

use super::cut::Cut;
use super::master_program::FamilyWeight;
use crate::search::parent_sets::{VariableSet, members_of_set};
use std::collections::BTreeSet;

/// A cut is added only if the LP solution violates it by more than this amount.
pub(crate) const BROKEN: f64 = 1e-3;

/// A tabu search stops after more than this many consecutive steps without improvement.
///
/// A variable that was added or removed may be changed again after `TABOO` steps.
const STEPS: usize = 40;
const TABOO: usize = 6;

pub(crate) fn families_with_parents(shares: &[FamilyWeight]) -> Vec<FamilyWeight> {
    shares.iter().copied().filter(|of| of.set != 0).collect()
}

fn cluster_violation(shares: &[FamilyWeight], cluster: VariableSet) -> f64 {
    let inside = |of: &&FamilyWeight| cluster >> of.child & 1 == 1 && of.set & cluster != 0;
    let paid: f64 = shares.iter().filter(inside).map(|of| of.part).sum();
    paid - f64::from(cluster.count_ones()) + 1.0
}

/// Finds sets of variables (clusters) whose cluster inequality the LP solution violates.
///
/// A local search starts from each pair of a child and one of its parents. A step adds or removes one
/// variable of the set. If greedy search finds no violated inequality, tabu search follows.
pub(crate) fn violated_cluster_cuts(shares: &[FamilyWeight], n: usize) -> Vec<Cut> {
    let shares = families_with_parents(shares);
    let pairs: BTreeSet<VariableSet> =
        shares.iter().flat_map(|of| members_of_set(of.set).map(|u| 1 << u | 1 << of.child)).collect();
    let found: BTreeSet<VariableSet> =
        pairs.iter().filter_map(|&pair| find_violated_cluster(&shares, n, pair, 0)).collect();
    let found = if found.is_empty() {
        pairs.iter().filter_map(|&pair| find_violated_cluster(&shares, n, pair, STEPS)).collect()
    } else {
        found
    };
    found.into_iter().map(Cut::Cluster).collect()
}

/// The set of variables with the largest violation that a local search finds.
///
/// The search starts from the set `pair` of two variables. It stops after more than `downhill` consecutive
/// steps without improvement.
fn find_violated_cluster(
    shares: &[FamilyWeight],
    n: usize,
    pair: VariableSet,
    downhill: usize,
) -> Option<VariableSet> {
    let (mut at, mut best, mut best_at) = (pair, cluster_violation(shares, pair), pair);
    let mut free = vec![0; n];
    let mut idle = 0;
    for step in 0.. {
        let moves = (0..n).filter(|&v| free[v] <= step).map(|v| (v, at ^ 1 << v));
        let moves = moves
            .filter(|&(_, to)| to.count_ones() >= 2)
            .map(|(v, to)| (cluster_violation(shares, to), v, to));
        let next = moves.reduce(|best, of| if of.0 > best.0 { of } else { best });
        let Some((value, v, to)) = next else { break };
        idle = if value > best + 1e-9 { 0 } else { idle + 1 };
        if idle > downhill {
            break;
        }
        (at, free[v]) = (to, step + TABOO);
        if value > best + 1e-9 {
            (best, best_at) = (value, to);
        }
    }
    (best > BROKEN).then_some(best_at)
}

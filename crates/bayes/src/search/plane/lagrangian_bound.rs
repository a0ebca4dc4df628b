//! Lower bounds on the cost of graphs, from dual values of cuts.

use super::cut::WeightedCut;
use crate::search::parent_sets::VariableSet;

/// A possible parent set of a variable, with its regret.
///
/// The regret is the best score of the variable minus the score with this parent set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CandidateFamily {
    pub(crate) set: VariableSet,
    pub(crate) regret: f64,
}

pub(crate) type CandidateFamilies = Vec<Vec<CandidateFamily>>;

#[derive(Clone, Debug)]
pub(crate) struct LagrangianBound {
    pub(crate) bound: f64,
    pub(crate) least: Vec<f64>,
    /// For each parent set, its reduced cost minus the smallest reduced cost of its variable.
    pub(crate) more: Vec<Vec<f64>>,
}

/// Lagrangian lower bound on the cost of any graph, valid for any nonnegative dual values.
///
/// The cost of a graph is the sum of the regrets of its parent sets. The reduced cost of a parent set is its
/// regret minus a sum over the cuts. Each term is the dual value times the cost of the parent set in the cut.
/// In each cut, the costs of an acyclic graph sum to at least the minimum of the cut. The cost of a graph is
/// therefore at least the sum of two terms. The first term is the sum over the variables of the smallest
/// reduced cost. The second term is the sum over the cuts of dual value times minimum.
pub(crate) fn lagrangian_bound(open: &CandidateFamilies, prices: &[WeightedCut]) -> LagrangianBound {
    let mut bound: f64 = prices.iter().map(|(cut, price)| price * cut.min_total_cost()).sum();
    let mut leasts = Vec::with_capacity(open.len());
    let reduced_costs = |(v, families): (usize, &Vec<CandidateFamily>)| {
        let about: Vec<&WeightedCut> =
            prices.iter().filter(|(cut, _)| cut.variable_set() >> v & 1 == 1).collect();
        let left = |family: &CandidateFamily| {
            family.regret
                - about.iter().map(|(cut, price)| price * cut.family_cost(v as u32, family.set)).sum::<f64>()
        };
        let mut left: Vec<f64> = families.iter().map(left).collect();
        let least = left.iter().copied().fold(f64::INFINITY, f64::min);
        for left in &mut left {
            *left -= least;
        }
        bound += least;
        leasts.push(least);
        left
    };
    let more = open.iter().enumerate().map(reduced_costs).collect();
    LagrangianBound { bound, least: leasts, more }
}

/// Drops a parent set if every graph with this set provably costs at least `most`.
///
/// Returns the number of remaining parent sets.
pub(crate) fn drop_costly_families(
    open: &mut CandidateFamilies,
    proven: &LagrangianBound,
    most: f64,
) -> usize {
    for (families, more) in open.iter_mut().zip(&proven.more) {
        let mut more = more.iter();
        families.retain(|_| more.next().is_none_or(|more| proven.bound + more < most));
    }
    open.iter().map(Vec::len).sum()
}

pub(crate) fn count_remaining_families(proven: &LagrangianBound, most: f64) -> usize {
    proven.more.iter().flatten().filter(|&more| proven.bound + more < most).count()
}

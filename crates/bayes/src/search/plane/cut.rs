//! Cuts: costs of families over a few variables, with a minimum for every acyclic graph.

use crate::search::parent_sets::{VariableSet, members_of_set};
use serde::{Deserialize, Serialize};

/// Cut: a cost of each parent set, with a lower bound on the total cost of any acyclic graph.
///
/// More parents never increase the cost. The lower bound is [`Cut::min_total_cost`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Cut {
    /// Cluster inequality: in an acyclic graph, some variable of a set has no parent in the set.
    ///
    /// A variable of the set costs 1 if none of its parents is in the set, otherwise 0 (Jaakkola, Sontag,
    /// Globerson and Meila 2010).
    Cluster(VariableSet),
    /// Costs of each variable of a set of `k` variables, listed by its parents in the set.
    ///
    /// The `i`-th variable costs `costs[i << k | own]`, where `own` is the bit mask of its parents in the
    /// set.
    Table { set: VariableSet, costs: Vec<f64>, least: f64 },
}

pub(crate) type WeightedCut = (Cut, f64);

/// Bit mask over the members of `of`: bit `i` is set if the `i`-th member is in `set`.
pub(crate) fn mask_within_set(set: VariableSet, of: VariableSet) -> usize {
    members_of_set(of).enumerate().filter(|&(_, v)| set >> v & 1 == 1).map(|(place, _)| 1 << place).sum()
}

impl Cut {
    pub(crate) fn from_costs(set: VariableSet, costs: Vec<f64>) -> Self {
        let k = set.count_ones() as usize;
        let mut least = vec![0.0; 1 << k];
        for all in 1..1_usize << k {
            let last = (0..k).filter(|&i| all >> i & 1 == 1);
            let sum = |i: usize| least[all & !(1 << i)] + costs[i << k | (all & !(1 << i))];
            least[all] = last.map(sum).fold(f64::INFINITY, f64::min);
        }
        Self::Table { set, costs, least: least[(1 << k) - 1] }
    }

    pub(crate) fn variable_set(&self) -> VariableSet {
        match self {
            Self::Cluster(set) | Self::Table { set, .. } => *set,
        }
    }

    pub(crate) fn family_cost(&self, v: u32, parents: VariableSet) -> f64 {
        if self.variable_set() >> v & 1 == 0 {
            return 0.0;
        }
        match self {
            Self::Cluster(set) => f64::from(u8::from(parents & set == 0)),
            Self::Table { set, costs, .. } => {
                costs[mask_within_set(1 << v, *set).ilog2() as usize * (1 << set.count_ones())
                    + mask_within_set(parents, *set)]
            }
        }
    }

    pub(crate) fn min_total_cost(&self) -> f64 {
        match self {
            Self::Cluster(_) => 1.0,
            Self::Table { least, .. } => *least,
        }
    }
}

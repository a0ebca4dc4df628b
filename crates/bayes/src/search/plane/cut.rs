//! What every graph without circles pays at least, told from a few variables.

use crate::search::parent_sets::{Set, members};
use serde::{Deserialize, Serialize};

/// A price for families, such that any graph without circles pays [`least`](Cut::least) in all. More parents never cost more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Cut {
    /// One variable of the set at least has no parent in it; such a family pays 1 (Jaakkola, Sontag, Globerson and Meila 2010).
    Cluster(Set),
    /// A table over few variables: member `i` of the set pays `costs[i << k | own]` for its parents `own` among the `k`.
    Table { set: Set, costs: Vec<f64>, least: f64 },
}

/// A cut and how often it is charged.
pub(crate) type Priced = (Cut, f64);

/// Variables of a set that are members of another, numbered by their place in it.
pub(crate) fn within(set: Set, of: Set) -> usize {
    members(of).enumerate().filter(|&(_, v)| set >> v & 1 == 1).map(|(place, _)| 1 << place).sum()
}

impl Cut {
    /// The cut with these costs; its least sum is found by dynamic programming over the subsets.
    pub(crate) fn table(set: Set, costs: Vec<f64>) -> Self {
        let k = set.count_ones() as usize;
        let mut least = vec![0.0; 1 << k];
        for all in 1..1_usize << k {
            let last = (0..k).filter(|&i| all >> i & 1 == 1);
            let sum = |i: usize| least[all & !(1 << i)] + costs[i << k | (all & !(1 << i))];
            least[all] = last.map(sum).fold(f64::INFINITY, f64::min);
        }
        Self::Table { set, costs, least: least[(1 << k) - 1] }
    }

    /// The variables it is about.
    pub(crate) fn set(&self) -> Set {
        match self {
            Self::Cluster(set) | Self::Table { set, .. } => *set,
        }
    }

    /// What a family pays.
    pub(crate) fn cost(&self, v: u32, parents: Set) -> f64 {
        if self.set() >> v & 1 == 0 {
            return 0.0;
        }
        match self {
            Self::Cluster(set) => f64::from(u8::from(parents & set == 0)),
            Self::Table { set, costs, .. } => {
                costs[within(1 << v, *set).ilog2() as usize * (1 << set.count_ones()) + within(parents, *set)]
            }
        }
    }

    /// What any graph pays at least.
    pub(crate) fn least(&self) -> f64 {
        match self {
            Self::Cluster(_) => 1.0,
            Self::Table { least, .. } => *least,
        }
    }
}

//! Selection of the variables and families that a query needs.

use crate::network::Network;
use crate::table::MISSING;

pub(crate) struct RelevantVariables {
    pub(crate) hidden: Vec<u32>,
    pub(crate) families: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelevantScope {
    All,
    /// The requested variables, the observed variables, and all ancestors of both.
    ///
    /// All other variables are barren: their probabilities sum to 1 (Shachter 1986). The selection may
    /// contain variables that the evidence d-separates from the requested ones. They share no table with the
    /// requested variables (Lauritzen, Dawid, Larsen and Leimer 1990), so elimination turns them into a
    /// separate factor of `P(evidence)`.
    Ancestors,
}

pub(crate) fn select_relevant_variables(
    network: &Network,
    targets: &[u32],
    codes: &[u16],
    keep: RelevantScope,
) -> RelevantVariables {
    let n = network.n_variables();
    let mut wanted: Vec<bool> =
        codes.iter().map(|&code| keep == RelevantScope::All || code != MISSING).collect();
    for &target in targets {
        wanted[target as usize] = true;
    }
    for &v in network.topological_order().iter().rev() {
        if wanted[v as usize] {
            for &parent in network.dag().parents(v as usize) {
                wanted[parent as usize] = true;
            }
        }
    }
    let families: Vec<u32> = (0..n as u32).filter(|&v| wanted[v as usize]).collect();
    let hidden = families.iter().copied().filter(|&v| codes[v as usize] == MISSING).collect();
    RelevantVariables { hidden, families }
}

//! Selection of the variables and families that a query needs.

use crate::network::Network;
use crate::table::MISSING;

/// The part of a network that a query depends on.
pub(crate) struct RelevantPart {
    /// Unobserved variables, ascending.
    pub(crate) hidden: Vec<u32>,
    /// Children of the families to multiply, ascending.
    pub(crate) families: Vec<u32>,
}

/// Selection of the part of a network.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelevantScope {
    /// All variables.
    All,
    /// Ancestors of the targets and the evidence.
    /// All other variables are barren: their probabilities sum to 1 (Shachter 1986). Variables that the
    /// evidence d-separates from the targets share no table with them (Lauritzen, Dawid, Larsen and Leimer
    /// 1990): elimination turns them into a separate factor of `P(e)`.
    Ancestors,
}

/// The part needed for `P(targets | evidence)` and `P(evidence)`.
/// `codes` are the observed codes.
pub(crate) fn relevant(
    network: &Network,
    targets: &[u32],
    codes: &[u16],
    keep: RelevantScope,
) -> RelevantPart {
    let n = network.n_variables();
    let mut wanted: Vec<bool> =
        codes.iter().map(|&code| keep == RelevantScope::All || code != MISSING).collect();
    for &target in targets {
        wanted[target as usize] = true;
    }
    for &v in network.order().iter().rev() {
        if wanted[v as usize] {
            for &parent in network.dag().parents(v as usize) {
                wanted[parent as usize] = true;
            }
        }
    }
    let families: Vec<u32> = (0..n as u32).filter(|&v| wanted[v as usize]).collect();
    let hidden = families.iter().copied().filter(|&v| codes[v as usize] == MISSING).collect();
    RelevantPart { hidden, families }
}

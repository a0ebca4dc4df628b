//! Which variables and families a question needs.

use crate::network::Network;
use crate::table::MISSING;

/// The part of a network that a question depends on.
pub(crate) struct Relevant {
    /// Variables without a value, ascending.
    pub(crate) hidden: Vec<u32>,
    /// Children of the families to multiply, ascending.
    pub(crate) families: Vec<u32>,
}

/// How much of a network to keep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Everything.
    All,
    /// Ancestors of the targets and the evidence: all others are barren, they add up to 1 (Shachter 1986). What the evidence
    /// d-separates from the targets no longer shares a table with them (Lauritzen, Dawid, Larsen and Leimer 1990): in an
    /// elimination it becomes a factor of `P(e)` by itself.
    Ancestors,
}

/// What the law of `targets` given the observed `codes`, and `P(e)`, need.
pub(crate) fn relevant(network: &Network, targets: &[u32], codes: &[u16], keep: Keep) -> Relevant {
    let n = network.n_variables();
    let mut wanted: Vec<bool> = codes.iter().map(|&code| keep == Keep::All || code != MISSING).collect();
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
    Relevant { hidden, families }
}

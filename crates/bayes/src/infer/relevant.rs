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
    /// Ancestors of the targets and the evidence: all others are barren, they add up to 1 (Shachter 1986).
    Ancestors,
    /// Of those, what is not d-separated from the targets by the evidence. In the moral graph of the ancestors d-separation is
    /// separation (Lauritzen, Dawid, Larsen and Leimer 1990), so this is the part that hangs together with a target.
    Connected,
}

/// What the law of `targets` given the observed `codes` needs; with [`Keep::Connected`] only that, else also `ln P(e)`.
pub(crate) fn relevant(network: &Network, targets: &[u32], codes: &[u16], keep: Keep) -> Relevant {
    let n = network.n_variables();
    let mut wanted = vec![keep == Keep::All; n];
    for v in 0..n {
        wanted[v] |= codes[v] != MISSING;
    }
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
    let mut families: Vec<u32> = (0..n as u32).filter(|&v| wanted[v as usize]).collect();
    if keep == Keep::Connected {
        let part = parts(network, &families, codes);
        let near = |family: u32| {
            free_members(network, family, codes)
                .any(|v| targets.iter().any(|&target| part[target as usize] == part[v as usize]))
        };
        families.retain(|&family| near(family));
    }
    let mut hidden: Vec<u32> =
        families.iter().flat_map(|&family| free_members(network, family, codes)).collect();
    hidden.sort_unstable();
    hidden.dedup();
    Relevant { hidden, families }
}

fn free_members<'a>(network: &'a Network, family: u32, codes: &'a [u16]) -> impl Iterator<Item = u32> + 'a {
    let parents = network.dag().parents(family as usize).iter().copied();
    parents.chain([family]).filter(|&v| codes[v as usize] == MISSING)
}

/// A number for every variable, equal for two free ones that are linked by families.
fn parts(network: &Network, families: &[u32], codes: &[u16]) -> Vec<u32> {
    fn root(part: &mut [u32], mut v: u32) -> u32 {
        while part[v as usize] != v {
            part[v as usize] = part[part[v as usize] as usize];
            v = part[v as usize];
        }
        v
    }
    let mut part: Vec<u32> = (0..network.n_variables() as u32).collect();
    for &family in families {
        let mut members = free_members(network, family, codes);
        if let Some(first) = members.next() {
            for v in members {
                let (a, b) = (root(&mut part, first), root(&mut part, v));
                part[a.max(b) as usize] = a.min(b);
            }
        }
    }
    (0..part.len() as u32).map(|v| root(&mut part, v)).collect()
}

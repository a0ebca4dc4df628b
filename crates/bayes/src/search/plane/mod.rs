//! Optimal graphs by branch and cut, with a proof that can be checked without searching.
//!
//! See Cussens 2011; Bartlett and Cussens 2017.

mod branch;
mod cut;
mod local;
mod master;
mod node;
mod prices;
mod separate;
mod shown;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use node::CostTarget;
pub(crate) use prices::{CandidateFamilies, CandidateFamily, proven};
pub(crate) use shown::RankedProof;
pub(crate) use tree::search;

//! Optimal graphs by branch and cut, with a proof that can be checked without searching.
//!
//! See Cussens 2011; Bartlett and Cussens 2017.

mod branch_and_cut;
mod branching;
mod cut;
mod lagrangian_bound;
mod local_cuts;
mod master_program;
mod node;
mod ranked_proof;
mod separate;
#[cfg(test)]
mod tests;

pub(crate) use branch_and_cut::branch_and_cut;
pub(crate) use lagrangian_bound::{CandidateFamilies, CandidateFamily, lagrangian_bound};
pub(crate) use node::CostTarget;
pub(crate) use ranked_proof::RankNumberedProof;

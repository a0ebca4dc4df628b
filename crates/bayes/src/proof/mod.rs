//! Proofs that no graph scores more than a bound, and a simple checker.
//!
//! The checker counts rows and enumerates families with its own code. It shares with the search only the
//! formulas that compute scores from counts.
//!
//! A family is a variable with its parents. A [cut](ProofCut) assigns a cost to each family, such that the
//! families of every acyclic graph together cost at least a known minimum. Each cut has a multiplier. The
//! payments of a family are the sum over the cuts of multiplier times cost. The reduced score of a family is
//! its score plus its payments. The score of a graph is therefore at most the sum over variables of the best
//! reduced score, minus the sum over cuts of multiplier times minimum cost.
//!
//! A family is useless if this bound, computed with the family in place of the best family of its variable,
//! is at most the stated bound. Each step of a proof has its own multipliers, and drops useless families
//! before the next step. If the steps do not reach the stated bound, the graphs are split into graphs without
//! and with a certain arc.
//!
//! A certificate may be forged. All results computed from its numbers are therefore rounded in the direction
//! that weakens the bound. The allowance for the rounding of scores depends only on the rows, not on the
//! certificate.

mod directed;
mod family;
mod family_enumerator;
mod graph_proof;
mod row_groups;
mod same_objective;
mod scoring;
mod small_families;
mod verifier;

pub use graph_proof::{GraphProof, ProofCut, ProofNode, ProofSplit};
pub use same_objective::is_same_objective;
pub(crate) use scoring::ProofObjective;
#[cfg(test)]
pub(crate) use verifier::verify_objective;
pub use verifier::{ProofCheckResult, ProofError, verify};

//! Proofs that no graph scores more than a bound, and a simple checker.
//!
//! The checker counts rows and enumerates families with its own code; it shares only the formulas
//! of scores, given the counts, with the search.
//!
//! A [cut](StatedCut) assigns a cost to each family, such that the families of any acyclic graph
//! cost at least a known minimum together. Each cut has a multiplier. The reduced score of a family
//! is its score plus its payments: the sum over the cuts of multiplier times cost. The score of a
//! graph is therefore at most the sum over variables of the best reduced score, minus the sum over
//! cuts of multiplier times minimum cost. If this bound, with one family in place of the best of
//! its variable, is at most the stated bound, the family is useless and dropped before the next
//! multipliers. If the steps do not reach the stated bound, the graphs are split by an arc that is
//! present or absent.
//!
//! A certificate may be forged. All results computed from its numbers are rounded in the direction
//! that weakens the bound; the allowance for the rounding of scores depends only on the rows.

mod directed;
mod family;
mod graph_proof;
mod rows;
mod same_objective;
mod scoring;
mod small;
mod verifier;
mod walk;

pub use graph_proof::{GraphProof, ProofCut, ProofNode, ProofSplit};
pub use same_objective::same_objective;
pub(crate) use scoring::ProofObjective;
#[cfg(test)]
pub(crate) use verifier::judge;
pub use verifier::{ProofCheck, ProofError, verify};

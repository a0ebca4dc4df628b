//! What shows that no graph scores more than a bound, and a plain checker of it.
//!
//! The checker counts rows and goes through families by code of its own; only the formulas of scores, given the counts, are
//! those of the search.
//!
//! Prices of [cuts](StatedCut) bound every graph: none has circles, so its families pay at least what a cut asks for, and
//! the score of a graph is no more than the sum over variables of the best of score plus payment, less all that is asked
//! for. A family whose own worth is so far below the best of its variable that this sum falls to the bound is of no use
//! and left out before the next prices; what cannot be closed so is split by an arc that a graph has or has not.
//!
//! A certificate may be forged. Everything that follows from its numbers is rounded in the direction that makes a bound
//! weaker; the allowance for the rounding of scores follows from the rows alone.

mod directed;
mod family;
mod judge;
mod rows;
mod same_objective;
mod scoring;
mod small;
mod stated;
mod walk;

#[cfg(test)]
pub(crate) use judge::judge;
pub use judge::{Fault, ProofVerdict, verify};
pub use same_objective::same_objective;
pub(crate) use scoring::Scoring;
pub use stated::{GraphProof, ProofPart, StatedCut, StatedSplit};

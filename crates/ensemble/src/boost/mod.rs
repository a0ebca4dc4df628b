//! Boosting: members that are fitted one after the other, each to weights that the ones before it got wrong raise.
//!
//! The arithmetic of a round stands a rule a file (`discrete`, `pseudo`, `costly`): from weights that sum to 1 and what a
//! member answered for all rows to its error, its vote and the weights of the next round.

mod cascade;
mod costly;
mod discrete;
mod pseudo;
mod tan;
mod verdict;

pub use cascade::{Stage, n_kept, screen, share};
pub use costly::{CostRule, Costly};
pub use discrete::Discrete;
pub use pseudo::Pseudo;
pub use tan::{TanCost, thesis_cost};
pub use verdict::Verdict;

//! Boosting: members that are fitted one after the other, each to weights that the ones before it got wrong raise.
//!
//! The arithmetic of a round stands a rule a file (`discrete`, `pseudo`, `costly`): from weights that sum to 1 and what a
//! member answered for all rows to its error, its vote and the weights of the next round. `rounds` goes round, and each
//! method is a file.

mod adaboost;
mod adac;
mod balance_cascade;
mod cascade;
mod costly;
mod costs;
mod discrete;
mod easy_ensemble;
mod grid;
mod params;
mod pseudo;
mod rounds;
mod rusboost;
mod smoteboost;
mod tan;
mod under;
mod verdict;

pub use adaboost::{AdaBoostAlgorithm, AdaBoostParams};
pub use adac::{AdaC1Params, AdaC2Params, AdaC3Params};
pub use balance_cascade::{BalanceCascadeParams, CascadeDecision};
pub use cascade::{Stage, n_kept, screen, share};
pub use costly::{CostRule, Costly};
pub use discrete::Discrete;
pub use easy_ensemble::{Combine, EasyEnsembleParams};
pub use pseudo::Pseudo;
pub use rusboost::RusBoostParams;
pub use smoteboost::{SmoteBoostParams, SyntheticWeight};
pub use tan::{TanCost, thesis_cost};
pub use verdict::Verdict;

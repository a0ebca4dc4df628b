//! Boosting.
//! Members are fitted sequentially, each with larger weights on rows that earlier members misclassify.
//!
//! Each update rule has a file of its own (`discrete`, `pseudo`, `costly`). A rule gets row weights that sum
//! to 1 and the output of a member for all rows. It computes the error of the member, its vote and the
//! weights of the next round. `rounds` contains the boosting loop, and every boosting method has a file of
//! its own.

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
mod round_result;
mod rounds;
mod rusboost;
mod smoteboost;
mod tan;
mod under;

pub use adaboost::{AdaBoostAlgorithm, AdaBoostParams};
pub use adac::{AdaC1Params, AdaC2Params, AdaC3Params};
pub use balance_cascade::{BalanceCascadeParams, CascadeDecision};
pub use cascade::{CascadeStage, n_kept, screen, share};
pub use costly::{AdaCRule, AdaCUpdate};
pub use discrete::DiscreteUpdate;
pub use easy_ensemble::{EasyEnsembleParams, SampleCombination};
pub use pseudo::{PseudoLossUpdate, RowPseudoLoss};
pub use round_result::RoundResult;
pub use rusboost::RusBoostParams;
pub use smoteboost::{SmoteBoostParams, SyntheticWeight};
pub use tan::{TanCost, thesis_cost};

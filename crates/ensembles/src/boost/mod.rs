//! Boosting.
//! Members are fitted sequentially, each with larger weights on rows that earlier members misclassify.
//!
//! The update rules are in one file each (`discrete`, `pseudo`, `costly`). From weights that sum to 1 and a
//! member's output for all rows they compute its error, its vote and the weights of the next round. `rounds` is
//! the loop; every method has its own file.

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

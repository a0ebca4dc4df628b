//! Boosting.
//!
//! Members are fitted sequentially, each with larger weights on rows that earlier members misclassify.
//!
//! Each update rule has a file of its own (`discrete_update`, `pseudo_loss_update`, `adac_update`). A rule
//! gets the weights of the training rows, which sum to 1, and the output of a member for these rows. The rule
//! computes the error of the member, the weight of its vote, and the row weights of the next round. `rounds`
//! contains the boosting loop, and every boosting method has a file of its own.

mod adaboost;
mod adac;
mod adac_update;
mod balance_cascade;
mod cascade;
mod class_costs;
mod cost_grid;
mod discrete_update;
mod easy_ensemble;
mod params;
mod pseudo_loss_update;
mod round_result;
mod round_under_sampler;
mod rounds;
mod rusboost;
mod smoteboost;
mod tan_cost;

pub use adaboost::{AdaBoostAlgorithm, AdaBoostParams};
pub use adac::{AdaC1Params, AdaC2Params, AdaC3Params};
pub use adac_update::{AdaCRule, AdaCUpdate};
pub use balance_cascade::{BalanceCascadeParams, CascadeCombinationRule};
pub use cascade::{KeptNegatives, keep_highest_scores, kept_fraction, n_kept_negatives};
pub use discrete_update::DiscreteUpdate;
pub use easy_ensemble::{BalancedSampleVoting, EasyEnsembleParams};
pub use pseudo_loss_update::{PseudoLossUpdate, RowPseudoLoss};
pub use round_result::RoundResult;
pub use rusboost::RusBoostParams;
pub use smoteboost::{SmoteBoostParams, SyntheticWeight};
pub use tan_cost::{TanCost, cost_difference_in_thesis};

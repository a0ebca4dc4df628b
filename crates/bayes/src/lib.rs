//! Discrete Bayesian networks, and Bayesian network classifiers for imbalanced classes.
//!
//! The crate contains discretization, scores, structure search, priors that correct class imbalance, and
//! exact inference (Morán Jiménez 2018).
#![forbid(unsafe_code)]

pub mod classifier;
mod codes;
mod counts;
mod cpt;
mod dag;
mod discretize;
mod equivalence;
mod estimate;
#[cfg(test)]
mod golden;
pub mod infer;
mod info;
pub mod io;
pub mod learn;
mod network;
mod prior;
pub mod proof;
mod regret;
mod restricted;
pub mod sample;
mod score;
pub mod search;
mod smoothed;
mod table;

pub use cpt::Cpt;
pub use dag::Dag;
pub use discretize::{
    ColumnRule, ColumnStates, CutMethod, DiscretizeParams, DiscretizeSettings, Discretizer, DiscretizerInput,
    MissingPolicy, StreamingColumnStats, UnseenLevelPolicy,
};
pub use equivalence::{Cpdag, cpdag, structural_hamming_distance};
pub use estimate::estimate;
pub use network::{Network, Variable};
pub use prior::{
    CountCorrection, NamedPriorWeight, Prior, PriorForm, PriorParams, PriorWeight, RebalanceForm,
    SmallDisjunctPriorSettings,
};
pub use smoothed::{MANY_STATES, ROWS_PER_STATE};
pub use table::{DiscreteTable, MISSING};

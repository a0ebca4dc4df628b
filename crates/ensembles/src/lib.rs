//! Ensembles of models.
//!
//! This crate contains forests of trees on random samples of rows: BEAT (Park and Ghosh 2012), bagging
//! (Breiman 1996), random forests (Breiman 2001), and balanced and weighted random forests (Chen, Liaw and
//! Breiman 2004). It also contains decompositions of several classes into two-class tasks ([`decompose`]),
//! cost-sensitive relabeling ([`relabel`]), ensembles of any members ([`generic`]), and boosting ([`boost`]).
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod alpha_distribution;
mod arrays;
pub mod boost;
mod compact_forest;
mod copied_rows;
pub mod decompose;
mod forest_predictions;
mod formula;
pub mod generic;
mod grower;
mod importance_sums;
mod initial_trees;
mod leaf_value_table;
mod learner;
mod model;
mod node_masses;
mod out_of_bag;
mod params;
mod partition_rows;
mod preselected_rows;
mod rank_pool;
pub mod relabel;
mod row_sample;
mod row_sampler;
pub mod selection;
mod shrinkage;
mod shrinkage_choice;
mod shrinkage_comparison;
mod stored;
mod strata;

pub use alpha_distribution::AlphaDistribution;
pub use forest_predictions::VotingMode;
pub use grower::{CriterionTreeGrower, ForestGrower};
pub use learner::ForestLearner;
pub use model::{ForestModel, OutOfBag};
pub use params::{
    AdaptiveForestParams, BalancedForestParams, BeatParams, ForestParams, ForestSettings, OobScoreRequest,
    SvrForestParams, TreeCount, TreeCountRule,
};
pub use preselected_rows::PreselectedRows;
pub use row_sampler::MaxSamples;
pub use shrinkage_choice::ShrinkageChoice;

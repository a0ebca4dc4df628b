//! Ensembles of models.
//!
//! This crate contains forests of trees on random samples of rows: BEAT (Park and Ghosh 2012), bagging
//! (Breiman 1996), random forests (Breiman 2001), and balanced and weighted random forests (Chen, Liaw and
//! Breiman 2004). It also contains decompositions of several classes into two-class tasks ([`decompose`]),
//! cost-sensitive relabeling ([`relabel`]), ensembles of any members ([`generic`]), and boosting ([`boost`]).
//!
//! ```
//! use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, RunContext, SeedKey};
//! use imbcore_ensembles::{ForestLearner, ForestParams};
//! use imbcore_trees::TreeParams;
//!
//! let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
//! let frame = Frame::new(vec![Column::from_numbers(&x)])?;
//! let data = Dataset::new(frame.clone(), &[0, 0, 0, 0, 1, 1], 2, None)?;
//! let trees = TreeParams::cart().check("forest")?;
//! let learner = ForestLearner::new("forest", ForestParams::default().check("forest")?, trees);
//! let model = learner.fit(&data, SeedKey::root(0), RunContext::silent())?;
//! assert_eq!(model.predict(&frame, RunContext::silent())?, [0, 0, 0, 0, 1, 1]);
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
mod max_samples;
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
pub use max_samples::MaxSamples;
pub use model::{ForestModel, OutOfBag};
pub use params::{
    AdaptiveForestParams, BalancedForestParams, BeatParams, ForestParams, ForestSettings, OobScoreRequest,
    SvrForestParams, TreeCount, TreeCountRule,
};
pub use preselected_rows::PreselectedRows;
pub use shrinkage_choice::ShrinkageChoice;

//! Boosted trees: histogram-based gradient boosting with Newton steps.
//!
//! The algorithm follows Friedman 2001, Chen and Guestrin 2016 and Ke et al. 2017, and uses the same bins as
//! the other trees. Gradients and Hessians are fixed-point numbers ([`fixed_point`]), so that equal data,
//! parameters and seed give bit-identical models with any number of threads. Losses for rare classes include
//! the map from scores to calibrated probabilities ([`loss`]).

mod base_rate_correction;
mod boosted_tree;
mod booster;
mod calibration;
mod constraints;
mod cost_differences;
mod dropout;
mod fixed_point;
mod formula;
mod gradient_histogram;
mod gradient_split;
mod learner;
mod loss;
mod matrix;
mod model;
mod params;
mod ranking_loss;
mod regularization;
mod row_lists;
mod row_sampling;
mod stopping;
mod stored;
mod target_encoder;
mod tree_grower;

pub use learner::BoostedLearner;
pub use model::BoostedModel;
pub use params::{
    BoostedCategoricalSplit, BoostedMissingRule, BoostedObjective, BoostedParams, BoostedRowSampling,
    InteractionConstraints, InteractionRule, RoundCount, RoundCountRule, StoppingScore,
};

//! Boosted trees: histogram-based gradient boosting with Newton steps.
//!
//! The algorithm follows Friedman 2001, Chen and Guestrin 2016 and Ke et al. 2017, and uses the same bins as
//! the other trees. Gradients and Hessians are fixed-point numbers ([`fixed`]), so that equal data,
//! parameters and seed give bit-identical models with any number of threads. Losses for rare classes include
//! the map from scores to calibrated probabilities ([`loss`]).

mod cost_differences;
mod cut;
mod draw;
mod dropout;
mod encoder;
mod evidence;
mod fixed;
mod formula;
mod grow;
mod histogram;
mod learner;
mod level;
mod limits;
mod lists;
mod loss;
mod matrix;
mod member;
mod model;
mod order;
mod params;
mod rounds;
mod rules;
mod stopping;
mod stored;

pub use learner::BoostedLearner;
pub use model::BoostedModel;
pub use params::{
    BoostedCategories, BoostedMissing, BoostedObjective, BoostedParams, Interactions, InteractionsName,
    RoundCount, RoundsName, Sampling, StoppingScore,
};

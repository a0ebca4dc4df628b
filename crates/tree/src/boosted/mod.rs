//! Boosted trees: histogram gradient boosting by Newton steps, on the bins of the other trees.
//!
//! After Friedman 2001, Chen and Guestrin 2016 and Ke et al. 2017. Derivatives are whole numbers ([`fixed`]), so that equal data,
//! parameters and seed give equal bytes whatever shares the work; losses for rare classes come with the map back to honest
//! probabilities ([`loss`]).

mod cost_differences;
mod cut;
mod draw;
mod dropout;
mod evidence;
mod fixed;
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
mod plan;
mod rounds;
mod rules;
mod stopping;
mod stored;

pub use learner::BoostedLearner;
pub use model::BoostedModel;
pub use params::{
    BoostedMissing, BoostedParams, Interactions, InteractionsName, Objective, Rounds, RoundsName, Sampling,
    StoppingScore,
};

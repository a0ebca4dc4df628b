//! Bayesian classifiers: discretised columns, a network over them and the class, and what follows from it.

mod bag;
mod diagnose;
mod facts;
mod generate;
mod learner;
mod model;
mod params;
mod structure;
#[cfg(test)]
mod tests;

pub use diagnose::Diagnosis;
pub use facts::{ArcPrice, MemberFacts, TrainingFacts};
pub use learner::BayesLearner;
pub use model::{BayesModel, Member, MemberWeights};
pub use params::{
    BagParams, BayesBaggingParams, BayesParams, Classifying, Discretize, FullBayesParams, KdbBayesParams,
    KdbParams, NaiveBayesParams, NaiveParams, SearchedParams, TanBayesParams, TanParams, TemperParams,
    bayes_bagging, full_bayes,
};

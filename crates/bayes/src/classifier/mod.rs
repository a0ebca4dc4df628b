//! Bayesian classifiers: discretized columns, and a network over them and the class.

mod bag;
mod coded;
mod diagnose;
mod evidence;
mod facts;
mod families;
mod formula;
mod generate;
mod learner;
mod member;
mod model;
mod one;
mod params;
mod rows;
mod stored;
mod structure;
#[cfg(test)]
mod tests;

pub use coded::EncodedStream;
pub use diagnose::Diagnosis;
pub use learner::{BayesLearner, BayesParams};
pub use member::MemberWeights;
pub use model::BayesModel;
pub use params::{
    AodeBayesParams, AodeParams, BagParams, BayesBaggingParams, BayesClassifierParams, DiscretizeWhen,
    FullBayesParams, KdbBayesParams, KdbParams, NaiveBayesParams, NaiveParams, SearchedParams,
    TanBayesParams, TanParams, TemperParams, bayes_bagging, full_bayes,
};

//! Bayesian classifiers: discretized columns, and a network over them and the class.

mod diagnosis;
mod encoded_training;
mod exported_families;
mod formula;
mod learner;
mod member_learner;
mod member_network;
mod model;
mod network_ensemble;
mod params;
mod row_generator;
mod stored;
mod structure;
#[cfg(test)]
mod tests;
mod training_sample;
mod training_stats;
mod weights_of_evidence;

pub use diagnosis::ZeroRecallDiagnosis;
pub use encoded_training::EncodedRowBuffer;
pub use learner::{BayesLearner, BayesParams};
pub use member_network::MemberWeighting;
pub use model::BayesModel;
pub use params::{
    AodeBayesParams, AodeParams, BagParams, BayesBaggingParams, BayesClassifierParams, DiscretizationTiming,
    FullBayesParams, KdbBayesParams, KdbParams, NaiveBayesColumnParams, NaiveBayesParams,
    SearchedGraphParams, TanBayesParams, TanParams, TemperedWeightParams, bayes_bagging_defaults,
    full_bayes_defaults,
};

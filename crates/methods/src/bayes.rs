//! Implementations of `Method` for the parameters of Bayesian classifiers.

use crate::fitted::FittedEstimator;
use crate::method::{FitRun, Method};
use imbcore_bayes::DiscretizeSettings;
use imbcore_bayes::classifier::{
    AodeBayesParams, BayesBaggingParams, BayesLearner, BayesParams, EncodedRowBuffer, FullBayesParams,
    KdbBayesParams, NaiveBayesParams, TanBayesParams,
};
use imbcore_core::{Learner, Result};

macro_rules! recipes {
    ($($params:ty),*) => {$(
        impl Method for $params {
            fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
                fit(self.build_learner(method)?, run)
            }

            fn chunk_discretize_settings(self, method: &'static str) -> Result<DiscretizeSettings> {
                self.build_learner(method)?.streaming_discretize_settings()
            }

            fn fit_encoded_stream(
                self,
                method: &'static str,
                rows: EncodedRowBuffer,
                run: FitRun<'_, '_>,
            ) -> Result<FittedEstimator> {
                Ok(FittedEstimator::Bayes(self.build_learner(method)?.fit_encoded(rows, run.key, run.ctl)?))
            }
        }
    )*};
}

recipes! { FullBayesParams, NaiveBayesParams, TanBayesParams, KdbBayesParams, AodeBayesParams, BayesBaggingParams }

fn fit(learner: BayesLearner, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
    let learner = learner.with_class_weight(run.class_weight);
    Ok(FittedEstimator::Bayes(learner.fit(run.data, run.key, run.ctl)?))
}

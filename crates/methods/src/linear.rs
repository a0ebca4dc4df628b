//! Implementation of `Method` for the parameters of logistic regression.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method};
use imbcore_core::{Learner, Result};
use imbcore_linear::LogisticParams;

impl Method for LogisticParams {
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::logistic_memory(params, table);

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let learner = self.check(method)?.with_class_weight(run.class_weight);
        Ok(FittedEstimator::Linear(learner.fit(run.data, run.key, run.ctl)?))
    }
}

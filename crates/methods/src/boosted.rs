//! Implementation of `Method` for the parameters of boosted trees.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method};
use crate::model::Model;
use crate::trees::negate_monotonic_constraints;
use imbcore_core::{Error, Result};
use imbcore_trees::boosted::BoostedParams;
use imbcore_trees::{BinEdges, QuantileSketch};

impl Model {
    /// The model that consists of only the first `n` boosting rounds.
    ///
    /// It has the decision rule and the calibration of the full model.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] unless the model consists of boosted trees fitted without
    /// `dropout_rate`; [`imbcore_core::Error::Data`] if the model has fewer than `n` rounds.
    pub fn truncate(&self, n: usize) -> Result<Self> {
        let Some(trees) = self.fitted_estimator().boosted() else {
            return Err(self.unsupported_error("has no rounds"));
        };
        if self.params()["dropout_rate"].as_f64().is_some_and(|rate| rate > 0.0) {
            return Err(Error::Unsupported(
                "with dropout_rate later rounds scale earlier ones down, so the first rounds alone are not a model; fit with fewer n_rounds"
                    .into(),
            ));
        }
        let fitted = FittedEstimator::Boosted(trees.truncate(n)?);
        let mut params = self.params().clone();
        params["n_rounds"] = n.into();
        let (schema, decision) = (self.schema().clone(), self.decision().clone());
        let first = Self::new(self.method(), params, schema, fitted, decision, self.positive_class())?;
        first.with_class_priors(self.class_priors().clone())?.with_calibration(self.calibration().cloned())
    }
}

impl Method for BoostedParams {
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::boosted_memory(params, table);

    fn max_bins(&self, method: &'static str) -> Result<usize> {
        // The parameters are checked here, so that the caller gets an error before it reads any rows.
        self.clone().check(method)?;
        Ok(self.max_bins as usize)
    }

    fn bin_edges(
        self,
        method: &'static str,
        sketches: Vec<Option<QuantileSketch>>,
        run: FitRun<'_, '_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        let learner = self.check(method)?.with_class_weight(run.class_weight).with_costs(run.costs.cloned());
        learner.bin_edges_from_sketches(run.data, sketches, run.ctl)
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let signs = if run.positive == 1 {
            self.monotonic_cst
        } else {
            negate_monotonic_constraints(self.monotonic_cst)
        };
        let params = Self { monotonic_cst: signs, ..self };
        let learner = params
            .check(method)?
            .with_class_weight(run.class_weight)
            .with_positive_class(run.positive)
            .with_costs(run.costs.cloned());
        Ok(FittedEstimator::Boosted(learner.fit_from_earlier_model(
            run.start.boosted(),
            run.data,
            run.key,
            run.ctl,
        )?))
    }
}

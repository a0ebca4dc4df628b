//! Implementations of `Method` for the parameters of single trees.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method};
use imbcore_core::{CompositeParams, Dataset, Error, Learner, Result};
use imbcore_optimal_trees::OptimalTreeParams;
use imbcore_trees::svr::SvrParams;
use imbcore_trees::{
    AlphaParams, BinEdges, C45Params, CategoricalSplit, MissingRule, QuantileSketch, Splitter, TreeParams,
    target_statistics_error,
};

/// Converts monotonicity constraints for the positive class to those for the second class.
///
/// Users give constraints for the probability of the positive class, but learners apply them to the second
/// class. If the first class is positive, signs are negated: the probability of one class falls if that of
/// the other rises.
pub(crate) fn orient_monotonic_constraints(params: TreeParams, positive: u32) -> TreeParams {
    if positive == 1 {
        return params;
    }
    TreeParams { monotonic_cst: negate_monotonic_constraints(params.monotonic_cst), ..params }
}

pub(crate) fn negate_monotonic_constraints(signs: Option<Vec<i8>>) -> Option<Vec<i8>> {
    signs.map(|signs| signs.into_iter().map(i8::wrapping_neg).collect())
}

/// Returns an error for splits by target statistics, which need all rows in memory.
pub(crate) fn refuse_target_statistics(params: &TreeParams, method: &str) -> Result<()> {
    if params.categorical_split == CategoricalSplit::Target {
        Err(target_statistics_error(method))
    } else {
        Ok(())
    }
}

/// Maximum number of bins per column; an error if the fit needs the numbers themselves.
pub(crate) fn max_bins_from_params(params: &TreeParams, method: &'static str) -> Result<usize> {
    refuse_target_statistics(params, method)?;
    let remedy = match (params.splitter, params.missing) {
        (Splitter::Best, MissingRule::Fraction) => {
            "; with max_bins=255 and missing=\"direction\" it reads one byte per value"
        }
        (Splitter::Best, _) => "; with max_bins=255 it reads one byte per value",
        (Splitter::Random | Splitter::PerNode(_), _) => "",
    };
    let message = || format!("{method} reads the values of all rows at once{remedy}");
    params.max_stream_bins(method)?.ok_or_else(|| Error::Unsupported(message()))
}

impl Method for TreeParams {
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::tree_memory(params, table);

    fn with_data_defaults(self, data: &Dataset<'_>) -> Self {
        TreeParams::resolve_auto(self, data)
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let costs = run.cost_matrix().map(|costs| costs.cells().to_vec());
        let learner = orient_monotonic_constraints(self, run.positive)
            .check(method)?
            .with_class_weight(run.class_weight)
            .with_costs(costs);
        Ok(FittedEstimator::Tree(learner.fit(run.data, run.key, run.ctl)?))
    }

    fn max_bins(&self, method: &'static str) -> Result<usize> {
        let bins = max_bins_from_params(self, method)?;
        // The parameters are checked here, so that the caller gets an error before it reads any rows.
        self.clone().check(method)?;
        Ok(bins)
    }

    fn bin_edges(
        self,
        method: &'static str,
        sketches: Vec<Option<QuantileSketch>>,
        run: FitRun<'_, '_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        self.check(method)?
            .with_class_weight(run.class_weight)
            .bin_edges_from_sketches(run.data, sketches, run.ctl)
    }
}

impl Method for CompositeParams<AlphaParams, TreeParams> {
    const MEMORY: MemoryEstimator = TreeParams::MEMORY;

    fn with_data_defaults(self, data: &Dataset<'_>) -> Self {
        Self { inner: self.inner.resolve_auto(data), ..self }
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let costs = run.cost_matrix().map(|costs| costs.cells().to_vec());
        let inner = orient_monotonic_constraints(self.inner, run.positive);
        let learner = self.own.check(inner, method)?.with_class_weight(run.class_weight).with_costs(costs);
        let fitted = learner.fit(run.data, run.key, run.ctl).map_err(|error| match error {
            // The user gave the options of the criterion as parameters of the method, so the error names them
            // without the prefix `criterion.`.
            Error::Parameter { method, name, expected, got } => {
                let name = name.trim_start_matches("criterion.").to_owned();
                Error::Parameter { method, name, expected, got }
            }
            other => other,
        });
        Ok(FittedEstimator::Tree(fitted?))
    }
    fn max_bins(&self, method: &'static str) -> Result<usize> {
        max_bins_from_params(&self.inner, method)
    }

    fn bin_edges(
        self,
        method: &'static str,
        sketches: Vec<Option<QuantileSketch>>,
        run: FitRun<'_, '_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        self.inner.bin_edges(method, sketches, run)
    }
}

impl Method for CompositeParams<C45Params, TreeParams> {
    const MEMORY: MemoryEstimator = TreeParams::MEMORY;

    fn with_data_defaults(self, data: &Dataset<'_>) -> Self {
        Self { inner: self.inner.resolve_auto(data), ..self }
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let learner = self.own.check(self.inner, method)?.with_class_weight(run.class_weight);
        Ok(FittedEstimator::Tree(learner.fit(run.data, run.key, run.ctl)?))
    }
}

impl Method for SvrParams {
    const MEMORY: MemoryEstimator = |_, _, table| memory_estimate::svr_tree_memory(table);

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let learner = self.check(method)?.with_class_weight(run.class_weight)?;
        Ok(FittedEstimator::Svr(learner.fit(run.data, run.key, run.ctl)?))
    }
}

// There is no memory estimate here, because the memory depends on the number of distinct rows. `RankedTable`
// estimates it during the fit.
impl Method for OptimalTreeParams {
    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let costs = run.cost_matrix().cloned();
        let learner = self.check(method)?.with_class_weight(run.class_weight).with_costs(costs);
        Ok(FittedEstimator::Optimal(
            learner.with_positive_class(Some(run.positive)).fit(run.data, run.key, run.ctl)?,
        ))
    }
}

//! Default parameters of forests, and implementations of `Method` for them.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method};
use crate::trees::{max_bins_from_params, orient_monotonic_constraints, refuse_target_statistics};
use imbcore_core::{ClassWeights, CompositeParams, Dataset, Error, OuterParams, ParamSpec, Params, Result};
use imbcore_criteria::{AnyCriterion, C45, Hellinger};
use imbcore_ensembles::{
    AdaptiveForestParams, BalancedForestParams, BeatParams, CriterionTreeGrower, ForestGrower, ForestLearner,
    ForestParams, ForestSettings, SvrForestParams, TreeCount,
};
use imbcore_trees::svr::{SvrLearner, SvrParams};
use imbcore_trees::{
    Auto, BinEdges, CategoricalSplit, MaxFeatures, MaxFeaturesRule, MissingRule, NumberOrAuto,
    QuantileSketch, Splitter, TreeParams,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Parameters that one kind of forest has in addition to the parameters of its trees.
pub(crate) trait ForestKindParams: Params + OuterParams + Default {
    /// Whether class weights give all classes equal total weight by default.
    const BALANCED: bool = false;

    /// Final parameters of the trees: those in `given`, except for values that the forest sets.
    fn tree_params(&self, given: TreeParams) -> TreeParams {
        given
    }

    /// Checks the parameters as far as this is possible without data.
    fn plan(self, method: &'static str) -> Result<ForestSettings>;
}

/// Parameters of a weighted random forest (Chen, Liaw and Breiman 2004).
/// Class weights apply both to the split criterion and to the votes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct WeightedForestParams(pub(crate) ForestParams);

impl Params for WeightedForestParams {
    fn specs(&self) -> Vec<ParamSpec> {
        self.0.specs()
    }
}

impl OuterParams for WeightedForestParams {}

impl ForestKindParams for WeightedForestParams {
    const BALANCED: bool = true;

    fn plan(self, method: &'static str) -> Result<ForestSettings> {
        Ok(self.0.check(method)?.with_weighted_votes())
    }
}

impl ForestKindParams for BalancedForestParams {
    fn plan(self, method: &'static str) -> Result<ForestSettings> {
        self.check(method)
    }
}

impl ForestKindParams for ForestParams {
    fn plan(self, method: &'static str) -> Result<ForestSettings> {
        self.check(method)
    }
}

impl ForestKindParams for AdaptiveForestParams {
    fn tree_params(&self, given: TreeParams) -> TreeParams {
        TreeParams { min_samples_leaf: self.min_samples_leaf(), ..given }
    }

    fn plan(self, method: &'static str) -> Result<ForestSettings> {
        self.check(method)
    }
}

impl ForestKindParams for BeatParams {
    fn plan(self, method: &'static str) -> Result<ForestSettings> {
        self.check(method)
    }
}

/// Random forest of Gini trees (Breiman 2001) with the given forest parameters.
pub(crate) fn random_forest_params<F: ForestKindParams>(own: F) -> CompositeParams<F, TreeParams> {
    let max_features = Some(MaxFeatures::Named(MaxFeaturesRule::Sqrt));
    CompositeParams::new(own, TreeParams { max_features, ..TreeParams::cart() })
}

/// Extremely randomized trees (Geurts, Ernst and Wehenkel 2006).
///
/// Each tree uses all rows, and each split compares one random threshold per candidate column.
pub(crate) fn extra_trees_params() -> CompositeParams<ForestParams, TreeParams> {
    let forest = random_forest_params(ForestParams { bootstrap: false, ..ForestParams::default() });
    let inner = TreeParams {
        splitter: Splitter::Random,
        categorical_split: CategoricalSplit::Subset,
        ..forest.inner
    };
    CompositeParams { inner, ..forest }
}

/// Random forest whose samples have equally many rows of each class.
///
/// Its probabilities are corrected from equal classes to the class proportions of the data.
pub(crate) fn balanced_forest_params() -> CompositeParams<BalancedForestParams, TreeParams> {
    random_forest_params(BalancedForestParams::default())
}

/// Extra trees with defaults that were chosen on real data sets.
///
/// See `python/papers/default_study.py`. The hierarchical shrinkage of the leaves is chosen on the training
/// data (see `python/papers/adaptive_forest.py`).
pub(crate) fn adaptive_forest_params() -> CompositeParams<AdaptiveForestParams, TreeParams> {
    let trees = TreeParams {
        criterion: AnyCriterion::Hellinger(Hellinger {}),
        max_features: Some(MaxFeatures::Share(0.5)),
        categorical_split: CategoricalSplit::Auto,
        ..extra_trees_params().inner
    };
    CompositeParams::new(AdaptiveForestParams::default(), trees)
}

/// Extracts the parameters of a single tree (method `cart`) from those of a forest.
pub(crate) fn cart_params_of_forest(forest: &Value) -> Map<String, Value> {
    let of_tree = |spec: ParamSpec| {
        let used = forest.get(spec.name).cloned().unwrap_or(spec.default);
        let used = match spec.name {
            "min_samples_leaf" if used == "auto" => AdaptiveForestParams::AUTO_MIN_SAMPLES_LEAF.into(),
            _ => used,
        };
        (spec.name.to_owned(), used)
    };
    TreeParams::default().specs().into_iter().map(of_tree).collect()
}

/// Bootstrap ensemble of alpha-trees (Park and Ghosh 2012).
/// Nominal columns become dummy variables, as in the paper.
pub(crate) fn beat_forest_params() -> CompositeParams<BeatParams, TreeParams> {
    CompositeParams::new(
        BeatParams::default(),
        TreeParams { categorical_split: CategoricalSplit::Dummy, ..TreeParams::cart() },
    )
}

/// Bagging of binary, unpruned C4.5 trees; their leaf frequencies are averaged.
///
/// These trees are the baseline of Park and Ghosh (2012).
pub(crate) fn bagged_c45_params() -> CompositeParams<ForestParams, TreeParams> {
    let trees = TreeParams {
        criterion: AnyCriterion::C45(C45::default()),
        min_weight_leaf: 2.0,
        allow_zero_gain_splits: false,
        missing: MissingRule::Fraction,
        ..TreeParams::cart()
    };
    CompositeParams::new(
        ForestParams { n_estimators: TreeCount::Given(30), ..ForestParams::default() },
        trees,
    )
}

/// Whether `max_bins="auto"` cannot be resolved, because only a sample of the rows is read.
fn is_auto_max_bins_unresolvable(trees: &TreeParams, data: &Dataset<'_>) -> bool {
    data.is_sample() && trees.max_bins == Some(NumberOrAuto::Auto(Auto::Auto))
}

fn criterion_forest_learner<F: ForestKindParams>(
    CompositeParams { own, inner }: CompositeParams<F, TreeParams>,
    method: &'static str,
    run: &FitRun<'_, '_>,
) -> Result<ForestLearner<CriterionTreeGrower>> {
    let class_weight = match &run.class_weight {
        None if F::BALANCED => Some(ClassWeights::Balanced.resolve(&run.data.class_masses())?),
        given => given.clone(),
    };
    let costs = run.cost_matrix().map(|costs| costs.cells().to_vec());
    let plan = own.clone().plan(method)?;
    let trees = own.tree_params(orient_monotonic_constraints(inner, run.positive));
    let trees = trees.check(method)?.with_class_weight(class_weight).with_costs(costs);
    Ok(ForestLearner::new(method, plan, trees).with_positive_class(run.positive))
}

fn svr_forest_learner(
    CompositeParams { own, inner }: CompositeParams<SvrForestParams, SvrParams>,
    method: &'static str,
    run: &FitRun<'_, '_>,
) -> Result<ForestLearner<SvrLearner>> {
    let trees = inner.check(method)?.with_class_weight(run.class_weight.clone())?;
    Ok(ForestLearner::for_svr_trees(method, own.check(method)?, trees).with_positive_class(run.positive))
}

/// Grows all trees of a forest, or a range of its trees that is merged with others later.
fn grow_forest<G: ForestGrower>(learner: &ForestLearner<G>, run: &FitRun<'_, '_>) -> Result<FittedEstimator> {
    let FitRun { data, key, start, ctl, .. } = *run;
    Ok(FittedEstimator::Forest(match start.member_range() {
        Some(part) => learner.fit_tree_range(part, data, key, ctl)?,
        None => learner.fit_more_trees(start.forest(), data, key, ctl)?,
    }))
}

impl<F: ForestKindParams> Method for CompositeParams<F, TreeParams> {
    const DRAWS: bool = true;
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::forest_memory(params, table);

    fn with_data_defaults(self, data: &Dataset<'_>) -> Self {
        if is_auto_max_bins_unresolvable(&self.inner, data) {
            self
        } else {
            Self { inner: self.inner.resolve_auto(data), ..self }
        }
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        grow_forest(&criterion_forest_learner(self, method, &run)?, &run)
    }

    fn draw_rows(self, method: &'static str, run: FitRun<'_, '_>) -> Result<Vec<Vec<u32>>> {
        refuse_target_statistics(&self.inner, method)?;
        let unread = is_auto_max_bins_unresolvable(&self.inner, run.data);
        // If a forest needs all rows, the error of `draw_tree_rows` explains this better than an error about
        // `max_bins`, so `draw_tree_rows` is called first.
        let drawn =
            criterion_forest_learner(self, method, &run)?.draw_tree_rows(&run.data.class_stats(), run.key)?;
        if unread {
            let expected = "None or a whole number from 2 to 255 if only part of the rows is read, because the other values are unknown";
            return Err(Error::parameter(method, "max_bins", expected, "auto"));
        }
        Ok(drawn)
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
        criterion_forest_learner(self, method, &run)?.bin_edges_from_sketches(run.data, sketches, run.ctl)
    }
}

impl Method for CompositeParams<SvrForestParams, SvrParams> {
    const DRAWS: bool = true;
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::svr_forest_memory(params, table);

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        grow_forest(&svr_forest_learner(self, method, &run)?, &run)
    }

    fn draw_rows(self, method: &'static str, run: FitRun<'_, '_>) -> Result<Vec<Vec<u32>>> {
        svr_forest_learner(self, method, &run)?.draw_tree_rows(&run.data.class_stats(), run.key)
    }
}

//! Forests as a family of methods.

use crate::fitted::Fitted;
use crate::memory_estimate::{self, Estimator};
use crate::recipe::{Recipe, Run};
use crate::trees::{about_second, bins_of};
use imbcore_base::{ClassWeights, Dataset, Error, Joined, Overrides, ParamSpec, Params, Result};
use imbcore_criteria::{AnyCriterion, C45, Hellinger};
use imbcore_ensemble::{
    BalancedForestParams, BeatParams, CriterionTrees, ForestLearner, ForestParams, ForestPlan, Grower,
    SvrForestParams, Trees,
};
use imbcore_tree::svr::{SvrLearner, SvrParams};
use imbcore_tree::{
    Auto, Cuts, Edges, MaxFeatures, MaxFeaturesName, MissingRule, NominalRule, NumberOrAuto, Sketch,
    TreeParams,
};
use serde::{Deserialize, Serialize};

/// Parameters of a kind of forest, in addition to those of its trees.
pub(crate) trait Family: Params + Overrides + Default {
    /// Whether classes get equal total weight by default.
    const BALANCED: bool = false;

    /// Checks everything that can be checked without data.
    fn plan(self, method: &'static str) -> Result<ForestPlan>;
}

/// Rows weighted by class, in the criterion and in the votes (Chen, Liaw and Breiman 2004).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Weighted(pub(crate) ForestParams);

impl Params for Weighted {
    fn specs(&self) -> Vec<ParamSpec> {
        self.0.specs()
    }
}

impl Overrides for Weighted {}

impl Family for Weighted {
    const BALANCED: bool = true;

    fn plan(self, method: &'static str) -> Result<ForestPlan> {
        Ok(self.0.check(method)?.weighted())
    }
}

impl Family for BalancedForestParams {
    fn plan(self, method: &'static str) -> Result<ForestPlan> {
        self.check(method)
    }
}

impl Family for ForestParams {
    fn plan(self, method: &'static str) -> Result<ForestPlan> {
        self.check(method)
    }
}

impl Family for BeatParams {
    fn plan(self, method: &'static str) -> Result<ForestPlan> {
        self.check(method)
    }
}

/// Random forest of Gini trees (Breiman 2001) with the given forest parameters.
pub(crate) fn random_forest<F: Family>(own: F) -> Joined<F, TreeParams> {
    let max_features = Some(MaxFeatures::Named(MaxFeaturesName::Sqrt));
    Joined::new(own, TreeParams { max_features, ..TreeParams::cart() })
}

/// Extremely randomized trees (Geurts, Ernst and Wehenkel 2006).
///
/// They use all rows and one random threshold per column.
pub(crate) fn extra_trees() -> Joined<ForestParams, TreeParams> {
    let forest = random_forest(ForestParams { bootstrap: false, ..ForestParams::default() });
    let inner = TreeParams { cuts: Cuts::Random, nominal: NominalRule::Subset, ..forest.inner };
    Joined { inner, ..forest }
}

/// Random forest on samples with equally many rows of each class.
///
/// Its probabilities are corrected to the data's class proportions.
pub(crate) fn balanced() -> Joined<BalancedForestParams, TreeParams> {
    random_forest(BalancedForestParams::default())
}

/// Extra trees with the defaults that performed best on real data (`python/papers/default_study.py`).
pub(crate) fn forest() -> Joined<ForestParams, TreeParams> {
    let forest = extra_trees();
    let inner = TreeParams {
        criterion: AnyCriterion::Hellinger(Hellinger {}),
        min_samples_leaf: 2,
        max_features: Some(MaxFeatures::Share(0.5)),
        ..forest.inner
    };
    Joined { inner, ..forest }
}

/// Bootstrap ensemble of alpha-trees (Park and Ghosh 2012), with dummy variables for nominal columns as in the paper.
pub(crate) fn beat() -> Joined<BeatParams, TreeParams> {
    Joined::new(BeatParams::default(), TreeParams { nominal: NominalRule::Dummy, ..TreeParams::cart() })
}

/// Bagged C4.5 trees, binary and unpruned, with averaged leaf frequencies.
///
/// They are the baseline of Park and Ghosh (2012).
pub(crate) fn bagged_c45() -> Joined<ForestParams, TreeParams> {
    let trees = TreeParams {
        criterion: AnyCriterion::C45(C45::default()),
        min_weight_leaf: 2.0,
        zero_gain: false,
        missing: MissingRule::Fraction,
        ..TreeParams::cart()
    };
    Joined::new(ForestParams { n_estimators: Trees::Given(30), ..ForestParams::default() }, trees)
}

/// Whether the number of bins depends on values that are not read.
fn counts_unread(trees: &TreeParams, data: &Dataset<'_>) -> bool {
    data.is_drawn() && trees.max_bins == Some(NumberOrAuto::Auto(Auto::Auto))
}

/// A forest of criterion trees, with checked parameters.
fn of_trees<F: Family>(
    Joined { own, inner }: Joined<F, TreeParams>,
    method: &'static str,
    run: &Run<'_, '_>,
) -> Result<ForestLearner<CriterionTrees>> {
    let class_weight = match &run.class_weight {
        None if F::BALANCED => Some(ClassWeights::Balanced.resolve(&run.data.class_masses())?),
        given => given.clone(),
    };
    let costs = run.matrix().map(|costs| costs.cells().to_vec());
    let trees = about_second(inner, run.positive).check(method)?.class_weight(class_weight).costs(costs);
    Ok(ForestLearner::new(method, own.plan(method)?, trees).positive(run.positive))
}

/// A forest of SVR-Trees, with checked parameters.
fn of_svr_trees(
    Joined { own, inner }: Joined<SvrForestParams, SvrParams>,
    method: &'static str,
    run: &Run<'_, '_>,
) -> Result<ForestLearner<SvrLearner>> {
    let trees = inner.check(method)?.class_weight(run.class_weight.clone())?;
    Ok(ForestLearner::of_svr_trees(method, own.check(method)?, trees).positive(run.positive))
}

/// Grows the requested trees.
fn grown<G: Grower>(learner: &ForestLearner<G>, run: &Run<'_, '_>) -> Result<Fitted> {
    let Run { data, key, start, ctl, .. } = *run;
    Ok(Fitted::Forest(match start.part() {
        Some(part) => learner.fit_part(part, data, key, ctl)?,
        None => learner.fit_from(start.forest(), data, key, ctl)?,
    }))
}

impl<F: Family> Recipe for Joined<F, TreeParams> {
    const DRAWS: bool = true;
    const MEMORY: Estimator = |_, params, table| memory_estimate::of_forest(params, table);

    fn settled(self, data: &Dataset<'_>) -> Self {
        if counts_unread(&self.inner, data) { self } else { Self { inner: self.inner.settled(data), ..self } }
    }

    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        grown(&of_trees(self, method, &run)?, &run)
    }

    fn draw(self, method: &'static str, run: Run<'_, '_>) -> Result<Vec<Vec<u32>>> {
        let unread = counts_unread(&self.inner, run.data);
        // A forest that reads all rows must report that error first: it has bins of its own.
        let drawn = of_trees(self, method, &run)?.draw(&run.data.facts(), run.key)?;
        if unread {
            let expected = "None or a whole number from 2 to 255 if only part of the rows is read, because the other values are unknown";
            return Err(Error::parameter(method, "max_bins", expected, "auto"));
        }
        Ok(drawn)
    }

    fn bins(&self, method: &'static str) -> Result<usize> {
        bins_of(&self.inner, method)
    }

    fn edges(
        self,
        method: &'static str,
        sketches: Vec<Option<Sketch>>,
        run: Run<'_, '_>,
    ) -> Result<Vec<Option<Edges>>> {
        of_trees(self, method, &run)?.edges(run.data, sketches, run.ctl)
    }
}

impl Recipe for Joined<SvrForestParams, SvrParams> {
    const DRAWS: bool = true;
    const MEMORY: Estimator = |_, params, table| memory_estimate::of_forest(params, table);

    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        grown(&of_svr_trees(self, method, &run)?, &run)
    }

    fn draw(self, method: &'static str, run: Run<'_, '_>) -> Result<Vec<Vec<u32>>> {
        of_svr_trees(self, method, &run)?.draw(&run.data.facts(), run.key)
    }
}

//! Forests as a family of methods.

use crate::fitted::Fitted;
use crate::recipe::{Recipe, Run};
use crate::trees::about_second;
use imbcore_base::{ClassWeights, Joined, Overrides, ParamSpec, Params, Result};
use imbcore_criteria::{AnyCriterion, C45};
use imbcore_ensemble::{
    BalancedForestParams, BeatParams, ForestLearner, ForestParams, ForestPlan, SvrForestParams,
};
use imbcore_tree::svr::SvrParams;
use imbcore_tree::{MaxFeatures, MaxFeaturesName, MissingRule, NominalRule, TreeParams};
use serde::{Deserialize, Serialize};

/// What a kind of forest adds to the parameters of its trees.
pub(crate) trait Family: Params + Overrides + Default {
    /// Whether classes weigh alike where the user gives no weights.
    const BALANCED: bool = false;

    /// Checks what can be checked without data.
    fn plan(self, method: &'static str) -> Result<ForestPlan>;
}

/// Rows weighed by class, in the criterion and in the votes (Chen, Liaw and Breiman 2004).
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

/// Random forest of Gini trees (Breiman 2001), of the kind that `own` says.
pub(crate) fn random_forest<F: Family>(own: F) -> Joined<F, TreeParams> {
    let max_features = Some(MaxFeatures::Named(MaxFeaturesName::Sqrt));
    Joined::new(own, TreeParams { max_features, ..TreeParams::cart() })
}

/// Random forest whose trees see as many rows of each class; its probabilities are of the world as it is all the same.
pub(crate) fn balanced() -> Joined<BalancedForestParams, TreeParams> {
    random_forest(BalancedForestParams::default())
}

/// Bootstrap ensemble of alpha-trees (Park and Ghosh 2012), with dummies for nominal columns as in the paper.
pub(crate) fn beat() -> Joined<BeatParams, TreeParams> {
    Joined::new(BeatParams::default(), TreeParams { nominal: NominalRule::Dummy, ..TreeParams::cart() })
}

/// Bagged C4.5 trees, binary and not pruned, whose leaf frequencies are averaged; the comparator of Park and Ghosh
/// (2012).
pub(crate) fn bagged_c45() -> Joined<ForestParams, TreeParams> {
    let trees = TreeParams {
        criterion: AnyCriterion::C45(C45::default()),
        min_weight_leaf: 2.0,
        zero_gain: false,
        missing: MissingRule::Fraction,
        ..TreeParams::cart()
    };
    Joined::new(ForestParams { n_estimators: 30, ..ForestParams::default() }, trees)
}

impl<F: Family> Recipe for Joined<F, TreeParams> {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let Run { data, class_weight, costs, positive, key, start, ctl, .. } = run;
        let class_weight = match class_weight {
            None if F::BALANCED => Some(ClassWeights::Balanced.resolve(data.classes(), data.n_classes())?),
            given => given,
        };
        let costs = costs.map(|costs| costs.cells().to_vec());
        let trees = about_second(self.inner, positive).check(method)?.class_weight(class_weight).costs(costs);
        let learner = ForestLearner::new(method, self.own.plan(method)?, trees).positive(positive);
        Ok(Fitted::Forest(learner.fit_from(start.forest(), data, key, ctl)?))
    }
}

impl Recipe for Joined<SvrForestParams, SvrParams> {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let trees = self.inner.check(method)?.class_weight(run.class_weight)?;
        let learner =
            ForestLearner::of_svr_trees(method, self.own.check(method)?, trees).positive(run.positive);
        Ok(Fitted::Forest(learner.fit_from(run.start.forest(), run.data, run.key, run.ctl)?))
    }
}

//! Growing the trees of a forest.

use crate::alpha_distribution::AlphaDistribution;
use imbcore_core::{Dataset, Result, RunContext, SeedKey, tags};
use imbcore_criteria::{Alpha, AlphaExt, AnyCriterion, Gini, ReferenceDistribution};
use imbcore_trees::svr::{SvrData, SvrLearner};
use imbcore_trees::{DrawnRows, EncodedData, LeafEstimate, PreparedData, Tree, TreeLearner};

/// Grows the trees of a forest from prepared data, which many trees can share.
pub trait ForestGrower: Sync {
    /// Data set prepared for growing.
    type Preparation<'a>: Sync;

    /// Replaces nominal columns by target statistics (means of the target per level).
    ///
    /// Returns `None` if the tree parameters and the columns do not require target statistics.
    fn encode_nominal_columns(
        &self,
        _data: &Dataset<'_>,
        _key: SeedKey,
        _ctl: RunContext<'_>,
    ) -> Result<Option<EncodedData>> {
        Ok(None)
    }

    /// Prepares a data set.
    fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunContext<'_>) -> Result<Self::Preparation<'a>>;

    /// Grows the tree with the seed key `key` on the sampled rows.
    ///
    /// Also returns the alpha of the tree's criterion if every tree has its own alpha.
    fn grow(
        &self,
        prepared: &Self::Preparation<'_>,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(Tree, Option<f64>)>;

    /// Feature importances of the tree that was grown with the seed key `key`.
    fn importances(&self, tree: &Tree, key: SeedKey, n_columns: usize) -> Vec<f64>;

    /// Class weights, if given.
    fn class_weights(&self) -> Option<&[f64]>;

    /// Method for leaf probabilities, its parameter `m`, and handling of missing values.
    ///
    /// `m` is the weight of the prior in the m-estimate. The last value is true if a fraction of a row with a
    /// missing value goes to each branch.
    fn leaf_estimate_rule(&self) -> (LeafEstimate, f64, bool);
}

/// Grows trees whose splits are chosen by a split criterion.
///
/// All trees have the same criterion, or each tree has an alpha-divergence with its own alpha.
#[derive(Clone, Debug)]
pub struct CriterionTreeGrower {
    pub(crate) tree: TreeLearner,
    pub(crate) alpha_distribution: Option<(AlphaDistribution, Option<ReferenceDistribution>)>,
}

impl CriterionTreeGrower {
    fn criterion_and_alpha(&self, key: SeedKey) -> (AnyCriterion, Option<f64>) {
        let Some((alpha_distribution, reference)) = &self.alpha_distribution else {
            return (self.tree.criterion().clone(), None);
        };
        let alpha = alpha_distribution.draw(key.child(tags::tree::ALPHA, 0));
        let criterion = match reference {
            None => AnyCriterion::Alpha(Alpha { alpha }),
            Some(reference) => AnyCriterion::AlphaExt(AlphaExt { alpha, reference: reference.clone() }),
        };
        (criterion, Some(alpha))
    }
}

impl ForestGrower for CriterionTreeGrower {
    type Preparation<'a> = PreparedData<'a>;

    fn encode_nominal_columns(
        &self,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<EncodedData>> {
        self.tree.encode_nominal_columns(data, key, ctl)
    }

    fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunContext<'_>) -> Result<PreparedData<'a>> {
        self.tree.prepare(data, ctl)
    }

    fn grow(
        &self,
        prepared: &PreparedData<'_>,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(Tree, Option<f64>)> {
        // Every tree has its own random stream, so adding trees does not change the earlier trees.
        let (criterion, alpha) = self.criterion_and_alpha(key);
        Ok((self.tree.grow(prepared, &criterion, drawn, key, ctl)?, alpha))
    }

    fn importances(&self, tree: &Tree, key: SeedKey, n_columns: usize) -> Vec<f64> {
        tree.feature_importances(n_columns, &self.criterion_and_alpha(key).0)
    }

    fn class_weights(&self) -> Option<&[f64]> {
        self.tree.class_weights()
    }

    fn leaf_estimate_rule(&self) -> (LeafEstimate, f64, bool) {
        self.tree.leaf_estimate_settings()
    }
}

/// Grows SVR-Trees; in a forest, their leaves predict weighted class proportions.
impl ForestGrower for SvrLearner {
    type Preparation<'a> = SvrData<'a>;

    fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunContext<'_>) -> Result<SvrData<'a>> {
        SvrLearner::prepare(self, data, ctl)
    }

    fn grow(
        &self,
        prepared: &SvrData<'_>,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(Tree, Option<f64>)> {
        let times = match drawn {
            DrawnRows::All => None,
            DrawnRows::Counted(times) => Some(times.iter().copied().map(u32::from).collect()),
            DrawnRows::Listed(rows) => {
                let mut times = vec![0; prepared.n_rows()];
                for &row in rows {
                    times[row as usize] += 1;
                }
                Some(times)
            }
        };
        Ok((self.fit_tree(prepared, times.as_deref(), Some(key), ctl)?, None))
    }

    fn importances(&self, tree: &Tree, _key: SeedKey, n_columns: usize) -> Vec<f64> {
        // The gain of an SVR-Tree is a decrease of impurity per unit of weight, as for the Gini index.
        // Importances are therefore computed as for the Gini index.
        tree.feature_importances(n_columns, &AnyCriterion::Gini(Gini {}))
    }

    fn class_weights(&self) -> Option<&[f64]> {
        SvrLearner::class_weights(self)
    }

    fn leaf_estimate_rule(&self) -> (LeafEstimate, f64, bool) {
        (LeafEstimate::Frequency, 1.0, false)
    }
}

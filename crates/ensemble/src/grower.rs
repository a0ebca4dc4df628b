//! What grows the trees of a forest.

use crate::law::AlphaLaw;
use imbcore_base::{Dataset, Result, RunCtl, SeedKey, tags};
use imbcore_criteria::{Alpha, AlphaExt, AnyCriterion, Gini, Reference};
use imbcore_tree::svr::{SvrGround, SvrLearner};
use imbcore_tree::{DrawnRows, Ground, LeafRule, Tree, TreeLearner};

/// Grows any number of trees from one data set, made ready once.
pub trait Grower: Sync {
    /// The data set, ready for growing.
    type Ground<'a>: Sync;

    /// Makes a data set ready.
    fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunCtl<'_>) -> Result<Self::Ground<'a>>;

    /// Grows the tree at `key` on the rows drawn; returns its alpha too where trees differ in it.
    fn grow(
        &self,
        ground: &Self::Ground<'_>,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<(Tree, Option<f64>)>;

    /// Importances of the columns in the tree that was grown at `key`.
    fn importances(&self, tree: &Tree, key: SeedKey, n_columns: usize) -> Vec<f64>;

    /// Weights of the classes, where given.
    fn class_weights(&self) -> Option<&[f64]>;

    /// Estimate of the leaves, its `m`, and whether rows without a value are shared out.
    fn leaf_rule(&self) -> (LeafRule, f64, bool);
}

/// Trees that a criterion splits: one for all, or the alpha-divergence with an alpha of its own for each tree.
#[derive(Clone, Debug)]
pub struct CriterionTrees {
    pub(crate) tree: TreeLearner,
    pub(crate) law: Option<(AlphaLaw, Option<Reference>)>,
}

impl CriterionTrees {
    fn criterion(&self, key: SeedKey) -> (AnyCriterion, Option<f64>) {
        let Some((law, reference)) = &self.law else { return (self.tree.criterion().clone(), None) };
        let alpha = law.draw(key.child(tags::tree::ALPHA, 0));
        let criterion = match reference {
            None => AnyCriterion::Alpha(Alpha { alpha }),
            Some(reference) => AnyCriterion::AlphaExt(AlphaExt { alpha, reference: reference.clone() }),
        };
        (criterion, Some(alpha))
    }
}

impl Grower for CriterionTrees {
    type Ground<'a> = Ground<'a>;

    fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunCtl<'_>) -> Result<Ground<'a>> {
        self.tree.prepare(data, ctl)
    }

    fn grow(
        &self,
        ground: &Ground<'_>,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<(Tree, Option<f64>)> {
        // Draws are addressed: more trees leave the first ones as they are.
        let (criterion, alpha) = self.criterion(key);
        Ok((self.tree.grow(ground, &criterion, drawn, key, ctl)?, alpha))
    }

    fn importances(&self, tree: &Tree, key: SeedKey, n_columns: usize) -> Vec<f64> {
        tree.feature_importances(n_columns, &self.criterion(key).0)
    }

    fn class_weights(&self) -> Option<&[f64]> {
        self.tree.class_weights()
    }

    fn leaf_rule(&self) -> (LeafRule, f64, bool) {
        self.tree.leaf_rule()
    }
}

/// SVR-Trees, whose leaves answer with their weighted shares instead of their labels.
impl Grower for SvrLearner {
    type Ground<'a> = SvrGround<'a>;

    fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunCtl<'_>) -> Result<SvrGround<'a>> {
        SvrLearner::prepare(self, data, ctl)
    }

    fn grow(
        &self,
        ground: &SvrGround<'_>,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<(Tree, Option<f64>)> {
        let times = match drawn {
            DrawnRows::All => None,
            DrawnRows::Counted(times) => Some(times.iter().copied().map(u32::from).collect()),
            DrawnRows::Listed(rows) => {
                let mut times = vec![0; ground.n_rows()];
                for &row in rows {
                    times[row as usize] += 1;
                }
                Some(times)
            }
        };
        Ok((self.tree(ground, times.as_deref(), Some(key), ctl)?, None))
    }

    fn importances(&self, tree: &Tree, _key: SeedKey, n_columns: usize) -> Vec<f64> {
        // Their gain is a fall of impurity by unit of mass, as that of the Gini index.
        tree.feature_importances(n_columns, &AnyCriterion::Gini(Gini {}))
    }

    fn class_weights(&self) -> Option<&[f64]> {
        SvrLearner::class_weights(self)
    }

    fn leaf_rule(&self) -> (LeafRule, f64, bool) {
        (LeafRule::Frequency, 1.0, false)
    }
}

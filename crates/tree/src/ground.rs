//! A data set made ready once, from which any number of trees grow.

use crate::grow::grow;
use crate::model::TreeModel;
use crate::prune::{Complexity, Risk};
use crate::ranks::Ranks;
use crate::recipes::TreeLearner;
use crate::rows::presort;
use crate::settings::{Layout, MissingRule, NominalRule, Settings};
use crate::training::{Entry, Table, TrainColumn, Training, repeated};
use crate::tree::Tree;
use imbcore_base::{Dataset, Error, Learner, Result, RunCtl, SeedKey};
use imbcore_criteria::{AnyCriterion, Criterion, Facts, METHOD, Visit};
use rayon::prelude::*;

/// Checked settings and the columns of a data set, sorted.
pub struct Ground<'a> {
    table: Table<'a>,
    settings: Settings,
    facts: Facts,
    /// All usable rows sorted by every column; empty where nodes sort for themselves.
    orders: Vec<Vec<Entry>>,
}

impl Ground<'_> {
    /// Number of rows of the data set.
    pub fn n_rows(&self) -> usize {
        self.table.classes.len()
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.table.columns.len()
    }
}

impl TreeLearner {
    /// Makes a data set ready for growing trees with the parameters of this learner.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::Data`] or [`Error::Column`] where parameters and data do not fit;
    /// [`Error::Cancelled`].
    pub fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunCtl<'_>) -> Result<Ground<'a>> {
        let mut table = Table::new(data, self.class_weight.as_deref(), ctl)?;
        let settings = self.settings(&table, table.may_miss())?;
        let nominal = table.columns.iter().any(|column| matches!(column, TrainColumn::Nominal { .. }));
        let multiway = nominal && self.params.nominal == NominalRule::Multiway;
        let facts = Facts { n_classes: data.n_classes(), multiway };
        let mut orders = presort(&table, settings.layout, ctl)?;
        if settings.layout == Layout::Ranked {
            table.ranks = Ranks::new(&table, &orders);
            orders.clear();
        }
        Ok(Ground { table, settings, facts, orders })
    }

    /// Grows one tree by `criterion` from all rows, or from each as often as `sample` says.
    ///
    /// Rows of weight 0 stay out of every sample. Row counts count a row as often as it was drawn.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a criterion that does not fit the data, [`Error::Cancelled`].
    pub fn grow(
        &self,
        ground: &Ground<'_>,
        criterion: &AnyCriterion,
        sample: Option<&[u32]>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Tree> {
        let orders = match sample {
            None => ground.orders.clone(),
            Some(times) => ground.orders.par_iter().map(|order| repeated(order, times)).collect(),
        };
        self.grow_in(ground, criterion, &Training::new(&ground.table, sample), orders, key, ctl)
    }

    /// Grows one tree as [`Self::grow`] does, from `rows`, ascending, a row drawn twice given twice.
    ///
    /// With [`Layout::Ranked`] the cost depends on their number, not on the size of the table.
    ///
    /// # Errors
    /// As [`Self::grow`].
    pub fn grow_from(
        &self,
        ground: &Ground<'_>,
        criterion: &AnyCriterion,
        rows: &[u32],
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Tree> {
        if ground.settings.layout == Layout::Ranked {
            let training = Training::of_rows(&ground.table, rows);
            return self.grow_in(ground, criterion, &training, Vec::new(), key, ctl);
        }
        let mut times = vec![0; ground.n_rows()];
        for &row in rows {
            times[row as usize] += 1;
        }
        self.grow(ground, criterion, Some(&times), key, ctl)
    }

    fn grow_in(
        &self,
        ground: &Ground<'_>,
        criterion: &AnyCriterion,
        training: &Training<'_>,
        orders: Vec<Vec<Entry>>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Tree> {
        let (settings, facts) = (&ground.settings, ground.facts);
        let grow = Grow { training, settings, facts, orders, key, ctl };
        let tree = criterion.accept(grow).map_err(|error| match error {
            Error::Parameter { method, name, expected, got } if method == METHOD => {
                Error::Parameter { method: self.method.to_owned(), name, expected, got }
            }
            other => other,
        })?;
        self.prune(tree, training, ctl)
    }

    /// Prunes a grown tree as the parameters say.
    fn prune(&self, tree: Tree, training: &Training<'_>, ctl: RunCtl<'_>) -> Result<Tree> {
        if let Some(rules) = &self.c45 {
            let fraction = self.params.missing == MissingRule::Fraction;
            return rules.finish(tree, training, fraction, ctl);
        }
        match self.params.ccp_alpha {
            None => Ok(tree),
            Some(Complexity(alpha)) => {
                let risk = Risk::new(self.params.ccp_risk, self.costs.as_deref(), training.n_classes)?;
                Ok(tree.pruned_at(alpha, &risk))
            }
        }
    }

    /// A grown tree with the leaf rule of this learner.
    pub fn model(&self, tree: Tree) -> TreeModel {
        let fraction = self.params.missing == MissingRule::Fraction;
        TreeModel::new(tree, self.params.leaf, self.params.m, fraction)
    }
}

struct Grow<'g> {
    training: &'g Training<'g>,
    settings: &'g Settings,
    facts: Facts,
    orders: Vec<Vec<Entry>>,
    key: SeedKey,
    ctl: RunCtl<'g>,
}

impl Visit for Grow<'_> {
    type Out = Result<Tree>;

    fn visit<C: Criterion>(self, criterion: &C) -> Self::Out {
        criterion.check(self.facts)?;
        grow(self.training, self.settings, criterion, self.orders, self.key, self.ctl)
    }
}

impl Learner for TreeLearner {
    type Model = TreeModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<TreeModel> {
        let mut ground = self.prepare(data, ctl)?;
        // A copy of the orders would double the memory of a fit, and nobody else grows on this ground.
        let orders = std::mem::take(&mut ground.orders);
        let training = Training::new(&ground.table, None);
        let tree = self.grow_in(&ground, &self.params.criterion, &training, orders, key, ctl)?;
        Ok(self.model(tree))
    }
}

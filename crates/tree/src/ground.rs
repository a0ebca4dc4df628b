//! A data set made ready once, from which any number of trees grow.

use crate::binned::Bins;
use crate::grow::grower::{TreeView, grow};
use crate::grow::node_rows::presort;
use crate::model::TreeModel;
use crate::params::TreeLearner;
use crate::prune::{Complexity, Risk};
use crate::rows::ranks::Ranks;
use crate::rows::training::{Entry, Table, TrainColumn, Training, repeated};
use crate::settings::{Layout, MissingRule, NominalRule, Settings};
use crate::tree::Tree;
use imbcore_base::{Dataset, Error, Learner, Result, RunCtl, SeedKey};
use imbcore_criteria::{AnyCriterion, Criterion, Facts, METHOD, Visit};
use rayon::prelude::*;

/// Checked settings and the columns of a data set, sorted or in bins.
pub struct Ground<'a> {
    table: Table<'a>,
    settings: Settings,
    facts: Facts,
    view: View,
}

/// The columns as nodes look at them.
enum View {
    /// All usable rows sorted by every column; empty where nodes sort for themselves.
    Sorted(Vec<Vec<Entry>>),
    Binned(Bins),
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
        let view = if let Some(most) = settings.max_bins {
            View::Binned(Bins::new(&table, most, ctl)?)
        } else {
            let mut orders = presort(&table, settings.layout, ctl)?;
            if settings.layout == Layout::Ranked {
                table.ranks = Ranks::new(&table, &orders);
                orders.clear();
            }
            View::Sorted(orders)
        };
        Ok(Ground { table, settings, facts, view })
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
        match &ground.view {
            View::Binned(bins) => {
                // C4.5's pruning passes the rows one by one, so that it must meet repeats.
                let training = match self.c45 {
                    Some(_) => Training::new(&ground.table, sample),
                    None => Training::with_copies(&ground.table, sample),
                };
                self.grow_in(ground, criterion, &training, TreeView::Binned(bins), key, ctl)
            }
            View::Sorted(orders) => {
                let orders = match sample {
                    None => orders.clone(),
                    Some(times) => orders.par_iter().map(|order| repeated(order, times)).collect(),
                };
                let training = Training::new(&ground.table, sample);
                self.grow_in(ground, criterion, &training, TreeView::Sorted(orders), key, ctl)
            }
        }
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
        let listed = || Training::of_rows(&ground.table, rows);
        match &ground.view {
            View::Sorted(_) if ground.settings.layout == Layout::Ranked => {
                return self.grow_in(ground, criterion, &listed(), TreeView::Sorted(Vec::new()), key, ctl);
            }
            // Few rows of many are listed; most of them have fewer entries when repeats are counted instead.
            View::Binned(bins) if rows.len() < ground.n_rows() / 4 => {
                return self.grow_in(ground, criterion, &listed(), TreeView::Binned(bins), key, ctl);
            }
            _ => {}
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
        view: TreeView<'_>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Tree> {
        let (settings, facts) = (&ground.settings, ground.facts);
        let grow = Grow { training, settings, facts, view, key, ctl };
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
        TreeModel::new(tree, self.params.leaf, self.params.prior_weight, fraction)
    }
}

struct Grow<'g> {
    training: &'g Training<'g>,
    settings: &'g Settings,
    facts: Facts,
    view: TreeView<'g>,
    key: SeedKey,
    ctl: RunCtl<'g>,
}

impl Visit for Grow<'_> {
    type Out = Result<Tree>;

    fn visit<C: Criterion>(self, criterion: &C) -> Self::Out {
        criterion.check(self.facts)?;
        grow(self.training, self.settings, criterion, self.view, self.key, self.ctl)
    }
}

impl Learner for TreeLearner {
    type Model = TreeModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<TreeModel> {
        let mut ground = self.prepare(data, ctl)?;
        let criterion = &self.params.criterion;
        let View::Sorted(orders) = &mut ground.view else {
            return Ok(self.model(self.grow(&ground, criterion, None, key, ctl)?));
        };
        // A copy of the orders would double the memory of a fit, and nobody else grows on this ground.
        let view = TreeView::Sorted(std::mem::take(orders));
        let training = Training::new(&ground.table, None);
        Ok(self.model(self.grow_in(&ground, criterion, &training, view, key, ctl)?))
    }
}

//! Scores of given graphs and families, computed in the same way as in a search.

use super::column_order::ColumnOrder;
use super::decomposable_score::DecomposableScore;
use super::learner::StructureSettings;
use super::params::{Mle, Rectify};
use crate::dag::Dag;
use crate::info::with_tempered_weights;
use crate::table::DiscreteTable;
use imbcore_core::{Result, RunContext, parallel};

impl StructureSettings {
    /// The score of a graph over the columns of a table, as a search would compute it.
    ///
    /// # Errors
    /// Same errors as [`StructureSettings::learn`].
    pub fn score_dag(
        &self,
        table: &DiscreteTable,
        class: Option<u32>,
        dag: &Dag,
        ctl: RunContext<'_>,
    ) -> Result<f64> {
        let own: Vec<_> = (0..dag.n_variables()).map(|child| (child as u32, dag.parents(child))).collect();
        Ok(self.family_scores(table, class, &own, ctl)?.iter().sum())
    }

    /// For each given child with its parents (ascending), its term in the score of a graph.
    ///
    /// # Errors
    /// Same errors as [`StructureSettings::learn`].
    pub fn family_scores<P: AsRef<[u32]> + Sync>(
        &self,
        table: &DiscreteTable,
        class: Option<u32>,
        wanted: &[(u32, P)],
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let all = |families: &dyn DecomposableScore| {
            let one = |(child, parents): &(u32, P)| {
                ctl.check()?;
                Ok(families.family_score(*child, parents.as_ref()))
            };
            parallel::try_map(wanted, one)
        };
        let weighted;
        let table = match (self.params().rectify, class) {
            (Some(Rectify::Tempered), Some(class)) => {
                weighted = with_tempered_weights(table.clone(), class, self.params().phi)?;
                &weighted
            }
            _ => table,
        };
        let order = ColumnOrder::identity(table.n_columns());
        if self.params().mle == Mle::Pairwise {
            return all(&self.pairwise_score(table, &order, class, ctl)?);
        }
        all(&self.counting_score::<f64>(table, &order, class, ctl)?)
    }
}

//! Learns the networks of a Bayesian classifier from one sample.
//!
//! Graphs are learned first, then the probability tables.

use super::encoded_training::EncodedTrainingTable;
use super::member_network::MemberNetwork;
use super::structure::{LearnedGraph, StructureMethod};
use super::training_stats::{NetworkStats, sparse_configuration_fractions};
use crate::discretize::DiscretizeSettings;
use crate::estimate::FamilyEstimator;
use crate::info::with_tempered_weights;
use crate::network::{Network, Variable};
use crate::prior::PriorParams;
use crate::smoothed::{SparseColumns, smooth_sparse_tables};
use crate::table::DiscreteTable;
use imbcore_core::{Result, RunContext, SeedKey, parallel};

#[derive(Clone, Debug)]
pub(super) struct MemberLearner {
    pub(super) cuts: DiscretizeSettings,
    pub(super) structure: StructureMethod,
    pub(super) prior: PriorParams,
    /// Exponent of the class weights for estimating probabilities; `None` without weights.
    pub(super) tempered: Option<f64>,
}

impl MemberLearner {
    pub(super) fn learn_members(
        &self,
        coded: &EncodedTrainingTable,
        n_features: usize,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<(MemberNetwork, NetworkStats)>> {
        let EncodedTrainingTable { table, columns } = coded;
        let class = columns.len() as u32;
        let sparse = if self.prior.smooth_levels {
            SparseColumns::find_sparse(table, class)
        } else {
            SparseColumns::without_sparse_columns(table)
        };
        let graphs = self.structure.learn((table, &sparse), columns, n_features as u32, key, ctl)?;
        let weighted =
            self.tempered.map(|phi| with_tempered_weights(table.clone(), class, phi)).transpose()?;
        let weighted = weighted.as_ref().unwrap_or(table);
        parallel::try_map(graphs, |learned| {
            self.build_member_from_graph(coded, learned, (weighted, &sparse), ctl)
        })
    }

    fn build_member_from_graph(
        &self,
        EncodedTrainingTable { table, columns }: &EncodedTrainingTable,
        learned: LearnedGraph,
        (weighted, sparse): (&DiscreteTable, &SparseColumns),
        ctl: RunContext<'_>,
    ) -> Result<(MemberNetwork, NetworkStats)> {
        let class = columns.len() as u32;
        let starved = sparse_configuration_fractions(table, &learned.dag, class)?;
        let prior = self.prior.to_prior(weighted.total_weight());
        let estimator = FamilyEstimator::new(weighted, &learned.dag, Some(class), &prior)?;
        let cpts = estimator.estimate_tables(&learned.dag, ctl)?;
        let cpts = smooth_sparse_tables(cpts, &learned.dag, (class, sparse), &estimator, ctl)?;
        let network = Network::new(variables_named_by_number(columns, table.n_states_by_column()), cpts)?;
        let facts = NetworkStats { score: learned.score, stopped_by: learned.stopped_by, starved };
        Ok((MemberNetwork::new(columns.clone(), network)?, facts))
    }
}

fn variables_named_by_number(columns: &[u32], levels: &[u32]) -> Vec<Variable> {
    let names = columns.iter().map(|column| format!("x{column}")).chain(["class".to_owned()]);
    let states = |levels: u32| (0..levels).map(|state| state.to_string()).collect();
    names.zip(levels).map(|(name, &levels)| Variable { name, states: states(levels) }).collect()
}

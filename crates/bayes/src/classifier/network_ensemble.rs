//! Ensembles of networks on bootstrap samples (Morán Jiménez 2018, section 5.4.3).

use super::encoded_training::EncodedTrainingTable;
use super::member_learner::MemberLearner;
use super::member_network::{MemberNetwork, MemberWeighting};
use super::params::{BagParams, DiscretizationTiming};
use super::training_sample::TrainingSample;
use super::training_stats::NetworkStats;
use crate::counts::FamilyCounts;
use crate::discretize::Discretizer;
use crate::score::{FamilyScorer, ScoreFunction};
use imbcore_core::{Error, Result, RunContext, SeedKey, parallel, tags};
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) struct NetworkEnsemble {
    pub(super) discretizers: Vec<Discretizer>,
    pub(super) members: Vec<MemberNetwork>,
    pub(super) facts: Vec<NetworkStats>,
    pub(super) log_weights: Vec<f64>,
}

impl BagParams {
    /// Each network depends only on its index and `key`, not on the order of learning.
    pub(super) fn fit_networks(
        &self,
        learner: &MemberLearner,
        sample: &TrainingSample<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<NetworkEnsemble> {
        let once = match self.discretize {
            DiscretizationTiming::Once => Some(learner.cuts.learn(&sample.training, &sample.rows, ctl)?),
            DiscretizationTiming::Member => None,
        };
        let coded = once.as_ref().map(|once| sample.encode(once, ctl)).transpose()?;
        let done = AtomicU64::new(0);
        let one = |index: u32| {
            ctl.check()?;
            let key = key.child(tags::networks::ROWS, index);
            let drawn = sample.bootstrap(self.stratified, key);
            let (own, recoded) = if once.is_some() {
                (None, None)
            } else {
                let rows: Vec<u32> = drawn.iter().map(|&at| sample.rows[at as usize]).collect();
                let own = learner.cuts.learn(&sample.training, &rows, ctl)?;
                let coded = sample.encode(&own, ctl)?;
                (Some(own), Some(coded))
            };
            let lost = || Error::Internal("a network has no codes".into());
            let all = recoded.as_ref().or(coded.as_ref()).ok_or_else(lost)?;
            let bag =
                EncodedTrainingTable { table: all.table.select_rows(&drawn), columns: all.columns.clone() };
            let n_features = sample.training.frame.n_columns();
            let found = learner.learn_members(
                &bag,
                n_features,
                key.child(tags::networks::SEARCH, 0),
                ctl.without_observer(),
            )?;
            let weighed = found.into_iter().map(|(member, facts)| {
                let weight = self.member_log_weight(&member, all, ctl)?;
                Ok((member, facts, weight))
            });
            let weighed = weighed.collect::<Result<Vec<_>>>()?;
            ctl.report_progress(
                "networks",
                done.fetch_add(1, Ordering::Relaxed) + 1,
                u64::from(self.n_estimators),
            );
            Ok((own, weighed))
        };
        let found = parallel::try_map(0..self.n_estimators, one)?;
        let mut bagged = NetworkEnsemble {
            discretizers: once.into_iter().collect(),
            members: Vec::new(),
            facts: Vec::new(),
            log_weights: Vec::new(),
        };
        for (own, weighed) in found {
            for (member, facts, weight) in weighed {
                bagged.discretizers.extend(own.clone());
                bagged.members.push(member);
                bagged.facts.push(facts);
                bagged.log_weights.push(weight);
            }
        }
        let largest = bagged.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return Err(Error::Data(
                "each network gives some training row probability 0, so weights=\"train\" cannot be computed; use prior__weight above 0".into(),
            ));
        }
        for weight in &mut bagged.log_weights {
            *weight -= largest;
        }
        Ok(bagged)
    }

    /// Logarithm of the weight of a network in the ensemble.
    ///
    /// `all` contains the training rows, discretized with the cut points of this network.
    fn member_log_weight(
        &self,
        member: &MemberNetwork,
        all: &EncodedTrainingTable,
        ctl: RunContext<'_>,
    ) -> Result<f64> {
        let log = match self.weights {
            MemberWeighting::Plain | MemberWeighting::Test => return Ok(0.0),
            MemberWeighting::Train => log_likelihood(member, all, ctl)?,
            MemberWeighting::Marginal => log_marginal_likelihood(member, all)?,
        };
        Ok(log / self.temperature)
    }
}

/// Log-likelihood of the training rows: the sum of `w ln P(x, c)` over all rows.
///
/// Here x are the features, c is the class and w is the weight of a row.
fn log_likelihood(member: &MemberNetwork, all: &EncodedTrainingTable, ctl: RunContext<'_>) -> Result<f64> {
    let answer = member.class_posterior(&all.table, true, ctl)?;
    let classes = all.table.codes(member.class_variable() as usize);
    let n_classes = answer.p.len() / classes.len();
    let row = |(row, &class): (usize, &u16)| {
        let weight = all.table.weights().map_or(1.0, |weights| weights[row]);
        let log_p = answer.log_p.as_ref().map_or(0.0, |logs| logs[row]);
        weight * (log_p + answer.p[row * n_classes + usize::from(class)].ln())
    };
    Ok(classes.iter().enumerate().map(row).sum())
}

/// `BDeu` score of the graph on the training rows, with an equivalent sample size of 1.
fn log_marginal_likelihood(member: &MemberNetwork, all: &EncodedTrainingTable) -> Result<f64> {
    let score = FamilyScorer::new(ScoreFunction::Bdeu { ess: 1.0 }, all.table.total_weight(), false);
    let dag = member.network.dag();
    let family = |child: usize| {
        Ok(score.score_counts(&FamilyCounts::from_table(&all.table, child as u32, dag.parents(child))?))
    };
    (0..dag.n_variables()).map(family).sum()
}

//! `EasyEnsemble`: boosting on several balanced samples (Liu, Wu and Zhou 2009, figure 3).

use super::discrete_update::DiscreteUpdate;
use super::params::{base_method, boosting_params, require_valid_parameter};
use super::rounds::{
    BoostedMembers, BoostingRoundSettings, UpdateRule, class_masses_of_rows, draw_no_bag, run_boosting_rounds,
};
use crate::generic::{
    BaseLearner, ClassRowPools, EnsembleMethod, FittedMembers, StagedVoting, TrainingContext, VotingRule,
    bag_seed_key, in_memory_row_ranks, map_member_indices, select_kept_positions,
    under_sampling_target_counts,
};
use crate::preselected_rows::PreselectedRows;
use crate::strata::Strata;
use imbcore_core::{ClassStats, Label, Params, PriorCorrection, Result, SeedKey, tags};
use imbcore_resample::{RandomUnderParams, RatioBase, Strategy, StrategyName, TargetCounts};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Rule that combines the members boosted on different balanced samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BalancedSampleVoting {
    /// All members of all samples vote together, with their weights.
    Sum,
    /// The members of each sample vote together, and their probabilities are averaged.
    Proba,
}

boosting_params! {
    /// Parameters of `EasyEnsemble`.
    pub struct EasyEnsembleParams {
        members 10, "a whole number of at least 1", "Number of balanced samples, each of which is used to boost `n_rounds_per_subset` members.";
        n_rounds_per_subset: u32 = 10, "a whole number of at least 1",
            "Maximum number of members per sample; boosting ends earlier after a member without training error, or if \
             a further member is no better than chance.";
        combine: BalancedSampleVoting = BalancedSampleVoting::Sum, "\"sum\" or \"proba\"",
            "\"sum\": one vote of all members of all samples (the paper). \"proba\": mean of the samples' \
             probabilities, as in imbalanced-learn.";
        sampling_strategy: Strategy = Strategy::Named(StrategyName::Auto),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows per class" naming Classes,
            "Classes to under-sample, and their numbers of rows in the sample. \"auto\": all classes except the \
             smallest, each to the size of the smallest class. A number: ratio of the smaller to the larger of two \
             classes.";
        ratio: RatioBase = RatioBase::ToMajority, "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
            "Meaning of a number as `sampling_strategy`. \"min/maj\": ratio of the smaller class to the larger class. \
             \"fraction\": ratio of the smaller class to all rows.";
        replacement: bool = false, "True or False",
            "Whether rows are drawn with replacement.";
        prior_correction: PriorCorrection = PriorCorrection::Prior, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the samples to the class \
             proportions of the data. Predicted classes are still determined by the members' votes, unless costs or \
             a threshold are set. \"none\": no correction.";
    }
}

impl EasyEnsembleParams {
    fn under_sampling_params(&self) -> RandomUnderParams {
        let sampling_strategy = self.sampling_strategy.clone();
        let Self { ratio, replacement, .. } = *self;
        RandomUnderParams { sampling_strategy, ratio, replacement }
    }
}

/// Draws balanced samples as ranks, which number the rows class by class (see [`Strata`]).
struct BalancedRankSampler {
    params: RandomUnderParams,
    goal: TargetCounts,
}

impl BalancedRankSampler {
    fn new(
        (params, method): (RandomUnderParams, &str),
        (strata, is_sample): (&Strata, bool),
        labels: &[Label],
    ) -> Result<Self> {
        let counts = strata.class_strata().iter().map(|of| (of.class, of.ranks.len()));
        let goal = under_sampling_target_counts((&params, method), counts, labels, is_sample)?;
        Ok(Self { params, goal })
    }

    fn draw_ranks(&self, strata: &Strata, key: SeedKey) -> Vec<u32> {
        let classes = strata.class_strata().iter().map(|of| (of.class, of.ranks.clone()));
        select_kept_positions(&self.params, &self.goal, classes, key.child(tags::bag::SAMPLER, 0))
    }
}

impl EnsembleMethod for EasyEnsembleParams {
    fn preselect_rows<'p>(
        &'p self,
        method: &'static str,
        facts: &ClassStats,
        labels: &'p [Label],
    ) -> Result<PreselectedRows<'p>> {
        let strata = Strata::new(facts, None)?;
        let under =
            BalancedRankSampler::new((self.under_sampling_params(), method), (&strata, false), labels)?;
        let largest = under.draw_ranks(&strata, SeedKey::root(0)).len();
        Ok(PreselectedRows::new(strata, (self.n_estimators, largest), move |strata, key| {
            Ok(under.draw_ranks(strata, key))
        }))
    }

    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base_method(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        require_valid_parameter(about, self.n_estimators >= 1, "n_estimators", self.n_estimators)?;
        require_valid_parameter(
            about,
            self.n_rounds_per_subset >= 1,
            "n_rounds_per_subset",
            self.n_rounds_per_subset,
        )
    }

    fn fit_members<T: BaseLearner>(
        &self,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        let data = training.data;
        let n_classes = data.n_classes();
        let pools = ClassRowPools::new(data, in_memory_row_ranks(self, method, training)?)?;
        let under = |pools: &ClassRowPools, is_bag| {
            let params = (self.under_sampling_params(), method);
            BalancedRankSampler::new(params, (pools.strata(), is_bag), training.labels)
        };
        under(&pools, false)?;
        let update_rule = UpdateRule::Discrete(DiscreteUpdate { n_classes, samme: true, learning_rate: 1.0 });
        let rounds = BoostingRoundSettings {
            update_rule,
            n: self.n_rounds_per_subset,
            max_resamples: 1,
            restarts: false,
        };
        let inner = TrainingContext { ctl: training.ctl.without_observer(), ..*training };
        let stages = map_member_indices(base_learner, training, self.n_estimators, |index| {
            let key = bag_seed_key(training.key, index);
            let pools = pools.pools_for_bag(key);
            let rows = pools.rows_of_ranks(under(&pools, true)?.draw_ranks(pools.strata(), key));
            let key = key.child(tags::bag::BOOSTING, 0);
            Ok((run_boosting_rounds(base_learner, &inner, &rows, &rounds, key, draw_no_bag)?, rows))
        })?;
        let mut all = BoostedMembers::default();
        let (mut ends, mut trained) = (Vec::new(), vec![0.0; n_classes]);
        for (stage, rows) in stages {
            trained.iter_mut().zip(class_masses_of_rows(data, &rows)).for_each(|(sum, mass)| *sum += mass);
            if stage.members.is_empty() {
                continue;
            }
            all.append_members(stage);
            ends.push(all.members.len() as u32);
        }
        let rule = match self.combine {
            BalancedSampleVoting::Sum => VotingRule::Votes,
            BalancedSampleVoting::Proba => VotingRule::Staged(StagedVoting::for_mean_of_stages(ends)),
        };
        let shift = self.prior_correction.prior_shift_if_enabled(&trained, &data.class_masses());
        Ok(all.require_members(method)?.into_ensemble(rule, n_classes, shift))
    }
}

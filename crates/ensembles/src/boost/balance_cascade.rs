//! `BalanceCascade` (Liu, Wu and Zhou 2009, figure 4).
//! Boosting on balanced samples; each stage removes easy negatives.

use super::cascade::{keep_highest_scores, kept_fraction, n_kept_negatives, round_negative_count};
use super::discrete_update::DiscreteUpdate;
use super::params::{base_method, binary_only_error, boosting_params, require_valid_parameter};
use super::rounds::{
    BoostedMembers, BoostingRoundSettings, UpdateRule, class_masses_of_rows, draw_no_bag, run_boosting_rounds,
};
use crate::generic::{
    BaseLearner, ClassRowPools, EnsembleMethod, FittedMembers, OutputKind, StagedVoting, TrainingContext,
    VotingRule, bag_seed_key,
};
use imbcore_core::{Params, PriorCorrection, Result, tags};
use imbcore_resample::draw_distinct;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Rule that combines the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CascadeCombinationRule {
    /// Predicts the positive class if the sum of all stages' scores exceeds a threshold.
    /// This threshold is the sum of the thresholds of the stages.
    Sum,
    /// Predicts the positive class if the score of every stage exceeds its threshold.
    All,
}

/// If stages keep at least this fraction of their negatives, their thresholds become 0.
///
/// If a stage keeps half or more of its negatives, its threshold lies among scores of rows that are clearly
/// predicted negative. With this threshold, nearly every row would be predicted positive.
const MOST_PASSED: f64 = 0.5;

boosting_params! {
    /// Parameters of `BalanceCascade`.
    pub struct BalanceCascadeParams {
        members 4, "a whole number of at least 2", "Number of stages, each of which boosts `n_rounds_per_subset` members.";
        n_rounds_per_subset: u32 = 10, "a whole number of at least 1",
            "Maximum number of members of a stage; boosting ends earlier after a member without training error, or if a \
             further member is no better than chance.";
        decision: CascadeCombinationRule = CascadeCombinationRule::Sum, "\"sum\" or \"all\"",
            "\"sum\": a row is positive if the sum of the stages' scores exceeds the sum of their thresholds (the paper). \"all\": a row is positive \
             if every stage predicts positive.";
        keep_threshold: bool = true, "True or False",
            "Whether predictions use the thresholds by which the stages removed negatives during training. False: \
             predictions use thresholds of 0. Thresholds are also 0 if each stage keeps at least half of the \
             negatives, for example for up to 8 negatives per positive in 4 stages.";
        prior_correction: PriorCorrection = PriorCorrection::Prior, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the samples to the class \
             proportions of the data. Predicted classes are still determined by the stages, unless costs or a \
             threshold are set. \"none\": no correction.";
    }
}

struct FittedCascadeStages<M> {
    boosted: BoostedMembers<M>,
    /// For each stage, the number of members in this stage and all earlier stages.
    ends: Vec<u32>,
    thetas: Vec<f64>,
    /// Weight of each class, summed over the samples of all stages.
    trained: Vec<f64>,
}

impl BalanceCascadeParams {
    fn fit_stages<T: BaseLearner>(
        &self,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
        pools: &ClassRowPools,
    ) -> Result<FittedCascadeStages<T::Member>> {
        let (data, n_classes) = (training.data, training.data.n_classes());
        let n_positive = pools.rows_of_class(pools.minority_class()).len();
        // Negatives are all rows outside the smallest class. `majority()` is not used: with equal class
        // sizes, the smallest class is also the largest.
        let others = pools.nonempty_classes().filter(|&class| class != pools.minority_class());
        let mut negative: Vec<u32> = others.flat_map(|class| pools.rows_of_class(class)).copied().collect();
        let update_rule = UpdateRule::Discrete(DiscreteUpdate { n_classes, samme: true, learning_rate: 1.0 });
        let rounds = BoostingRoundSettings {
            update_rule,
            n: self.n_rounds_per_subset,
            max_resamples: 1,
            restarts: false,
        };
        let inner = TrainingContext { ctl: training.ctl.without_observer(), ..*training };
        let share = kept_fraction(n_positive, negative.len(), self.n_estimators);
        let mut cascade = FittedCascadeStages {
            boosted: BoostedMembers::default(),
            ends: Vec::new(),
            thetas: Vec::new(),
            trained: vec![0.0; n_classes],
        };
        for stage in 0..self.n_estimators {
            training.ctl.check()?;
            let key = bag_seed_key(training.key, stage);
            let mut rng = key.child(tags::bag::ROWS, 0).rng();
            let bag = pools.pools_for_bag(key);
            let positive = bag.rows_of_class(pools.minority_class());
            let available = match &bag {
                Cow::Borrowed(_) => Cow::Borrowed(&negative),
                // If rows have groups, a stage draws only from the remaining negatives of its drawn groups.
                Cow::Owned(bag) => {
                    let others = bag.nonempty_classes().filter(|&class| class != pools.minority_class());
                    let drawn = others.flat_map(|class| bag.rows_of_class(class)).copied();
                    Cow::Owned(drawn.filter(|row| negative.binary_search(row).is_ok()).collect())
                }
            };
            // If the drawn groups have no remaining negative, the stage draws from all remaining negatives.
            let available = if available.is_empty() { Cow::Borrowed(&negative) } else { available };
            let drawn = draw_distinct(&mut rng, available.len(), positive.len());
            let drawn = drawn.into_iter().map(|place| available[place as usize]);
            let mut rows: Vec<u32> = positive.iter().copied().chain(drawn).collect();
            rows.sort_unstable();
            let key = key.child(tags::bag::BOOSTING, 0);
            let boosted = run_boosting_rounds(base_learner, &inner, &rows, &rounds, key, draw_no_bag)?;
            if boosted.members.is_empty() {
                // Negatives of later stages are even harder to predict, so no further stage is fitted.
                break;
            }
            let scores = vote_margins(base_learner, training, &boosted, &negative, pools.minority_class())?;
            let last = stage + 1 == self.n_estimators;
            let passed = if last {
                round_negative_count(negative.len(), share)
            } else {
                n_kept_negatives(negative.len(), n_positive, share)
            };
            let mut found = keep_highest_scores(&scores, passed);
            if share >= MOST_PASSED {
                found.theta = 0.0;
            }
            if !last {
                negative = found.kept.iter().map(|&place| negative[place as usize]).collect();
            }
            cascade
                .trained
                .iter_mut()
                .zip(class_masses_of_rows(data, &rows))
                .for_each(|(sum, mass)| *sum += mass);
            cascade.boosted.append_members(boosted);
            cascade.ends.push(cascade.boosted.members.len() as u32);
            cascade.thetas.push(if self.keep_threshold { found.theta } else { 0.0 });
            training.ctl.report_progress("stages", u64::from(stage) + 1, u64::from(self.n_estimators));
        }
        Ok(cascade)
    }
}

/// For each row, the sum of the votes for the positive class minus the votes against it.
fn vote_margins<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    boosted: &BoostedMembers<T::Member>,
    rows: &[u32],
    positive: u32,
) -> Result<Vec<f64>> {
    let (n_classes, ctl) = (training.data.n_classes(), training.ctl.without_observer());
    let mut scores = vec![0.0; rows.len()];
    let prepared = base_learner.prepare(Some(rows), ctl)?;
    for (member, vote) in boosted.members.iter().zip(&boosted.votes) {
        ctl.check()?;
        let output = base_learner.member_output(member, &prepared, &[], OutputKind::Choice, ctl)?;
        for (score, output) in scores.iter_mut().zip(output.chunks_exact(n_classes)) {
            *score += if output[positive as usize] > 0.0 { *vote } else { -vote };
        }
    }
    Ok(scores)
}

impl EnsembleMethod for BalanceCascadeParams {
    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base_method(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        require_valid_parameter(about, self.n_estimators >= 2, "n_estimators", self.n_estimators)?;
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
        // The check counts all classes of the data, even those without rows in this fold. Therefore all folds
        // of data with three classes are refused.
        if data.n_classes() > 2 {
            return Err(binary_only_error(method, data.n_classes(), "use EasyEnsemble for several classes"));
        }
        let pools = ClassRowPools::new(data, None)?;
        let FittedCascadeStages { boosted, ends, thetas, trained } =
            self.fit_stages(base_learner, training, &pools)?;
        let staged = match self.decision {
            CascadeCombinationRule::Sum => {
                StagedVoting::for_sum_of_scores(ends, thetas, pools.minority_class())
            }
            CascadeCombinationRule::All => {
                StagedVoting::for_unanimous_stages(ends, thetas, pools.minority_class())
            }
        };
        let shift = self.prior_correction.prior_shift_if_enabled(&trained, &data.class_masses());
        Ok(boosted.require_members(method)?.into_ensemble(
            VotingRule::Staged(staged),
            data.n_classes(),
            shift,
        ))
    }
}

//! `RUSBoost`: boosting with random under-sampling.
//! Seiffert, Khoshgoftaar, Van Hulse and Napolitano 2010.

use super::discrete_update::DiscreteUpdate;
use super::params::{
    BoostingLoss, base_method, boosting_params, check_members_and_rate, require_valid_parameter,
};
use super::pseudo_loss_update::PseudoLossUpdate;
use super::round_under_sampler::RoundUnderSampler;
use super::rounds::{
    BoostingRoundSettings, UpdateRule, class_counts_of_rows, class_masses_of_rows, run_boosting_rounds,
};
use crate::generic::{Bag, BaseLearner, EnsembleMethod, FittedMembers, TrainingContext, VotingRule};
use imbcore_core::{Params, PriorCorrection, Result, tags};
use imbcore_resample::{AddedRows, RandomUnderParams, RatioBase, Strategy, StrategyName};
use serde_json::{Map, Value};

boosting_params! {
    /// Parameters of `RUSBoost`.
    pub struct RusBoostParams {
        members 50, "a whole number of at least 1",
            "Maximum number of members; boosting ends earlier after a member without training error, or if no further \
             member is better than chance.";
        learning_rate: f64 = 1.0, "a number above 0 and at most 1e6",
            "Factor by which the voting weight of each member is multiplied; smaller values need more members.";
        sampling_strategy: Strategy = Strategy::Named(StrategyName::Auto),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows per class" naming Classes,
            "Classes to under-sample in each round, and their numbers of rows in the sample. \"auto\": all classes \
             except the smallest, each to the size of the smallest class. A number: ratio of the smaller to the \
             larger of two classes.";
        ratio: RatioBase = RatioBase::ToMajority, "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
            "Meaning of a number as `sampling_strategy`. \"min/maj\": ratio of the smaller class to the larger class. \
             \"fraction\": ratio of the smaller class to all rows.";
        replacement: bool = false, "True or False",
            "Whether rows are drawn with replacement.";
        loss: BoostingLoss = BoostingLoss::M2, "\"m2\" or \"samme\"",
            "Loss of a member on all rows. \"m2\": computed from its probabilities (AdaBoost.M2, the paper). \
             \"samme\": computed from its predicted classes, as in imbalanced-learn; with restarts=False, boosting \
             may stop early if the rare class is very rare.";
        max_resamples: u32 = 3, "a whole number of at least 1",
            "Maximum number of samples that a round draws with the same row weights: while the member is not better \
             than chance, a new sample is drawn. With restarts=True, the round may then draw as many samples with the \
             initial weights.";
        restarts: bool = true, "True or False",
            "Whether boosting continues with the initial weights if no sample gives a member better than chance \
             (Bauer and Kohavi 1999). False: boosting stops. Restarts help if the weights are concentrated on a few \
             rows that most samples do not contain.";
        prior_correction: PriorCorrection = PriorCorrection::Prior, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the samples to the class \
             proportions of the data. Predicted classes are still determined by the members' votes, unless costs or \
             a threshold are set. \"none\": no correction.";
    }
}

pub(super) fn update_and_voting_rules(
    loss: BoostingLoss,
    n_classes: usize,
    learning_rate: f64,
) -> (UpdateRule, VotingRule) {
    match loss {
        BoostingLoss::M2 => {
            (UpdateRule::Pseudo(PseudoLossUpdate { n_classes, learning_rate }), VotingRule::Soft)
        }
        BoostingLoss::Samme => (
            UpdateRule::Discrete(DiscreteUpdate { n_classes, samme: true, learning_rate }),
            VotingRule::Votes,
        ),
    }
}

impl EnsembleMethod for RusBoostParams {
    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base_method(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        require_valid_parameter(about, self.max_resamples >= 1, "max_resamples", self.max_resamples)?;
        check_members_and_rate(about, self.n_estimators, self.learning_rate)
    }

    fn fit_members<T: BaseLearner>(
        &self,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        let data = training.data;
        let (update_rule, rule) = update_and_voting_rules(self.loss, data.n_classes(), self.learning_rate);
        let rounds = BoostingRoundSettings {
            update_rule,
            n: self.n_estimators,
            max_resamples: self.max_resamples,
            restarts: self.restarts,
        };
        let sampling_strategy = self.sampling_strategy.clone();
        let Self { ratio, replacement, .. } = *self;
        let under =
            RoundUnderSampler::new(RandomUnderParams { sampling_strategy, ratio, replacement }, training);
        let boosted = run_boosting_rounds(
            base_learner,
            training,
            &under.rows,
            &rounds,
            training.key,
            |weights, key| {
                let places = under.draw_positions(method, training, key.child(tags::bag::SAMPLER, 0))?;
                let rows = places.iter().map(|&place| under.rows[place as usize]).collect();
                let shares: Vec<f64> = places.iter().map(|&place| weights[place as usize]).collect();
                // If all weights of a sample underflow to 0, all rows of the sample get equal weights.
                let known = shares.iter().sum::<f64>() > 0.0;
                let shares = if known { shares } else { vec![1.0; shares.len()] };
                Ok(Some(Bag::from_weights(rows, AddedRows::default(), shares)))
            },
        )?
        .require_members(method)?;
        let samples = boosted.samples.concat();
        // A base learner without support for weights has samples that were drawn by weight, so rows count once.
        let trained = if base_learner.supports_weights() {
            class_masses_of_rows(data, &samples)
        } else {
            class_counts_of_rows(data, &samples)
        };
        let shift = self.prior_correction.prior_shift_if_enabled(&trained, &data.class_masses());
        Ok(boosted.into_ensemble(rule, data.n_classes(), shift))
    }
}

//! `SMOTEBoost`: boosting with new synthetic rows in each round.
//! Chawla, Lazarevic, Hall and Bowyer 2003.

use super::params::{
    BoostingLoss, base_method, boosting_params, check_members_and_rate, require_valid_parameter,
};
use super::rounds::{BoostingRoundSettings, rows_with_positive_weight, run_boosting_rounds};
use super::rusboost::update_and_voting_rules;
use crate::generic::{Bag, BaseLearner, EnsembleMethod, FittedMembers, TrainingContext};
use imbcore_core::{Params, PriorCorrection, Result, tags};
use imbcore_resample::{
    AddedRows, RatioBase, ResamplingTask, SamplingKind, Strategy, StrategyName, SyntheticSampler,
    TargetCounts,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Weight of a synthetic row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyntheticWeight {
    /// Mean weight of the training rows that have the same class as the synthetic row.
    Mean,
    /// Mean weight of all training rows.
    Uniform,
}

boosting_params! {
    /// Parameters of `SMOTEBoost`.
    pub struct SmoteBoostParams {
        members 50, "a whole number of at least 1",
            "Maximum number of members; boosting ends earlier after a member without training error, or if no further \
             member is better than chance.";
        learning_rate: f64 = 1.0, "a number above 0 and at most 1e6",
            "Factor by which the voting weight of each member is multiplied; smaller values need more members.";
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Number of nearest neighbors of a row in its class. A synthetic row lies between a row and one of these \
             neighbors, drawn at random. If the class has fewer rows, all of them are neighbors.";
        sampling_strategy: Strategy = Strategy::Named(StrategyName::Auto),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows per class" naming Classes,
            "Classes to over-sample in each round, and their numbers of rows including synthetic ones. \"auto\": all \
             classes except the largest, each to the size of the largest class. A number: ratio of the smaller to \
             the larger of two classes.";
        ratio: RatioBase = RatioBase::ToMajority, "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
            "Meaning of a number as `sampling_strategy`. \"min/maj\": ratio of the smaller class to the larger class. \
             \"fraction\": ratio of the smaller class to all rows.";
        percent: Option<f64> = None, "None or a number of at least 0",
            "Number of synthetic rows in percent of the rows of each selected class (the paper's N); replaces the numbers of `sampling_strategy`.";
        synthetic_weight: SyntheticWeight = SyntheticWeight::Mean, "\"mean\" or \"uniform\"",
            "Weight of a synthetic row in its round: mean weight of the rows of its class (\"mean\"), or of all rows \
             (\"uniform\"). The paper does not specify this weight.";
        loss: BoostingLoss = BoostingLoss::M2, "\"m2\" or \"samme\"",
            "Loss of a member: computed from the probabilities of the member (\"m2\", AdaBoost.M2, as in the paper), \
             or from its predicted classes (\"samme\").";
        max_resamples: u32 = 10, "a whole number of at least 1",
            "Maximum number of times that a round generates synthetic rows: while the member is not better than \
             chance, the round is repeated. Boosting stops if the last repetition also fails.";
        prior_correction: PriorCorrection = PriorCorrection::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions including synthetic rows to the class \
             proportions of the data. \"none\": no correction.";
    }
}

impl SmoteBoostParams {
    fn synthetic_row_counts(&self, method: &str, task: &ResamplingTask<'_>) -> Result<TargetCounts> {
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Over, task)?;
        let Some(percent) = self.percent else { return Ok(goal) };
        #[allow(clippy::cast_sign_loss)] // The product is not negative.
        let share = |class: u32| (percent / 100.0 * task.class_count(class) as f64).floor() as u64;
        Ok(goal.into_iter().map(|(class, _)| (class, share(class))).collect())
    }
}

impl EnsembleMethod for SmoteBoostParams {
    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base_method(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        require_valid_parameter(about, self.max_resamples >= 1, "max_resamples", self.max_resamples)?;
        require_valid_parameter(about, self.k_neighbors >= 1, "k_neighbors", self.k_neighbors)?;
        let percent = self.percent.unwrap_or(0.0);
        require_valid_parameter(about, percent.is_finite() && percent >= 0.0, "percent", percent)?;
        check_members_and_rate(about, self.n_estimators, self.learning_rate)
    }

    fn fit_members<T: BaseLearner>(
        &self,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        let data = training.data;
        let rows = rows_with_positive_weight(data);
        let classes: Vec<u32> = rows.iter().map(|&row| data.class_codes()[row as usize]).collect();
        let goal =
            self.synthetic_row_counts(method, &ResamplingTask::new(None, &classes, training.labels)?)?;
        let of_class = |class: u32| -> Vec<u32> {
            rows.iter().copied().filter(|&row| data.class_codes()[row as usize] == class).collect()
        };
        let pools: Vec<(u32, Vec<u32>)> =
            goal.iter().filter(|(_, n)| *n > 0).map(|&(class, _)| (class, of_class(class))).collect();
        let bases: Vec<(u32, &[u32])> = pools.iter().map(|(class, rows)| (*class, &**rows)).collect();
        let k = self.k_neighbors as usize;
        let synthesis = SyntheticSampler::new(data.frame(), &bases, k, training.ctl)?;
        let (update_rule, rule) = update_and_voting_rules(self.loss, data.n_classes(), self.learning_rate);
        let rounds = BoostingRoundSettings {
            update_rule,
            n: self.n_estimators,
            max_resamples: self.max_resamples,
            restarts: false,
        };
        let boosted =
            run_boosting_rounds(base_learner, training, &rows, &rounds, training.key, |weights, key| {
                let mut made = AddedRows::default();
                for &(class, n) in goal.iter().filter(|(_, n)| *n > 0) {
                    let key = key.child(tags::bag::SAMPLER, 0);
                    synthesis.add_synthetic_rows(class, n as usize, key, (&mut made, training.ctl))?;
                }
                let of_made = self.synthetic_weights(&made, weights, &classes, data.n_classes());
                let shares = weights.iter().copied().chain(of_made).collect();
                Ok(Some(Bag::from_weights(rows.clone(), made, shares)))
            })?
            .require_members(method)?;
        let given = data.class_masses();
        let mut trained = given.clone();
        let total: f64 = given.iter().sum();
        for (class, n) in goal {
            let class = class as usize;
            let n_rows = classes.iter().filter(|&&of| of as usize == class).count();
            let (mass, count) = match self.synthetic_weight {
                SyntheticWeight::Mean => (given[class], n_rows),
                SyntheticWeight::Uniform => (total, classes.len()),
            };
            trained[class] += n as f64 * mass / count.max(1) as f64;
        }
        let shift = self.prior_correction.prior_shift_if_enabled(&trained, &given);
        Ok(boosted.into_ensemble(rule, data.n_classes(), shift))
    }
}

impl SmoteBoostParams {
    /// Weight of each synthetic row; `weights` are the weights of the real rows and sum to 1.
    fn synthetic_weights(
        &self,
        made: &AddedRows,
        weights: &[f64],
        classes: &[u32],
        n_classes: usize,
    ) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); n_classes];
        for (&weight, &class) in weights.iter().zip(classes) {
            let (mass, count) = &mut sums[class as usize];
            *mass += weight;
            *count += 1.0;
        }
        let weight = |class: u32| match self.synthetic_weight {
            SyntheticWeight::Mean => sums[class as usize].0 / sums[class as usize].1,
            SyntheticWeight::Uniform => 1.0 / weights.len() as f64,
        };
        made.classes.iter().map(|&class| weight(class)).collect()
    }
}

//! `AdaBoost` (SAMME and M1).

use super::discrete_update::DiscreteUpdate;
use super::params::{base_method, boosting_params, check_members_and_rate};
use super::rounds::{
    BoostingRoundSettings, UpdateRule, draw_no_bag, rows_with_positive_weight, run_boosting_rounds,
};
use crate::generic::{Bag, BaseLearner, EnsembleMethod, FittedMembers, TrainingContext, VotingRule};
use imbcore_core::{Params, Result, tags};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Criterion for keeping a member, and formula for its vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdaBoostAlgorithm {
    /// A member is kept if it is more accurate than a random guess among all classes.
    #[serde(rename = "SAMME")]
    Samme,
    /// A member is kept if its correct predictions have more than half of the total weight.
    M1,
}

boosting_params! {
    /// Parameters of `AdaBoost`.
    pub struct AdaBoostParams {
        members 50, "a whole number of at least 1",
            "Maximum number of members; boosting ends earlier after a member without training error, or if no further \
             member is better than chance.";
        learning_rate: f64 = 1.0, "a number above 0 and at most 1e6",
            "Factor by which the voting weight of each member is multiplied; smaller values need more members.";
        algorithm: AdaBoostAlgorithm = AdaBoostAlgorithm::Samme, "\"SAMME\" or \"M1\"",
            "Condition for keeping a member. \"SAMME\": the member is better than random guessing among the classes. \
             \"M1\": the member classifies more than half of the total row weight correctly. For two classes, both \
             conditions are equivalent.";
        resample: bool = false, "True or False",
            "Whether members are fitted to a sample of rows drawn by weight instead of to weighted rows. Members \
             that do not support weights are always fitted to such a sample.";
    }
}

impl EnsembleMethod for AdaBoostParams {
    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base_method(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        check_members_and_rate(about, self.n_estimators, self.learning_rate)
    }

    fn fit_members<T: BaseLearner>(
        &self,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        let n_classes = training.data.n_classes();
        let samme = self.algorithm == AdaBoostAlgorithm::Samme;
        let update_rule =
            UpdateRule::Discrete(DiscreteUpdate { n_classes, samme, learning_rate: self.learning_rate });
        let rounds =
            BoostingRoundSettings { update_rule, n: self.n_estimators, max_resamples: 1, restarts: false };
        let rows = rows_with_positive_weight(training.data);
        let boosted =
            run_boosting_rounds(base_learner, training, &rows, &rounds, training.key, |weights, key| {
                if !self.resample {
                    return draw_no_bag(weights, key);
                }
                Ok(Some(Bag::from_rows(rows.clone()).resample_by_weight(
                    weights,
                    training.data,
                    key.child(tags::bag::BY_WEIGHT, 0),
                )))
            })?;
        Ok(boosted.require_members(method)?.into_ensemble(VotingRule::Votes, n_classes, None))
    }
}

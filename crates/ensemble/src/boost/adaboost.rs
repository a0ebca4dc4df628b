//! `AdaBoost` as a method.

use super::discrete::Discrete;
use super::params::{base, boosting_params, is_rate, require};
use super::rounds::{Judge, Rounds, boost, rows_with_weight, whole};
use crate::committee::{Assembled, Assembly, Bag, Rule, Teacher, Training};
use imbcore_base::{Params, Result, tags};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// When a member is better than chance, and what its vote is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdaBoostAlgorithm {
    /// Better than a guess among the classes.
    #[serde(rename = "SAMME")]
    Samme,
    /// Right for more than half of the weight.
    M1,
}

boosting_params! {
    /// Parameters of `AdaBoost`.
    pub struct AdaBoostParams {
        members 50, "a whole number of at least 1", "Most members; a member without a mistake ends boosting.";
        learning_rate: f64 = 1.0, "a number above 0 and at most 1e6",
            "Factor of all votes: smaller ones need more members.";
        algorithm: AdaBoostAlgorithm = AdaBoostAlgorithm::Samme, "\"SAMME\" or \"M1\"",
            "A member is kept that is better than a guess among the classes (\"SAMME\"), or right for more than half of the \
             weight (\"M1\"); with two classes that is the same.";
        resample: bool = false, "True or False",
            "Whether members get as many rows drawn by their weights instead of the weights, as those that take none do \
             anyway.";
    }
}

impl Assembly for AdaBoostParams {
    fn base(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        base(&self.estimator, &mut self.estimator_params)
    }

    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        require(about, self.n_estimators >= 1, "n_estimators", self.n_estimators)?;
        require(about, is_rate(self.learning_rate), "learning_rate", self.learning_rate)
    }

    fn assemble<T: Teacher>(
        &self,
        method: &'static str,
        teacher: &T,
        training: &Training<'_, '_>,
    ) -> Result<Assembled<T::Member>> {
        let n_classes = training.data.n_classes();
        let samme = self.algorithm == AdaBoostAlgorithm::Samme;
        let judge = Judge::Discrete(Discrete { n_classes, samme, learning_rate: self.learning_rate });
        let rounds = Rounds { judge, n: self.n_estimators, attempts: 1, restarts: false };
        let rows = rows_with_weight(training.data);
        let boosted = boost(teacher, training, &rows, &rounds, training.key, |weights, key| {
            if !self.resample {
                return whole(weights, key);
            }
            Ok(Some(Bag::of(rows.clone()).drawn_by(weights, key.child(tags::bag::BY_WEIGHT, 0))))
        })?;
        Ok(boosted.some(method)?.assembled(Rule::Votes, n_classes, None))
    }
}

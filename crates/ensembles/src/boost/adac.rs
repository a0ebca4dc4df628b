//! `AdaC1`, `AdaC2` and `AdaC3` (Sun, Kamel, Wong and Wang 2007).

use super::adac_update::{AdaCRule, AdaCUpdate};
use super::class_costs::ClassCostSource;
use super::cost_grid::{CostGrid, rank_cost_candidates};
use super::params::{
    base_method, binary_only_error, boosting_params, check_members_and_rate, require_valid_parameter,
};
use super::rounds::{
    BoostedMembers, BoostingRoundSettings, UpdateRule, draw_no_bag, rows_with_positive_weight,
    run_boosting_rounds,
};
use super::tan_cost::TanCost;
use crate::generic::{BaseLearner, EnsembleMethod, FittedMembers, TrainingContext, VotingRule};
use imbcore_core::{ParamSpec, Params, Result, SeedKey};
use imbcore_metrics::BinaryScore;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::f64::consts::FRAC_PI_2;

boosting_params! {
    /// Parameters of cost-sensitive boosting.
    pub struct AdaCParams {
        members 50, "a whole number of at least 1",
            "Maximum number of members; boosting ends earlier after a member without training error, or if no further \
             member is better than chance.";
        learning_rate: f64 = 1.0, "a number above 0 and at most 1e6",
            "Factor by which the voting weight of each member is multiplied; smaller values need more members.";
        class_costs: ClassCostSource = ClassCostSource::Grid,
            "\"grid\", \"tan\", \"ratio\", a list of two numbers above 0, a dict of numbers above 0 per class, or a function of the imbalance ratio" naming ByClass,
            "Misclassification costs per class; only the ratio matters. Two numbers: cost of errors in the positive \
             class, and in the other class. \"tan\" and \"ratio\": 1 in the smallest class, and less in larger \
             classes. The cost follows a tangent curve with `theta` and `b3` (\"tan\"), or is proportional to the \
             class ratio (\"ratio\"). A function: 1 in the smallest class; in each other class, the return value for \
             the ratio, in (0, 1), of the smallest class to this class. \"grid\": the best value of `grid` by \
             cross-validation. Costs that multiply the weights in every round (AdaC2, AdaC3) accumulate as powers of \
             their ratio, so keep ratios near 1.";
        grid: Option<Vec<f64>> = None, "a list of numbers above 0 and at most 1, or None",
            "Costs of errors in the larger classes tried by class_costs=\"grid\"; errors in the smallest class cost 1. None: \
             0.1, 0.2, ..., 1.";
        grid_cv: u32 = 5, "a whole number of at least 2",
            "Maximum number of folds for class_costs=\"grid\". The folds are stratified, hold out whole groups if groups \
             are given, and later rows if times are given.";
        grid_scoring: String = "f1".into(),
            "\"f1\", \"f2\", \"g_mean\", \"balanced_accuracy\", \"mcc\", \"accuracy\", \"precision\", \"recall\" or \"specificity\"",
            "Score for class_costs=\"grid\": the score of the positive class, or for more than two classes the mean \
             over all classes. If several costs have the best score, the largest of these costs is chosen.";
        theta: f64 = 1.4, "a number above 0 and below pi / 2",
            "Curvature of the cost if class_costs=\"tan\": with a larger theta, the cost stays closer to 1 for \
             moderate imbalance and falls faster for strong imbalance.";
        b3: f64 = 0.5, "a number in [0, 1]",
            "Coefficient b of the linear term if class_costs=\"tan\". For the imbalance ratio r of a class, the cost \
             is 1 - b (1 - r) - (1 - b) tan(theta (1 - r)) / tan(theta).";
        min_cost_factor: f64 = 0.1, "a number in (0, 1]",
            "Lower limit of the costs of errors if class_costs=\"tan\".";
    }
}

impl AdaCParams {
    fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let about = (method, &*specs);
        check_members_and_rate(about, self.n_estimators, self.learning_rate)?;
        let shown = Value::from(self.class_costs.clone());
        require_valid_parameter(about, self.class_costs.has_only_positive_costs(), "class_costs", shown)?;
        let of_grid = |cost: &f64| *cost > 0.0 && *cost <= 1.0;
        let grid = self.grid.as_deref();
        let grid_is_fine = grid.is_none_or(|grid| !grid.is_empty() && grid.iter().all(of_grid));
        require_valid_parameter(about, grid_is_fine, "grid", format_args!("{:?}", grid.unwrap_or_default()))?;
        require_valid_parameter(about, self.grid_cv >= 2, "grid_cv", self.grid_cv)?;
        BinaryScore::parse(&self.grid_scoring, 1.0)?;
        require_valid_parameter(about, self.theta > 0.0 && self.theta < FRAC_PI_2, "theta", self.theta)?;
        require_valid_parameter(about, (0.0..=1.0).contains(&self.b3), "b3", self.b3)?;
        require_valid_parameter(
            about,
            self.min_cost_factor > 0.0 && self.min_cost_factor <= 1.0,
            "min_cost_factor",
            self.min_cost_factor,
        )
    }

    fn tan_cost(&self) -> TanCost {
        let Self { theta, b3, min_cost_factor, .. } = *self;
        TanCost { theta, b3, min_cost_factor }
    }

    fn fit_members<T: BaseLearner>(
        &self,
        rule: AdaCRule,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        let (data, masses) = (training.data, training.data.class_masses());
        let several = masses.iter().filter(|&&mass| mass > 0.0).count() > 2;
        let rule = match rule {
            AdaCRule::C2 if several => AdaCRule::C2Samme,
            AdaCRule::C1 | AdaCRule::C3 if several => {
                return Err(binary_only_error(method, data.n_classes(), "use AdaC2 for several classes"));
            }
            rule => rule,
        };
        let rows = rows_with_positive_weight(data);
        let learn = |costs: Vec<f64>, rows: &[u32], (training, key): (&TrainingContext<'_, '_>, SeedKey)| {
            let update_rule =
                UpdateRule::Costly(AdaCUpdate { rule, costs, learning_rate: self.learning_rate });
            let rounds = BoostingRoundSettings {
                update_rule,
                n: self.n_estimators,
                max_resamples: 1,
                restarts: false,
            };
            let boosted: BoostedMembers<T::Member> =
                run_boosting_rounds(base_learner, training, rows, &rounds, key, draw_no_bag)?;
            Ok(boosted)
        };
        let choices =
            if let Some(costs) = self.class_costs.class_costs(&masses, training.positive, self.tan_cost()) {
                vec![costs]
            } else {
                let score = BinaryScore::parse(&self.grid_scoring, 1.0)?;
                let tenths = (1..=10).map(|tenth| f64::from(tenth) / 10.0);
                let costs = self.grid.clone().unwrap_or_else(|| tenths.collect());
                rank_cost_candidates(
                    &CostGrid { costs: &costs, n_folds: self.grid_cv, score },
                    base_learner,
                    training,
                    &rows,
                    &learn,
                )?
            };
        let mut boosted = BoostedMembers::default();
        for costs in choices {
            // A grid search orders the costs from best to worst. If boosting on all rows keeps no member with
            // the best costs, the next costs are tried.
            boosted = learn(costs, &rows, (training, training.key))?;
            if !boosted.members.is_empty() {
                break;
            }
        }
        let boosted = boosted.require_members(method)?;
        Ok(boosted.into_ensemble(VotingRule::Votes, data.n_classes(), None))
    }
}

macro_rules! adac {
    ($(#[$doc:meta])* $name:ident, $rule:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(AdaCParams);

        impl Params for $name {
            fn specs(&self) -> Vec<ParamSpec> {
                self.0.specs()
            }
        }

        impl EnsembleMethod for $name {
            fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
                base_method(&self.0.estimator, &mut self.0.estimator_params)
            }

            fn check(&self, method: &str) -> Result<()> {
                self.0.check(method)
            }

            fn fit_members<T: BaseLearner>(
                &self,
                method: &'static str,
                base_learner: &T,
                training: &TrainingContext<'_, '_>,
            ) -> Result<FittedMembers<T::Member>> {
                self.0.fit_members($rule, method, base_learner, training)
            }
        }
    };
}

adac!(
    /// Parameters of `AdaC1`.
    AdaC1Params, AdaCRule::C1
);
adac!(
    /// Parameters of `AdaC2`.
    AdaC2Params, AdaCRule::C2
);
adac!(
    /// Parameters of `AdaC3`.
    AdaC3Params, AdaCRule::C3
);

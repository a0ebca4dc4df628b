//! Methods that apply a cost matrix during training.

use crate::decomposed::complete_base_params;
use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method, MethodRegistry, MethodRole, ReplacedLabels};
use crate::warm_start::WarmStart;
use imbcore_core::{
    CostRule, Costs, Dataset, Error, Params, Result, RowGroups, RunContext, SeedKey, params, tags,
};
use imbcore_ensembles::generic::OutputKind;
use imbcore_ensembles::relabel::{RelabelEnsembleConfig, relabel_by_expected_cost};
use serde_json::{Map, Value};

params! {
    /// Parameters of `MetaCost`.
    #[allow(missing_docs)]
    pub struct MetaCostParams {
        estimator: String = "c44".into(), "the name of a method other than \"metacost\"",
            "Method of the bagged models and of the final model.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the base method; parameters that are not given have the defaults of the method.";
        n_estimators: u32 = 50, "a whole number of at least 1",
            "Number of bagged models, whose mean probabilities determine the new labels of the training rows.";
        max_samples: f64 = 1.0, "a number in (0, 1]",
            "Number of rows drawn with replacement for each bagged model, as a fraction of all rows. If groups are given, \
             whole groups are drawn, and the fraction is that of the groups.";
        out_of_bag: bool = true, "True or False",
            "Whether a row is predicted only by the models whose bags do not contain the row. False, or if all bags \
             contain the row: all models predict it.";
        use_proba: bool = true, "True or False",
            "Whether the probabilities of the models are averaged. False: each model votes for its predicted class.";
    }
}

impl Method for MetaCostParams {
    const ROLE: MethodRole = MethodRole::Costly;
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::metacost_memory(params, table);

    fn with_base_method_defaults(
        mut self,
        method: &'static str,
        others: &dyn MethodRegistry,
    ) -> Result<Self> {
        let base = (&*self.estimator, self.estimator_params.as_ref());
        self.estimator_params = complete_base_params(method, base, &[MethodRole::Costly], others)?;
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        require(self.n_estimators >= 1, "n_estimators", &self.n_estimators)?;
        require(self.max_samples > 0.0 && self.max_samples <= 1.0, "max_samples", &self.max_samples)?;
        Ok(self)
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        Ok(self.fit_returning_new_labels(method, run)?.0)
    }

    fn fit_returning_new_labels(
        self,
        method: &'static str,
        run: FitRun<'_, '_>,
    ) -> Result<(FittedEstimator, ReplacedLabels)> {
        let FitRun { data, labels, class_weight, costs, positive, key, constant, ctl, others, .. } = run;
        let costs = require_cost_matrix(method, costs)?;
        let estimator_params = self.estimator_params.clone().unwrap_or_default();
        let learn = |data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>| {
            let (class_weight, costs, start) = (class_weight.clone(), None, WarmStart::Cold);
            let run = FitRun {
                data,
                labels,
                class_weight,
                costs,
                positive,
                key,
                constant,
                start,
                ctl,
                others,
                clusterer: None,
            };
            others.fit(&self.estimator, &estimator_params, run)
        };
        let cheapest =
            relabel_by_expected_cost(data, costs, self.relabel_ensemble_settings(data), (key, ctl), learn)?;
        let (frame, weights) = (data.frame().clone(), data.weights());
        let relabelled = Dataset::with_single_class_allowed(frame, &cheapest, data.n_classes(), weights)?;
        let relabelled = relabelled.with_dependence(data.dependence());
        if let ([class], false) = (&relabelled.present_classes(None)[..], constant) {
            return Err(Error::Data(format!(
                "metacost: with this cost_matrix the class of least expected cost is {class} for every row, so there is \
                 nothing to learn; reduce the differences between the costs"
            )));
        }
        let fitted = learn(&relabelled, key.child(tags::wrapped::FINAL, 0), ctl)?;
        Ok((fitted, ReplacedLabels(cheapest)))
    }
}

impl MetaCostParams {
    pub(crate) fn relabel_ensemble_settings(&self, data: &Dataset<'_>) -> RelabelEnsembleConfig {
        let units = data.dependence().groups().map(|codes| RowGroups::new(codes.iter().copied()).n_groups());
        let n_units = units.unwrap_or(data.n_rows());
        #[allow(clippy::cast_sign_loss)] // A positive fraction of a count.
        let bag_size = ((self.max_samples * n_units as f64).round() as usize).max(1);
        let output_kind = if self.use_proba { OutputKind::Proba } else { OutputKind::Choice };
        RelabelEnsembleConfig {
            n_bags: self.n_estimators,
            bag_size,
            out_of_bag: self.out_of_bag,
            output_kind,
        }
    }
}

pub(crate) fn require_cost_matrix<'c>(method: &str, costs: Option<&'c CostRule>) -> Result<&'c Costs> {
    costs.and_then(CostRule::matrix).ok_or_else(|| {
        let expected = "a matrix, a dict of costs, \"balanced\" or \"imbalance\", which this method requires";
        Error::parameter(method, "cost_matrix", expected, "None")
    })
}

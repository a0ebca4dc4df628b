//! Fitting a method by name.
//!
//! A fit first normalizes the weights and determines the costs and the positive class. Then it fits the
//! method that the registry has under the name. The resulting estimator, the schema and the decision rule
//! form the model. If a tuned threshold or a calibration needs models of inner folds, they are fitted by
//! the same steps.

use crate::class_priors::ClassPriors;
use crate::data_warnings;
use crate::fit_context::{FitContext, FitTask, with_normalized_task};
use crate::method::{FitRun, MethodRole};
use crate::model::Model;
use crate::registry::{FitOutcome, FullRegistry, fit_by_name, full_params_and_role};
use crate::resolved_costs::{ResolvedCosts, resolve_costs, resolve_positive_class, resolve_relabeling_costs};
use crate::threshold::{TuningTasks, chunked_tuning_error, fit_and_tune};
use imbcore_core::{CostStrategy, Dataset, Decision, DecisionPlan, Result, RunContext, Schema, Threshold};
use serde_json::{Map, Value};

/// Fits a method by name.
///
/// The final weight of a row is its row weight times its class weight. If the final weights of all rows are
/// below 1, they are rescaled to a mean of 1 over the rows of positive weight (see
/// [`crate::weight_counted_as_one_row`]). Parameters such as `min_weight_leaf`, which are minimum numbers of
/// rows, thus keep their meaning.
///
/// # Errors
/// [`imbcore_core::Error::Unknown`] for an unknown method or parameter, [`imbcore_core::Error::Parameter`]
/// for an invalid value of a parameter, and errors for invalid data.
pub fn fit(task: &FitTask<'_>, data: &Dataset<'_>, schema: Schema, ctl: RunContext<'_>) -> Result<Model> {
    data_warnings::warn_about_columns(data, &schema, ctl);
    let model = with_normalized_task(task, data, |task, data| fit_normalized(task, data, schema, ctl))?;
    data_warnings::warn_about_single_class(&model, ctl);
    data_warnings::warn_about_calibration(&model, data, ctl);
    // The method `auto` gives no warning about rows without predictions: if rows have times, its inner folds
    // never test the earliest rows.
    let answers = model
        .fitted_estimator()
        .out_of_bag()
        .filter(|_| model.fitted_estimator().selected_ensemble().is_none());
    data_warnings::warn_about_out_of_bag(answers, model.n_classes(), ctl);
    let (params, _) = full_params_and_role(task.method, &task.resolve_params(model.schema())?)?;
    data_warnings::warn_about_replication_options(&params, ctl);
    let (boosted, _) = full_params_and_role("boosted_trees", &Map::new())?;
    data_warnings::warn_about_unused_early_stopping(&params, &boosted, ctl);
    data_warnings::warn_about_max_rounds(&model, &params, ctl);
    data_warnings::warn_about_levels(&params, (data, model.schema()), ctl);
    Ok(model)
}

pub(crate) fn fit_normalized(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: Schema,
    ctl: RunContext<'_>,
) -> Result<Model> {
    full_params_and_role(task.method, &task.resolve_params(&schema)?)?;
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    let task = FitTask { positive: Some(positive), ..*task };
    let default = DecisionPlan::default();
    let asked = task.costs.unwrap_or(&default);
    if data_dependent_threshold(asked).is_some()
        && asked.matrix.is_some()
        && asked.strategy == CostStrategy::Decision
    {
        // A threshold and a cost matrix are two decision rules. If the user gave both, `decision` returns an
        // error.
        asked.decision(asked.cost_rule(data)?.as_ref(), data.n_classes(), positive)?;
    }
    let wanted = TuningTasks::from_plan(asked);
    if wanted.is_none() {
        return fit_without_tuning(&task, data, schema, ctl, fit_by_name);
    }
    if data.is_sample() || data.binned_frame().is_some() {
        return Err(chunked_tuning_error());
    }
    let threshold = asked.threshold.clone().filter(|_| wanted.goal.is_none());
    let plan = &DecisionPlan { threshold, calibration: None, ..asked.clone() };
    fit_and_tune(&FitTask { costs: Some(plan), ..task }, wanted, (data, schema), fit_normalized, ctl)
}

/// The requested threshold, if its value must be computed from data (a goal, or "prior").
fn data_dependent_threshold(asked: &DecisionPlan) -> Option<&Threshold> {
    asked.threshold.as_ref().filter(|threshold| !matches!(threshold, Threshold::At(_)))
}

/// Fits a task that requests neither calibration nor a tuned threshold.
///
/// Such a task needs no predictions on held-out rows. `learn` fits the method of the task.
pub(crate) fn fit_without_tuning(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: Schema,
    ctl: RunContext<'_>,
    learn: impl FnOnce(&str, &Map<String, Value>, FitRun<'_, '_>) -> Result<FitOutcome>,
) -> Result<Model> {
    let given = task.resolve_params(&schema)?;
    let (_, role) = full_params_and_role(task.method, &given)?;
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    let default = DecisionPlan::default();
    let asked = task.costs.unwrap_or(&default);
    let from_data = data_dependent_threshold(asked);
    let threshold = asked.threshold.clone().filter(|_| from_data.is_none());
    let plan = &DecisionPlan { threshold, ..asked.clone() };
    let settled = if role == MethodRole::Costly {
        resolve_relabeling_costs((task.method, task.class_weight), plan, data, positive)?
    } else {
        resolve_costs(task.class_weight, Some(plan), data, positive)?
    };
    let ResolvedCosts { class_weight, costs, decision } = settled;
    // Costs that were converted to class weights must not be applied to decisions again.
    let costs = costs.as_ref().filter(|_| plan.strategy == CostStrategy::Decision);
    let weighed = class_weight.clone();
    let FitContext { constant, start, clusterer, .. } = task.context;
    let (key, labels, others) = (task.key, &schema.classes, &FullRegistry);
    let run =
        FitRun { data, labels, class_weight, costs, positive, key, constant, start, ctl, others, clusterer };
    let FitOutcome { method, params, fitted, relabelled } = learn(task.method, &given, run)?;
    let decision = match from_data {
        Some(Threshold::Prior) => Decision::Prior(fitted.class_distribution()?.to_vec()),
        _ => decision,
    };
    let shares = ClassPriors::from_fit(&fitted, data, weighed.as_deref())?;
    let model = Model::new(method, params, schema, fitted, decision, positive)?;
    Ok(model.with_class_priors(shares)?.with_replaced_labels(relabelled))
}

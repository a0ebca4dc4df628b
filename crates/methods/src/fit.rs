//! Fitting a method by name.
//!
//! The entry point normalizes the weights; costs and the positive class are resolved; the registry fits by name; and
//! the result is combined with the schema and the decision rule. A tuned threshold fits its inner folds in the same
//! way.

use crate::class_priors::ClassPriors;
use crate::data_warnings;
use crate::fit_context::{FitContext, FitTask, enter};
use crate::model::Model;
use crate::recipe::{FitRun, MethodRole};
use crate::registry::{FitOutcome, FullRegistry, complete, dispatch};
use crate::settle::{ResolvedCosts, resolve_label_costs, resolve_positive, settle};
use crate::threshold::{TuningTasks, fit_and_tune, unseen_rows_error};
use imbcore_core::{CostStrategy, Dataset, Decision, DecisionPlan, Result, RunContext, Schema, Threshold};
use serde_json::{Map, Value};

/// Fits a method by name.
///
/// Weights that are all below 1 are rescaled to a mean of 1 over the rows with positive weight, so that parameters
/// that count rows keep their meaning.
///
/// # Errors
/// [`imbcore_core::Error::Unknown`] for the name or a parameter, [`imbcore_core::Error::Parameter`], and errors of
/// the data.
pub fn fit(task: &FitTask<'_>, data: &Dataset<'_>, schema: Schema, ctl: RunContext<'_>) -> Result<Model> {
    data_warnings::warn_about_columns(data, &schema, ctl);
    let model = enter(task, data, |task, data| fit_inside(task, data, schema, ctl))?;
    data_warnings::warn_about_single_class(&model, ctl);
    data_warnings::warn_about_calibration(&model, data, ctl);
    // Inner folds over time never test the earliest rows.
    let answers = model.fitted().out_of_bag().filter(|_| model.fitted().selected().is_none());
    data_warnings::warn_about_out_of_bag(answers, model.n_classes(), ctl);
    let (params, _) = complete(task.method, &task.given(model.schema())?)?;
    data_warnings::warn_about_replications(&params, ctl);
    data_warnings::warn_about_levels(&params, (data, model.schema()), ctl);
    Ok(model)
}

/// Fits a task with normalized weights.
pub(crate) fn fit_inside(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: Schema,
    ctl: RunContext<'_>,
) -> Result<Model> {
    complete(task.method, &task.given(&schema)?)?;
    let positive = resolve_positive(task.positive, &schema.classes, data)?;
    let task = FitTask { positive: Some(positive), ..*task };
    let default = DecisionPlan::default();
    let asked = task.costs.unwrap_or(&default);
    if from_data(asked).is_some() && asked.matrix.is_some() && asked.strategy == CostStrategy::Decision {
        // Two decision rules were requested, so this call returns an error.
        asked.decision(asked.rule(data)?.as_ref(), data.n_classes(), positive)?;
    }
    let wanted = TuningTasks::from_plan(asked);
    if wanted.is_none() {
        return fit_untuned(&task, data, schema, ctl, dispatch);
    }
    if data.is_sample() || data.bins().is_some() {
        return Err(unseen_rows_error());
    }
    let threshold = asked.threshold.clone().filter(|_| wanted.goal.is_none());
    let plan = &DecisionPlan { threshold, calibration: None, ..asked.clone() };
    fit_and_tune(&FitTask { costs: Some(plan), ..task }, wanted, (data, schema), fit_inside, ctl)
}

/// A threshold that depends on the data.
fn from_data(asked: &DecisionPlan) -> Option<&Threshold> {
    asked.threshold.as_ref().filter(|threshold| !matches!(threshold, Threshold::At(_)))
}

/// Fits a task that needs no predictions on unseen rows; `learn` fits the method by name.
pub(crate) fn fit_untuned(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: Schema,
    ctl: RunContext<'_>,
    learn: impl FnOnce(&str, &Map<String, Value>, FitRun<'_, '_>) -> Result<FitOutcome>,
) -> Result<Model> {
    let given = task.given(&schema)?;
    let (_, role) = complete(task.method, &given)?;
    let positive = resolve_positive(task.positive, &schema.classes, data)?;
    let default = DecisionPlan::default();
    let asked = task.costs.unwrap_or(&default);
    let from_data = from_data(asked);
    let threshold = asked.threshold.clone().filter(|_| from_data.is_none());
    let plan = &DecisionPlan { threshold, ..asked.clone() };
    let settled = if role == MethodRole::Costly {
        resolve_label_costs((task.method, task.class_weight), plan, data, positive)?
    } else {
        settle(task.class_weight, Some(plan), data, positive)?
    };
    let ResolvedCosts { class_weight, costs, decision } = settled;
    // Costs that were converted to weights are already part of the data and must not be applied again.
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
    Ok(model.with_class_priors(shares).of_labels(relabelled))
}

//! Evaluation of methods on shared cross-validation splits.

use crate::data_warnings;
use crate::fit::fit_normalized;
use crate::fit_context::{FitTask, with_normalized_task};
use crate::folds::{Evaluation, ScoredMethod, cross_validate};
use crate::registry::full_params_and_role;
use imbcore_core::{CostRule, Dataset, DecisionPlan, Result, RunContext, Schema, SeedKey, tags};
use imbcore_metrics::{CostMatrices, CvSplits, Evaluator, SplitStrategy};

/// Splits and scores of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationPlan<'a> {
    /// Strategy for splitting the rows.
    pub by: SplitStrategy<'a>,
    /// Number of test folds per repeat, at least 2.
    pub folds: u32,
    /// Number of repeats with different folds, at least 1.
    pub repeats: u32,
    /// Code of the positive class, the same in all folds.
    pub positive: u32,
    /// Costs of errors, from which the score "expected cost" is computed.
    /// Without a cost matrix or cost columns, this score is not computed.
    pub costs: &'a DecisionPlan,
    /// Maximum number of alerts, and the number of rows to which it refers (None: all rows).
    pub alerts: Option<(f64, Option<f64>)>,
}

/// Cross-validation splits and scores; they are the same for all methods that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationSetup {
    /// Cross-validation splits.
    pub deal: CvSplits,
    /// Scores.
    pub judge: Evaluator,
}

impl EvaluationSetup {
    /// Computes the cross-validation splits and prepares the scores.
    ///
    /// The splits depend only on the labels, groups or times, and the seed. All methods can therefore be
    /// compared on the same splits.
    ///
    /// # Errors
    /// Same errors as [`CvSplits::new`] and [`Evaluator::new`]; [`imbcore_core::Error::Data`] if the number
    /// of classes differs between the costs and the data.
    pub fn new(
        plan: EvaluationPlan<'_>,
        (data, schema): (&Dataset<'_>, &Schema),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let key = key.child(tags::evaluation::FOLDS, 0);
        let deal = CvSplits::new(data.class_codes(), plan.by, (plan.folds, plan.repeats), key, ctl)?;
        let rows = (0..data.n_rows()).map(|row| data.weight(row)).sum::<f64>() / data.unit_weight(None)?;
        let prices = match plan.costs.cost_rule(data)? {
            None | Some(CostRule::PerRow(_)) => None,
            Some(CostRule::Same(costs)) => Some(CostMatrices::Same(costs)),
            Some(CostRule::Columns(cells)) => {
                Some(CostMatrices::Own(cells.to_row_costs(data.frame())?.matrices()))
            }
        };
        let judge = Evaluator::new(plan.positive, prices, plan.alerts, rows)?;
        data_warnings::warn_about_columns(data, schema, ctl);
        match plan.by {
            SplitStrategy::Stratified => {
                data_warnings::warn_about_small_classes(data, schema, plan.positive, plan.folds, ctl);
            }
            SplitStrategy::Groups(_) | SplitStrategy::Time(..) => {
                data_warnings::warn_about_test_folds(data, schema, &deal, ctl);
            }
        }
        Ok(Self { deal, judge })
    }
}

/// Cross-validates a method; `name` is its name in warnings.
///
/// # Errors
/// Same errors as [`crate::fit`]; [`imbcore_core::Error::Data`] if the training rows of a fold have a single
/// class.
pub fn evaluate(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    (trial, name): (&EvaluationSetup, &str),
    ctl: RunContext<'_>,
) -> Result<Evaluation> {
    let task = &FitTask { positive: Some(trial.judge.positive_class()), ..*task };
    let parts = (&trial.deal, Some(ScoredMethod { evaluator: &trial.judge, name }));
    let found = with_normalized_task(task, data, |task, data| {
        cross_validate(task, (data, schema), parts, fit_normalized, ctl)
    })?;
    data_warnings::warn_about_perfect_predictions(&found, data, ctl);
    let (params, _) = full_params_and_role(task.method, &task.resolve_params(schema)?)?;
    data_warnings::warn_about_replication_options(&params, ctl);
    data_warnings::warn_about_levels(&params, (data, schema), ctl);
    Ok(found)
}

//! Selection of the rows that a fit needs, for methods that draw a sample of the rows.
//!
//! The selection needs the classes and weights of the rows, but none of their features. Therefore, the
//! caller can load just the selected rows.

use crate::fit_context::{FitTask, with_normalized_task};
use crate::method::FitRun;
use crate::registry::{FullRegistry, draw_rows_for_method};
use crate::resolved_costs::{ResolvedCosts, resolve_costs, resolve_positive_class};
use crate::threshold::chunked_tuning_error;
use crate::warm_start::WarmStart;
use imbcore_core::{Dataset, DecisionPlan, Error, Result, RunContext, Schema, Threshold};

/// Selects the rows that a fit of the task needs; returns one list of row numbers per class.
///
/// The lists are ascending. A row number is the position of a row, from 0, among the rows of its class with
/// positive weight. A fit to only the selected rows, in the order of the table, gives the same model as a fit
/// to the whole table.
///
/// # Errors
/// [`Error::Unsupported`] for a method that needs all rows; otherwise the same errors as [`crate::fit`].
pub fn select_rows_for_fit(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunContext<'_>,
) -> Result<Vec<Vec<u32>>> {
    with_normalized_task(task, data, |task, data| {
        let (given, labels) = (task.resolve_params(schema)?, &schema.classes);
        let positive = resolve_positive_class(task.positive, labels, data)?;
        reject_tuning_in_chunked_fit(task)?;
        let ResolvedCosts { class_weight, costs, .. } =
            resolve_costs(task.class_weight, task.costs, data, positive)?;
        if data.present_classes(class_weight.as_deref()).len() < 2 {
            return Err(Error::Data(
                "y has only one class of positive weight; at least two are needed".into(),
            ));
        }
        let (key, costs, start, constant, others) =
            (task.key, costs.as_ref(), WarmStart::Cold, false, &FullRegistry);
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
        draw_rows_for_method(task.method, &given, run)
    })
}

/// Rejects calibration and data-dependent thresholds for rows that are read in chunks.
///
/// Calibration and tuned thresholds need predictions on rows that the model was not fitted to, but only the
/// rows of the fit are in memory. The threshold "prior" is rejected, too.
pub(crate) fn reject_tuning_in_chunked_fit(task: &FitTask<'_>) -> Result<()> {
    let tuned = |plan: &DecisionPlan| {
        plan.calibration.is_some() || matches!(plan.threshold, Some(Threshold::Goal(_) | Threshold::Prior))
    };
    if task.costs.is_some_and(tuned) { Err(chunked_tuning_error()) } else { Ok(()) }
}

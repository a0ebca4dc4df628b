//! Selection of the rows that a fit reads, for methods that read only few rows.
//!
//! The rows are determined from the classes alone, before any column is read.

use crate::fit_context::{FitTask, enter};
use crate::recipe::FitRun;
use crate::registry::{FullRegistry, dispatch_draw_rows};
use crate::settle::{ResolvedCosts, resolve_positive, settle};
use crate::start::WarmStart;
use crate::threshold::unseen_rows_error;
use imbcore_core::{Dataset, DecisionPlan, Error, Result, RunContext, Schema, Threshold};

/// Rows that a fit of the task reads, for each class of the table, by class code.
/// Rows are numbered among those with positive weight, from 0 and ascending. A fit to a data set of only these
/// rows, in the order of the table, equals the fit to the table.
///
/// # Errors
/// [`Error::Unsupported`] for a method that reads all rows; otherwise as [`crate::fit`].
pub fn draw(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunContext<'_>,
) -> Result<Vec<Vec<u32>>> {
    enter(task, data, |task, data| {
        let (given, labels) = (task.given(schema)?, &schema.classes);
        let positive = resolve_positive(task.positive, labels, data)?;
        reject_unseen_row_options(task)?;
        let ResolvedCosts { class_weight, costs, .. } =
            settle(task.class_weight, task.costs, data, positive)?;
        if data.present(class_weight.as_deref()).len() < 2 {
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
        dispatch_draw_rows(task.method, &given, run)
    })
}

/// Rejects options that need predictions on rows that the model was not fitted to.
///
/// A fit to chunks has no such rows.
pub(crate) fn reject_unseen_row_options(task: &FitTask<'_>) -> Result<()> {
    let tuned = |plan: &DecisionPlan| {
        plan.calibration.is_some() || matches!(plan.threshold, Some(Threshold::Goal(_) | Threshold::Prior))
    };
    if task.costs.is_some_and(tuned) { Err(unseen_rows_error()) } else { Ok(()) }
}

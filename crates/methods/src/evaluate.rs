//! Repeated stratified cross-validation of one method.

use crate::door::{Task, enter};
use crate::fit::fit_inside;
use crate::folds::{Evaluation, Plan, cross_validate};
use crate::registry::complete;
use crate::remarks;
use crate::settle::positive_of;
use imbcore_base::{Dataset, Result, RunCtl, Schema};

/// Cross-validates a method; the folds depend on the labels and the seed only, so all methods share them.
///
/// # Errors
/// As [`crate::fit`]; [`imbcore_base::Error::Data`] for impossible folds, or a training part with a single class.
pub fn evaluate(
    task: &Task<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    plan: Plan,
    ctl: RunCtl<'_>,
) -> Result<Evaluation> {
    let positive = positive_of(task.positive, &schema.classes, data)?;
    remarks::on_columns(data, schema, ctl);
    remarks::on_folds(data, schema, positive, plan.folds, ctl);
    let task = &Task { positive: Some(positive), ..*task };
    let found = enter(task, data, |task, data| cross_validate(task, (data, schema), plan, fit_inside, ctl))?;
    remarks::on_answers(&found, data, ctl);
    remarks::on_parameters(&complete(task.method, &task.given(schema)?)?.0, ctl);
    Ok(found)
}

//! Which rows a fit reads, where it reads few of many: known from the classes alone, before any column is read.

use crate::door::{Task, enter};
use crate::recipe::Run;
use crate::registry::{Registered, dispatch_draw};
use crate::settle::{Settled, positive_of, settle};
use crate::start::Start;
use imbcore_base::{CostPlan, Dataset, Error, Result, RunCtl, Schema, Threshold};

/// For each class of the table that `data` stands for, by code, which of its rows with weight a fit of the task reads, counted
/// from 0 and ascending. A fit to a data set of these rows, in the order of the table, is the fit to the table.
///
/// # Errors
/// [`Error::Unsupported`] for a method that reads all rows; otherwise as [`crate::fit`].
pub fn draw(task: &Task<'_>, data: &Dataset<'_>, schema: &Schema, ctl: RunCtl<'_>) -> Result<Vec<Vec<u32>>> {
    enter(task, data, |task, data| {
        let (given, labels) = (task.given(schema)?, &schema.classes);
        let positive = positive_of(task.positive, labels, data)?;
        let tuned = |plan: &CostPlan| {
            plan.calibration.is_some()
                || matches!(plan.threshold, Some(Threshold::Goal(_) | Threshold::Prior))
        };
        if task.costs.is_some_and(tuned) {
            return Err(needs_unseen_rows());
        }
        let Settled { class_weight, costs, .. } = settle(task.class_weight, task.costs, data, positive)?;
        if data.present(class_weight.as_deref()).len() < 2 {
            return Err(Error::Data(
                "y has only one class of positive weight; at least two are needed".into(),
            ));
        }
        let (key, costs, start, constant, others) =
            (task.key, costs.as_ref(), Start::Cold, false, &Registered);
        let run = Run { data, labels, class_weight, costs, positive, key, constant, start, ctl, others };
        dispatch_draw(task.method, &given, run)
    })
}

/// What is to be said of a calibration, or a threshold that follows from the data.
pub(crate) fn needs_unseen_rows() -> Error {
    Error::Unsupported(
        "calibrate, and a threshold that is no number, need rows that the model did not see, which a fit to rows read by \
         pieces does not keep; fit without them, and calibrate or choose the threshold on other rows"
            .into(),
    )
}

/// What is to be said of a method that does not know its rows beforehand.
pub(crate) fn reads_all_rows(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} learns from all rows at once, so it cannot be fitted to rows that are read by pieces; balanced_random_forest, \
         or a forest with a small max_samples, reads few of many, and every method takes a sample that fits into memory"
    ))
}

//! The door of every fit: weights become numbers of rows there, before any bootstrap, fold or round sees them.

use crate::registry::{Task, class_weights};
use imbcore_base::{ClassWeights, CostPlan, Dataset, Result};

/// How a task is taken in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Door {
    /// Rows of a single class give a constant model and a remark instead of an error.
    pub constant: bool,
    /// Factor that makes weights numbers of rows, where an outer door has found it; None finds it here.
    pub scale: Option<f64>,
}

impl Door {
    /// For parts of rows that came through this door.
    pub(crate) fn inner(self) -> Self {
        Self { scale: Some(1.0), ..self }
    }
}

/// Runs `body` on a task and rows whose weights are numbers of rows.
pub(crate) fn enter<T>(
    task: &Task<'_>,
    data: &Dataset<'_>,
    body: impl FnOnce(&Task<'_>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let own = class_weights(task.class_weight, None, data)?;
    // Where one class alone has weight, there is nothing for costs and thresholds to decide.
    let costs = task.costs.filter(|_| data.present(own.as_deref()).len() > 1);
    in_rows(task.door.scale, (task.class_weight, costs), data, |class_weight, data| {
        body(&Task { class_weight, costs, door: task.door.inner(), ..*task }, data)
    })
}

/// Runs `body` on class weights and rows whose product is a number of rows: multiplied by `scale`, or where there is
/// none by what [`Dataset::row_scale`] says.
pub(crate) fn in_rows<T>(
    scale: Option<f64>,
    (class_weight, costs): (Option<&ClassWeights>, Option<&CostPlan>),
    data: &Dataset<'_>,
    body: impl FnOnce(Option<&ClassWeights>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let scale = match scale {
        Some(scale) => scale,
        None => row_scale((class_weight, costs), data)?,
    };
    let times = |weights: &[f64]| weights.iter().map(|weight| weight * scale).collect::<Vec<f64>>();
    match (data.weights(), class_weight) {
        _ if scale == 1.0 => body(class_weight, data),
        (Some(weights), _) => body(class_weight, &data.reweighed(&times(weights))),
        (None, Some(ClassWeights::Given(weights))) => body(Some(&ClassWeights::Given(times(weights))), data),
        // Only rounding makes balanced weights all smaller than 1.
        (None, _) => body(class_weight, data),
    }
}

/// Factor that makes the weights of rows, times those of classes and costs, numbers of rows: 1 unless all are below 1.
///
/// # Errors
/// As [`Dataset::row_scale`], and what is wrong with weights or costs.
pub fn row_scale(
    (class_weight, costs): (Option<&ClassWeights>, Option<&CostPlan>),
    data: &Dataset<'_>,
) -> Result<f64> {
    if data.weights().is_none() && class_weight.is_none() {
        return Ok(1.0);
    }
    let product = class_weights(class_weight, costs, data)?;
    Ok(data.row_scale(product.as_deref())?.unwrap_or(1.0))
}

//! Lower bound on the memory of a fit, so that the user can check it before the fit.

use crate::fit_context::{FitTask, with_normalized_task};
use crate::memory_estimate::TableSize;
use crate::registry::estimate_memory_of_method;
use crate::resolved_costs::{class_weights_with_costs, resolve_positive_class};
use imbcore_core::{Dataset, Result, Schema};

/// Minimum number of bytes that a fit of the task allocates in addition to the table.
///
/// The number is 0 for methods whose memory is not known in advance. A fit compares the same number with the
/// memory limits of the process, the container and the machine.
///
/// # Errors
/// Same errors as [`crate::fit`] for the method, its parameters and the classes.
pub fn estimate_fit_memory(task: &FitTask<'_>, data: &Dataset<'_>, schema: &Schema) -> Result<usize> {
    with_normalized_task(task, data, |task, data| {
        let given = task.resolve_params(schema)?;
        let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
        let class_weight = class_weights_with_costs(task.class_weight, None, data)?;
        let table = TableSize::new(data, class_weight.as_deref(), positive);
        Ok(estimate_memory_of_method(task.method, &given, data, &table)?.bytes())
    })
}

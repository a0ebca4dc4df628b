//! Fits to rows read in chunks, for methods that need only the bin of each numeric value.
//!
//! The caller reads the rows three times: to find the labels, to summarize every column for its bin edges,
//! and to replace numbers by bins. The fitted model equals the model fitted to the whole table in memory.

use crate::draw::reject_tuning_in_chunked_fit;
use crate::fit_context::{FitTask, with_normalized_task};
use crate::method::FitRun;
use crate::registry::{FullRegistry, bin_edges_of_method, max_bins_of_method};
use crate::resolved_costs::{ResolvedCosts, resolve_costs, resolve_positive_class};
use crate::warm_start::WarmStart;
use imbcore_core::{Dataset, Result, RunContext, Schema};
use imbcore_trees::{BinEdges, QuantileSketch};

/// Maximum number of bins per column, for a method that reads numbers only as bins.
///
/// # Errors
/// [`imbcore_core::Error::Unsupported`] if the method needs the numbers themselves, or if an option needs all
/// rows in memory; errors for invalid parameters.
pub fn max_bins(task: &FitTask<'_>, schema: &Schema) -> Result<usize> {
    reject_tuning_in_chunked_fit(task)?;
    max_bins_of_method(task.method, &task.resolve_params(schema)?)
}

/// Bin edges of every numeric column; `None` for nominal columns.
///
/// `data` has the class and the weight of every row; `sketches` summarize the values of the columns.
///
/// # Errors
/// Same errors as [`max_bins`]; [`imbcore_core::Error::Unsupported`] for a class whose rows have weight 0.
pub fn bin_edges(
    task: &FitTask<'_>,
    sketches: Vec<Option<QuantileSketch>>,
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunContext<'_>,
) -> Result<Vec<Option<BinEdges>>> {
    with_normalized_task(task, data, |task, data| {
        let (given, labels) = (task.resolve_params(schema)?, &schema.classes);
        let positive = resolve_positive_class(task.positive, labels, data)?;
        let ResolvedCosts { class_weight, costs, .. } =
            resolve_costs(task.class_weight, task.costs, data, positive)?;
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
        bin_edges_of_method(task.method, &given, sketches, run)
    })
}

//! Fits to rows read in chunks, of which only bins of the numbers are stored.
//!
//! A first pass finds the labels, a second collects the data for the bins of every column, a third encodes the rows;
//! the caller reads the data. The model equals that of the whole table in memory.

use crate::draw::reject_unseen_row_options;
use crate::fit_context::{FitTask, enter};
use crate::recipe::FitRun;
use crate::registry::{FullRegistry, bins, dispatch_bin_edges};
use crate::settle::{ResolvedCosts, resolve_positive, settle};
use crate::start::WarmStart;
use imbcore_core::{Dataset, Result, RunContext, Schema};
use imbcore_trees::{BinEdges, QuantileSketch};

/// Maximum number of bins per column, for a method that reads numbers only as bins.
///
/// # Errors
/// [`imbcore_core::Error::Unsupported`] if the method reads values, or an option needs unavailable rows; errors of the
/// parameters.
pub fn most_bins(task: &FitTask<'_>, schema: &Schema) -> Result<usize> {
    reject_unseen_row_options(task)?;
    bins(task.method, &task.given(schema)?)
}

/// Bin edges of every column (None for nominal ones).
///
/// `data` has the labels and weights of all rows.
///
/// # Errors
/// Same errors as [`most_bins`]; [`imbcore_core::Error::Unsupported`] for a class of weight 0.
pub fn bin_edges(
    task: &FitTask<'_>,
    sketches: Vec<Option<QuantileSketch>>,
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunContext<'_>,
) -> Result<Vec<Option<BinEdges>>> {
    enter(task, data, |task, data| {
        let (given, labels) = (task.given(schema)?, &schema.classes);
        let positive = resolve_positive(task.positive, labels, data)?;
        let ResolvedCosts { class_weight, costs, .. } =
            settle(task.class_weight, task.costs, data, positive)?;
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
        dispatch_bin_edges(task.method, &given, sketches, run)
    })
}

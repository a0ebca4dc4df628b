//! Fits to rows read in chunks, for models that depend only on sums over the rows.
//!
//! For [`fit_encoded_stream`], the caller reads the rows twice: to discretize every column, and to encode the
//! rows. [`fit_row_stream`] itself reads the rows as often as the method needs. Both functions get the class
//! counts as a data set with one row per class, weighted by the number of training rows of the class.

use crate::data_warnings;
use crate::fit::fit_without_tuning;
use crate::fit_context::{FitTask, with_normalized_task};
use crate::method::LabeledRowStream;
use crate::model::Model;
use crate::registry::{discretize_settings_of_method, fit_encoded_stream_by_name, fit_row_stream_by_name};
use crate::threshold::TuningTasks;
use imbcore_bayes::classifier::EncodedRowBuffer;
use imbcore_bayes::{DiscretizeSettings, MISSING};
use imbcore_core::{Dataset, Error, FeatureKind, Result, RunContext, Schema};

/// Fits a method to rows that can be read in chunks repeatedly.
///
/// `classes` is a data set with one row per class, weighted by the number of training rows of the class.
///
/// # Errors
/// Same errors as [`crate::fit`], errors of reading, and [`Error::Unsupported`] for methods and options that
/// need all rows at once.
pub fn fit_row_stream(
    task: &FitTask<'_>,
    rows: LabeledRowStream<'_>,
    classes: &Dataset<'_>,
    schema: Schema,
    ctl: RunContext<'_>,
) -> Result<Model> {
    reject_in_memory_options(task)?;
    let mut model = with_normalized_task(task, classes, |task, data| {
        fit_without_tuning(task, data, schema, ctl, |name, given, run| {
            fit_row_stream_by_name(name, given, rows, run)
        })
    })?;
    if let Some(boxes) = model.fitted_estimator().boxes() {
        model.schema.without_values =
            columns_without_values(model.schema(), &boxes.training_stats().range.low);
    }
    data_warnings::warn_about_single_class(&model, ctl);
    Ok(model)
}

/// Columns in which every training row has a missing value.
///
/// These are the columns that the schema lists as columns without values, and the numeric columns whose entry
/// in `low` is infinite. `low` has the smallest value that the fit has read in each column.
fn columns_without_values(schema: &Schema, low: &[f64]) -> Vec<usize> {
    let is_empty = |column: usize| {
        low[column] == f64::INFINITY && matches!(schema.features[column].kind, FeatureKind::Numeric)
    };
    (0..low.len()).filter(|column| schema.without_values.contains(column) || is_empty(*column)).collect()
}

fn reject_in_memory_options(task: &FitTask<'_>) -> Result<()> {
    if task.class_weight.is_some() || task.costs.is_some_and(|plan| !TuningTasks::from_plan(plan).is_none()) {
        let what = "class weights, calibration and tuned thresholds need all rows in memory";
        return Err(Error::Unsupported(what.into()));
    }
    Ok(())
}

/// Discretization settings of a method that is fitted to chunks.
///
/// # Errors
/// [`imbcore_core::Error::Unsupported`] if the method cannot be fitted to chunks with these parameters;
/// errors for invalid parameters.
pub fn discretize_settings_of_task(task: &FitTask<'_>, schema: &Schema) -> Result<DiscretizeSettings> {
    reject_in_memory_options(task)?;
    if schema.classes.len() >= usize::from(MISSING) {
        return Err(Error::Data(format!(
            "y has {} classes; at most {} are possible",
            schema.classes.len(),
            MISSING - 1
        )));
    }
    discretize_settings_of_method(task.method, &task.resolve_params(schema)?)
}

/// Fits a method to discretized rows, which are read in chunks.
///
/// `classes` is a data set with one row per class, weighted by the number of training rows of the class.
///
/// # Errors
/// Same errors as [`crate::fit`], and [`imbcore_core::Error::Unsupported`] for methods and options that need
/// all rows in memory.
pub fn fit_encoded_stream(
    task: &FitTask<'_>,
    rows: EncodedRowBuffer,
    classes: &Dataset<'_>,
    schema: Schema,
    ctl: RunContext<'_>,
) -> Result<Model> {
    discretize_settings_of_task(task, &schema)?;
    let model = with_normalized_task(task, classes, |task, data| {
        fit_without_tuning(task, data, schema, ctl, |name, given, run| {
            fit_encoded_stream_by_name(name, given, rows, run)
        })
    })?;
    data_warnings::warn_about_single_class(&model, ctl);
    Ok(model)
}

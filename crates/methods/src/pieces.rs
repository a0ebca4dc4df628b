//! Fits from pieces of the rows, where a model is a function of sums over them.
//!
//! A first reading finds the states of every column, a second the codes of the rows; who reads is not known here. Of labels
//! nothing is asked but the rows of each class, so that a data set of one weighted row a class stands for all.

use crate::door::{Task, enter};
use crate::fit::fit_settled;
use crate::model::Model;
use crate::recipe::ReadRows;
use crate::registry::{cuts, dispatch_pieces, dispatch_rows};
use crate::remarks;
use crate::threshold::Wanted;
use imbcore_base::{Dataset, Error, Result, RunCtl, Schema};
use imbcore_bayes::classifier::CodedRows;
use imbcore_bayes::{DiscretizeSettings, MISSING};

/// Fits a method to rows that come in pieces, as often as it asks for them; `classes` as in [`fit_pieces`].
///
/// # Errors
/// As [`crate::fit`], whatever keeps the rows from coming, and [`Error::Unsupported`] for methods and options that need
/// all rows at once.
pub fn fit_rows(
    task: &Task<'_>,
    rows: ReadRows<'_>,
    classes: &Dataset<'_>,
    schema: Schema,
    ctl: RunCtl<'_>,
) -> Result<Model> {
    check_options(task)?;
    let model = enter(task, classes, |task, data| {
        fit_settled(task, data, schema, ctl, |name, given, run| dispatch_rows(name, given, rows, run))
    })?;
    remarks::on_constant(&model, ctl);
    Ok(model)
}

/// Refuses options that ask about rows.
fn check_options(task: &Task<'_>) -> Result<()> {
    if task.class_weight.is_some() || task.costs.is_some_and(|plan| !Wanted::of(plan).is_none()) {
        let what = "class weights, calibration and thresholds that are tuned need all rows in memory";
        return Err(Error::Unsupported(what.into()));
    }
    Ok(())
}

/// How a method turns columns into states, where it learns from pieces.
///
/// # Errors
/// [`imbcore_base::Error::Unsupported`] where it does not, or not with these parameters; what is wrong with parameters.
pub fn piece_cuts(task: &Task<'_>, schema: &Schema) -> Result<DiscretizeSettings> {
    check_options(task)?;
    if schema.classes.len() >= usize::from(MISSING) {
        return Err(Error::Data(format!(
            "y has {} classes; at most {} are possible",
            schema.classes.len(),
            MISSING - 1
        )));
    }
    cuts(task.method, &task.given(schema)?)
}

/// Fits a method to coded rows; `classes` has one row of each class, whose weight is the number of its rows.
///
/// # Errors
/// As [`crate::fit`], and [`imbcore_base::Error::Unsupported`] for methods and options that need rows.
pub fn fit_pieces(
    task: &Task<'_>,
    rows: CodedRows,
    classes: &Dataset<'_>,
    schema: Schema,
    ctl: RunCtl<'_>,
) -> Result<Model> {
    piece_cuts(task, &schema)?;
    let model = enter(task, classes, |task, data| {
        fit_settled(task, data, schema, ctl, |name, given, run| dispatch_pieces(name, given, rows, run))
    })?;
    remarks::on_constant(&model, ctl);
    Ok(model)
}

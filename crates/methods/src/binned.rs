//! Fits to rows of which only the bins of their numbers are known, because they came in pieces.
//!
//! A first reading finds the labels, a second keeps of every column what its bins are made of, a third turns rows into codes; who
//! reads is not known here. The model is the one of the whole table in memory.

use crate::door::{Task, enter};
use crate::draw::needs_all_rows;
use crate::recipe::Run;
use crate::registry::{Registered, bins, dispatch_edges};
use crate::settle::{Settled, positive_of, settle};
use crate::start::Start;
use imbcore_base::{Dataset, Result, RunCtl, Schema};
use imbcore_tree::{Edges, Sketch};

/// Into how many bins at most a method puts a column, where it reads nothing else of numbers.
///
/// # Errors
/// [`imbcore_base::Error::Unsupported`] where it does, or an option needs rows that are not there; what is wrong with parameters.
pub fn most_bins(task: &Task<'_>, schema: &Schema) -> Result<usize> {
    needs_all_rows(task)?;
    bins(task.method, &task.given(schema)?)
}

/// The bins of every column, none of nominal ones; `data` has the labels and weights of all rows.
///
/// # Errors
/// As [`most_bins`]; [`imbcore_base::Error::Unsupported`] for a class of weight 0.
pub fn bin_edges(
    task: &Task<'_>,
    sketches: Vec<Option<Sketch>>,
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunCtl<'_>,
) -> Result<Vec<Option<Edges>>> {
    enter(task, data, |task, data| {
        let (given, labels) = (task.given(schema)?, &schema.classes);
        let positive = positive_of(task.positive, labels, data)?;
        let Settled { class_weight, costs, .. } = settle(task.class_weight, task.costs, data, positive)?;
        let (key, costs, start, constant, others) =
            (task.key, costs.as_ref(), Start::Cold, false, &Registered);
        let run = Run {
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
        dispatch_edges(task.method, &given, sketches, run)
    })
}

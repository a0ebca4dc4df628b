//! Bags to which a sampler was applied.

use super::bag::Bag;
use super::base_learner::TrainingContext;
use imbcore_core::{Result, SeedKey};
use imbcore_resample::{InputKind, NO_MATE, ResamplingTask, plan, reads};
use serde_json::{Map, Value};

/// Applies a sampler to the rows of a bag.
/// The result contains row indices of the training table. A bag with rows of only one class is unchanged.
pub(crate) fn resample_bag(
    bag: Bag,
    (sampler, params): (&str, &Map<String, Value>),
    training: &TrainingContext<'_, '_>,
    key: SeedKey,
) -> Result<Bag> {
    let (data, ctl) = (training.data, training.ctl.without_observer());
    let classes = bag.class_of_each_row(data);
    if classes.iter().all(|class| *class == classes[0]) {
        return Ok(bag);
    }
    let table = match reads(sampler)? {
        InputKind::Rows if params.get("shrinkage").is_none_or(Value::is_null) => None,
        // The sampler computes distances from all columns of the table, even if the member uses only some of
        // them.
        _ => Some(data.frame().take(&bag.rows, ctl)?),
    };
    let frame = table.as_ref().map(imbcore_core::FrameBuf::borrow).transpose()?;
    let task = ResamplingTask::new(frame.as_ref(), &classes, training.labels)?;
    let plan = plan(sampler, params, &task, key, ctl)?;
    let n_rows = bag.rows.len() as u32;
    let (rows, mut made) = match plan.kept {
        None => (bag.rows.clone(), plan.added),
        Some(kept) => {
            let (rows, made): (Vec<u32>, Vec<u32>) = kept.into_iter().partition(|&at| at < n_rows);
            let rows = rows.into_iter().map(|at| bag.rows[at as usize]).collect();
            (rows, plan.added.select_rows(&made.into_iter().map(|at| at - n_rows).collect::<Vec<u32>>()))
        }
    };
    let of_table = |at: &mut u32| *at = bag.rows[*at as usize];
    made.sources.iter_mut().for_each(of_table);
    made.neighbors.iter_mut().filter(|mate| **mate != NO_MATE).for_each(of_table);
    Ok(Bag { rows, made, ..bag })
}

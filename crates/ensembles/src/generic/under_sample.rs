//! Random under-sampling of rows by their ranks, before any column is read.
//!
//! Ranks number the rows of a table class by class (see `Strata`).

use crate::strata::Strata;
use imbcore_core::{Label, Result, SeedKey};
use imbcore_resample::{RandomUnderParams, ResamplingTask, TargetCounts};
use std::ops::Range;

/// Number of rows that under-sampling keeps of each under-sampled class.
pub(crate) fn under_sampling_target_counts(
    (params, method): (&RandomUnderParams, &str),
    counts: impl Iterator<Item = (u32, usize)>,
    labels: &[Label],
    is_sample: bool,
) -> Result<TargetCounts> {
    let mut by_code = vec![0; labels.len()];
    counts.for_each(|(class, n)| by_code[class as usize] = n as u64);
    params.class_counts_to_keep(
        method,
        &ResamplingTask::from_counts(by_code, labels).with_is_random_sample(is_sample),
    )
}

/// Positions of the rows that under-sampling keeps.
/// `classes` has each class code with the range of the positions of its rows.
pub(crate) fn select_kept_positions(
    params: &RandomUnderParams,
    goal: &TargetCounts,
    classes: impl Iterator<Item = (u32, Range<u32>)>,
    key: SeedKey,
) -> Vec<u32> {
    let mut places = Vec::new();
    for (order, (class, of)) in (0..).zip(classes) {
        match goal.iter().find(|(lessened, _)| *lessened == class) {
            None => places.extend(of),
            Some(&(_, n)) => {
                let kept = params.draw_rows_to_keep((of.len(), n), order, key);
                places.extend(kept.into_iter().map(|at| of.start + at));
            }
        }
    }
    places
}

/// Under-samples a bag, which is given by the ranks of its rows; ranks may be repeated.
///
/// A bag with rows of only one class is unchanged.
pub(crate) fn under_sample_ranks(
    under: (&RandomUnderParams, &str),
    mut bag: Vec<u32>,
    (strata, labels): (&Strata, &[Label]),
    key: SeedKey,
) -> Result<Vec<u32>> {
    bag.sort_unstable();
    let place = |rank: u32| bag.partition_point(|&other| other < rank) as u32;
    let of_class = |class: u32, ranks: &Range<u32>| (class, place(ranks.start)..place(ranks.end));
    let parts: Vec<(u32, Range<u32>)> =
        strata.class_strata().iter().map(|of| of_class(of.class, &of.ranks)).collect();
    if parts.iter().filter(|(_, own)| !own.is_empty()).count() < 2 {
        return Ok(bag);
    }
    let goal = under_sampling_target_counts(
        under,
        parts.iter().map(|(class, own)| (*class, own.len())),
        labels,
        true,
    )?;
    let places = select_kept_positions(under.0, &goal, parts.into_iter(), key);
    Ok(places.into_iter().map(|at| bag[at as usize]).collect())
}

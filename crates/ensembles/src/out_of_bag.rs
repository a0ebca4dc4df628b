//! Out-of-bag score of forests and ensembles.

use crate::model::{ForestModel, OutOfBag, divide_by_weights};
use imbcore_core::{Dataset, Error, PriorShift, Result, RowGroups, RunContext, index_of_first_largest};
use imbcore_metrics::{ClassifierOutput, EvaluatedPredictions, scores};
use rayon::prelude::*;
use std::borrow::Cow;

pub(crate) fn out_of_bag_times_error(method: &str, auto: bool) -> Error {
    let (name, expected, got) = if auto {
        ("n_estimators", "a whole number with time", "\"auto\"")
    } else {
        ("oob_score", "False with time", "True")
    };
    let why = "because out-of-bag predictions come from members fitted to later rows; evaluate the model with time instead";
    Error::parameter(method, name, &format!("{expected}, {why}"), got)
}

/// Computes the score `name` of the out-of-bag predictions, which are given as `votes`.
///
/// Rows whose votes are NaN are ignored. All other rows have equal weight, as in scikit-learn. The predicted
/// class is that of the largest vote; probabilities get the same correction as those of the model.
pub(crate) fn score_out_of_bag(
    votes: Vec<f64>,
    (name, shift): (&str, Option<&PriorShift>),
    (data, positive): (&Dataset<'_>, u32),
) -> Result<OutOfBag> {
    let c = data.n_classes();
    let (mut truth, mut predicted, mut proba) = (Vec::new(), Vec::new(), Vec::new());
    let mut decision = votes;
    for (answer, &class) in decision.chunks_exact_mut(c).zip(data.class_codes()) {
        if !answer[0].is_nan() {
            truth.push(class);
            predicted.push(index_of_first_largest(answer));
            if let Some(shift) = shift {
                shift.apply(answer);
            }
            proba.extend_from_slice(answer);
        }
    }
    if truth.is_empty() {
        return Ok(OutOfBag { decision, score: f64::NAN });
    }
    let belief = ClassifierOutput::Proba(&proba);
    let answers =
        EvaluatedPredictions { truth: &truth, predicted: &predicted, belief, n_classes: c, weights: None };
    let scores = scores(&answers, positive)?;
    let score = scores.into_iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, score)| score);
    Ok(OutOfBag { decision, score })
}

/// For each tree, the bit set of all rows of all groups that the tree has seen.
///
/// A tree has seen a group if it was fitted to at least one row of the group. Without groups, only the rows
/// that the tree was fitted to are set.
pub(crate) fn extend_seen_rows_to_groups<'s>(
    seen: &'s [Vec<u64>],
    data: &Dataset<'_>,
) -> Cow<'s, [Vec<u64>]> {
    let Some(codes) = data.dependence().groups() else { return Cow::Borrowed(seen) };
    let groups = RowGroups::new(codes.iter().copied());
    let of_tree = |seen: &Vec<u64>| {
        let mut inside: Vec<bool> =
            (0..data.n_rows()).map(|row| seen[row / 64] >> (row % 64) & 1 == 1).collect();
        groups.mark_whole_groups(&mut inside);
        let mut all = vec![0; seen.len()];
        (0..data.n_rows()).filter(|&row| inside[row]).for_each(|row| all[row / 64] |= 1 << (row % 64));
        all
    };
    Cow::Owned(seen.par_iter().map(of_tree).collect())
}

pub(crate) fn out_of_bag_votes(
    model: &ForestModel,
    seen: &[Vec<u64>],
    data: &Dataset<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let unseen = |tree: usize, row: usize| seen[tree][row / 64] >> (row % 64) & 1 == 0;
    let (mut sums, weights) = model.sum_tree_predictions(data.frame(), Some(&unseen), ctl)?;
    divide_by_weights(&mut sums, &weights);
    Ok(sums)
}

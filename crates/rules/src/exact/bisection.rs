//! Optimal sets of boxes for each weight of a negative row in a grid.
//!
//! The search for a weight starts from the results for the weights that were solved before.

use crate::exact::problem::{ScaledBox, ScaledRows};
use crate::exact::solve::{ExactSettings, ExactSolution, SearchWarmStart, solve_from_earlier_search};
use imbcore_core::{Error, Result, RunContext};

/// Finds an optimal set of boxes for each weight of a majority row, ordered as `weights`.
///
/// The value of a set of boxes is linear in the weight, so the largest value is convex in the weight. Linear
/// interpolation between the upper bounds of two weights is therefore an upper bound for every weight between
/// them. The smallest and the largest weight are solved first, then midpoints. Each search starts from all
/// boxes and sets of boxes found so far. The limits of `settings`, such as the time limit, apply to each
/// weight separately.
///
/// # Errors
/// Same errors as [`crate::exact::solve`], [`Error::Parameter`] for an empty grid, and [`Error::Cancelled`],
/// after which no results are returned.
pub fn solve_for_each_weight(
    rows: &ScaledRows<'_>,
    settings: &ExactSettings,
    weights: &[f64],
    starts: &[Vec<ScaledBox>],
    ctl: RunContext<'_>,
) -> Result<Vec<ExactSolution>> {
    if weights.is_empty() {
        return Err(Error::parameter("exact_boxes", "majority_weights", "at least one weight", "none"));
    }
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(a.cmp(&b)));
    let mut solved: Vec<Option<ExactSolution>> = vec![None; weights.len()];
    let mut drawings = starts.to_vec();
    let mut given = SearchWarmStart { bound: f64::INFINITY, pool: Vec::new() };
    for (done, place) in bisection_order(order.len()).into_iter().enumerate() {
        ctl.report_progress("weights", done as u64, weights.len() as u64);
        let weight = weights[order[place]];
        let mut settings = *settings;
        settings.goal.majority_weight = weight;
        let bound_at =
            |place: usize| solved[order[place]].as_ref().map(|exact| (weights[order[place]], exact.bound));
        let (left, right) =
            ((0..place).rev().find_map(bound_at), (place + 1..order.len()).find_map(bound_at));
        given.bound = match (left, right) {
            (Some((a, at_a)), Some((b, at_b))) if b > a => at_a + (at_b - at_a) * (weight - a) / (b - a),
            _ => f64::INFINITY,
        };
        // The search for a single weight does not report progress. After a cancellation, the results of all
        // weights are discarded.
        let exact =
            solve_from_earlier_search(rows, &settings, &drawings, &mut given, ctl.without_observer())?;
        ctl.check()?;
        drawings.push(exact.boxes.clone());
        solved[order[place]] = Some(exact);
    }
    solved
        .into_iter()
        .map(|exact| exact.ok_or_else(|| Error::Internal("a weight was left out".into())))
        .collect()
}

/// Order in which the weights are solved: first, last, then midpoints between solved weights.
///
/// All intervals of one round are divided at their midpoints before the intervals of the next round.
fn bisection_order(n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = if n > 1 { vec![0, n - 1] } else { vec![0] };
    let mut stretches = vec![(0, n - 1)];
    let mut next = 0;
    while next < stretches.len() {
        let (a, b) = stretches[next];
        next += 1;
        if b > a + 1 {
            let middle = usize::midpoint(a, b);
            order.push(middle);
            stretches.extend([(a, middle), (middle, b)]);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bisection_visits_each_index_once_and_ends_first() {
        for n in 1..40 {
            let order = bisection_order(n);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..n).collect::<Vec<_>>());
            assert_eq!(order[0], 0);
            assert!(n == 1 || order[1] == n - 1);
        }
    }
}

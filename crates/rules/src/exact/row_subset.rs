//! Heuristics that drop rows to make the problem smaller (Goh and Rudin 2014, section 6).
//!
//! The sets of boxes that a heuristic finds are evaluated on all rows. The bounds of a heuristic are valid
//! for all rows.

use crate::exact::problem::{BoxObjective, ScaledBox, ScaledRows, score_boxes};
use crate::exact::solve::{ExactSettings, ExactSolution, solve};
use imbcore_core::budget::{SearchStatus, StoppingLimits};
use imbcore_core::{Error, Result, RunContext};
use serde::{Deserialize, Serialize};

/// Heuristic that selects the rows used by the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowSelectionHeuristic {
    /// No heuristic: all rows are used.
    #[default]
    None,
    /// Uses all minority rows, and the majority rows near a minority row in at least one feature.
    ///
    /// Near means within a given distance.
    Neighborhood,
    /// Searches one box for each cluster of minority rows.
    ///
    /// Only rows within a given distance of the cluster center in every feature are used.
    Clusters,
}

struct RowSubset {
    columns: Vec<Vec<f64>>,
    positive: Vec<bool>,
    weights: Vec<f64>,
}

impl RowSubset {
    fn select_rows(rows: &ScaledRows<'_>, kept: &[usize]) -> Self {
        Self {
            columns: rows.columns().iter().map(|x| kept.iter().map(|&row| x[row]).collect()).collect(),
            positive: kept.iter().map(|&row| rows.positive_flags()[row]).collect(),
            weights: kept.iter().map(|&row| rows.weight(row)).collect(),
        }
    }

    fn scaled_rows(&self) -> Result<ScaledRows<'_>> {
        ScaledRows::new(&self.columns, &self.positive)?.with_weights(&self.weights)
    }
}

/// Finds the best set of boxes for the minority rows and nearby majority rows.
///
/// The bound counts the dropped rows as correctly classified, so it is valid for all rows.
///
/// # Errors
/// Same errors as [`solve`].
pub(crate) fn solve_neighborhood(
    rows: &ScaledRows<'_>,
    settings: &ExactSettings,
    radius: f64,
    starts: &[Vec<ScaledBox>],
    ctl: RunContext<'_>,
) -> Result<ExactSolution> {
    let minority = rows.rows_of_class(true);
    let mut near = vec![false; rows.n_rows()];
    for x in rows.columns() {
        ctl.check()?;
        let mut known: Vec<f64> = minority.iter().map(|&row| x[row]).collect();
        known.sort_by(f64::total_cmp);
        for (near, &x) in near.iter_mut().zip(x) {
            let above = known.partition_point(|&known| known < x);
            let neighbors = known[above.saturating_sub(1)..known.len().min(above + 1)].iter();
            *near |= neighbors.fold(f64::INFINITY, |d: f64, known| d.min((known - x).abs())) <= radius;
        }
    }
    let kept: Vec<usize> =
        (0..rows.n_rows()).filter(|&row| rows.positive_flags()[row] || near[row]).collect();
    let part = RowSubset::select_rows(rows, &kept);
    let exact = solve(&part.scaled_rows()?, settings, starts, ctl)?;
    let dropped = rows.total_class_weight(false) - part.scaled_rows()?.total_class_weight(false);
    let bound = exact.bound + settings.goal.majority_weight * dropped;
    Ok(rescore_on_all_rows(rows, &settings.goal, ExactSolution { bound, ..exact }))
}

/// Finds the best box for each cluster of minority rows.
///
/// `cluster` has one number per row, which is used for minority rows only.
///
/// # Errors
/// Same errors as [`solve`].
pub(crate) fn solve_each_cluster(
    rows: &ScaledRows<'_>,
    settings: &ExactSettings,
    radius: f64,
    (cluster, n_clusters): (&[u32], usize),
    ctl: RunContext<'_>,
) -> Result<ExactSolution> {
    let goal = BoxObjective { n_boxes: 1, ..settings.goal };
    let limits =
        StoppingLimits { seconds: settings.limits.seconds / n_clusters.max(1) as f64, ..settings.limits };
    let settings = ExactSettings { goal, limits, ..*settings };
    let minority = rows.rows_of_class(true);
    // This upper bound is trivial. It assumes that all rows are classified correctly, that boxes cost
    // nothing, and that every box has the largest width.
    let widest =
        goal.expand * n_clusters as f64 * rows.n_features() as f64 * (goal.max_bound - goal.min_bound);
    let mut all = ExactSolution {
        boxes: Vec::new(),
        score: score_boxes(rows, &goal, &[]),
        bound: rows.total_class_weight(true) + goal.majority_weight * rows.total_class_weight(false) + widest,
        status: SearchStatus::Optimal,
        seconds: 0.0,
        certificates: Vec::new(),
    };
    for number in 0..n_clusters as u32 {
        let members: Vec<usize> = minority.iter().copied().filter(|&row| cluster[row] == number).collect();
        let middle = |x: &Vec<f64>| members.iter().map(|&row| x[row]).sum::<f64>() / members.len() as f64;
        let center: Vec<f64> = rows.columns().iter().map(middle).collect();
        let near = |row: &usize| {
            rows.columns().iter().zip(&center).all(|(x, center)| (x[*row] - center).abs() <= radius)
        };
        let kept: Vec<usize> = (0..rows.n_rows()).filter(near).collect();
        let part = RowSubset::select_rows(rows, &kept);
        let exact = solve(&part.scaled_rows()?, &settings, &[], ctl)?;
        all.boxes.extend(exact.boxes);
        all.seconds += exact.seconds;
        if matches!(exact.status, SearchStatus::TimeLimit | SearchStatus::Interrupted) {
            all.status = exact.status;
        }
    }
    Ok(rescore_on_all_rows(rows, &settings.goal, all))
}

fn rescore_on_all_rows(rows: &ScaledRows<'_>, goal: &BoxObjective, exact: ExactSolution) -> ExactSolution {
    let score = score_boxes(rows, goal, &exact.boxes);
    let status = match exact.status {
        stopped @ (SearchStatus::TimeLimit | SearchStatus::Interrupted) => stopped,
        _ if exact.bound - score.objective < 1e-6 => SearchStatus::Optimal,
        _ => SearchStatus::Heuristic,
    };
    // There are no certificates, because the dual values hold for the selected rows only.
    ExactSolution {
        score,
        status,
        bound: exact.bound.max(score.objective),
        certificates: Vec::new(),
        ..exact
    }
}

/// Returns an error if a radius is outside its range.
///
/// # Errors
/// [`Error::Parameter`].
pub(crate) fn check_radius(method: &str, radius: f64) -> Result<()> {
    if radius.is_finite() && radius > 0.0 {
        return Ok(());
    }
    Err(Error::parameter(method, "radius", "a number above 0", radius))
}

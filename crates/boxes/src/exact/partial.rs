//! The heuristics by which Goh and Rudin 2014 (section 6) make the problem smaller. Each drops rows; what it finds is
//! valued on all rows, and what is claimed of the optimum holds for all rows.

use crate::exact::problem::{Goal, Rows, Walls, score};
use crate::exact::solve::{Exact, ExactSettings, solve};
use imbcore_base::budget::{Limits, Status};
use imbcore_base::{Error, Result, RunCtl};
use serde::{Deserialize, Serialize};

/// Which part of the rows is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Heuristic {
    /// All rows: no heuristic.
    #[default]
    None,
    /// Of the majority, the rows within a distance of some minority row in at least one feature.
    Neighbourhood,
    /// One box for each cluster of minority rows, from the rows within a distance of its centre in every feature.
    Clusters,
}

/// Some of the rows, as a problem of their own.
struct PartOfRows {
    columns: Vec<Vec<f64>>,
    positive: Vec<bool>,
    weights: Vec<f64>,
}

impl PartOfRows {
    fn of(rows: &Rows<'_>, kept: &[usize]) -> Self {
        Self {
            columns: rows.columns().iter().map(|x| kept.iter().map(|&row| x[row]).collect()).collect(),
            positive: kept.iter().map(|&row| rows.positive()[row]).collect(),
            weights: kept.iter().map(|&row| rows.weight(row)).collect(),
        }
    }

    fn rows(&self) -> Result<Rows<'_>> {
        Rows::new(&self.columns, &self.positive)?.weighted(&self.weights)
    }
}

/// The best drawing for the minority rows and the majority rows near to them.
///
/// A dropped row counts as right in the bound, which therefore bounds the drawings of all rows.
///
/// # Errors
/// As [`solve`].
pub(crate) fn neighbourhood(
    rows: &Rows<'_>,
    settings: &ExactSettings,
    radius: f64,
    starts: &[Vec<Walls>],
    ctl: RunCtl<'_>,
) -> Result<Exact> {
    let minority = rows.of_class(true);
    let mut near = vec![false; rows.n_rows()];
    for x in rows.columns() {
        ctl.check()?;
        let mut known: Vec<f64> = minority.iter().map(|&row| x[row]).collect();
        known.sort_by(f64::total_cmp);
        for (near, &x) in near.iter_mut().zip(x) {
            let above = known.partition_point(|&known| known < x);
            let beside = known[above.saturating_sub(1)..known.len().min(above + 1)].iter();
            *near |= beside.fold(f64::INFINITY, |d: f64, known| d.min((known - x).abs())) <= radius;
        }
    }
    let kept: Vec<usize> = (0..rows.n_rows()).filter(|&row| rows.positive()[row] || near[row]).collect();
    let part = PartOfRows::of(rows, &kept);
    let exact = solve(&part.rows()?, settings, starts, ctl)?;
    let dropped = rows.total(false) - part.rows()?.total(false);
    let bound = exact.bound + settings.goal.majority_weight * dropped;
    Ok(valued(rows, &settings.goal, Exact { bound, ..exact }))
}

/// The best box for each cluster; `cluster` holds one number a row, of use for minority rows only.
///
/// # Errors
/// As [`solve`].
pub(crate) fn clusters(
    rows: &Rows<'_>,
    settings: &ExactSettings,
    radius: f64,
    (cluster, n_clusters): (&[u32], usize),
    ctl: RunCtl<'_>,
) -> Result<Exact> {
    let goal = Goal { n_boxes: 1, ..settings.goal };
    let limits = Limits { seconds: settings.limits.seconds / n_clusters.max(1) as f64, ..settings.limits };
    let settings = ExactSettings { goal, limits, ..*settings };
    let minority = rows.of_class(true);
    // Every row right and no box paid for: of the optimum nothing else is known.
    let widest = goal.expand * n_clusters as f64 * rows.n_features() as f64 * (goal.high - goal.low);
    let mut all = Exact {
        boxes: Vec::new(),
        score: score(rows, &goal, &[]),
        bound: rows.total(true) + goal.majority_weight * rows.total(false) + widest,
        status: Status::Optimal,
        seconds: 0.0,
        certificates: Vec::new(),
    };
    for number in 0..n_clusters as u32 {
        let members: Vec<usize> = minority.iter().copied().filter(|&row| cluster[row] == number).collect();
        let middle = |x: &Vec<f64>| members.iter().map(|&row| x[row]).sum::<f64>() / members.len() as f64;
        let centre: Vec<f64> = rows.columns().iter().map(middle).collect();
        let near = |row: &usize| {
            rows.columns().iter().zip(&centre).all(|(x, centre)| (x[*row] - centre).abs() <= radius)
        };
        let kept: Vec<usize> = (0..rows.n_rows()).filter(near).collect();
        let part = PartOfRows::of(rows, &kept);
        let exact = solve(&part.rows()?, &settings, &[], ctl)?;
        all.boxes.extend(exact.boxes);
        all.seconds += exact.seconds;
        if matches!(exact.status, Status::TimeLimit | Status::Interrupted) {
            all.status = exact.status;
        }
    }
    Ok(valued(rows, &settings.goal, all))
}

/// The same drawing with its value on all rows, under a status that claims no more than is proven.
fn valued(rows: &Rows<'_>, goal: &Goal, exact: Exact) -> Exact {
    let score = score(rows, goal, &exact.boxes);
    let status = match exact.status {
        stopped @ (Status::TimeLimit | Status::Interrupted) => stopped,
        _ if exact.bound - score.objective < 1e-6 => Status::Optimal,
        _ => Status::Heuristic,
    };
    // Prices were found for a part of the rows.
    Exact { score, status, bound: exact.bound.max(score.objective), certificates: Vec::new(), ..exact }
}

/// Refuses a radius outside its domain.
///
/// # Errors
/// [`Error::Parameter`].
pub(crate) fn check_radius(method: &str, radius: f64) -> Result<()> {
    if radius.is_finite() && radius > 0.0 {
        return Ok(());
    }
    Err(Error::parameter(method, "radius", "a number above 0", radius))
}

//! Limits and the checks that stand between a solver's claim and a believed answer.

use crate::model::MipModel;
use crate::process::ask;
use crate::wire::Claim;
use imbcore_base::{Error, Result, RunCtl};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MipLimits {
    /// Seconds of wall clock, finite.
    pub seconds: f64,
    /// Absolute gap between bound and objective that counts as proven.
    pub gap: f64,
    /// How far a point may miss a bound, a row (relative to its largest part) or a whole number.
    pub tolerance: f64,
}

impl Default for MipLimits {
    /// Five minutes; a gap of 1e-7, a tolerance of 1e-6, ten times CBC's own.
    fn default() -> Self {
        Self { seconds: 300.0, gap: 1e-7, tolerance: 1e-6 }
    }
}

/// Why the solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MipStatus {
    /// The objective is within the gap of the bound.
    Optimal,
    /// No point keeps all rows.
    Infeasible,
    /// The wall clock ran out.
    TimeLimit,
}

/// A point that was checked against every bound, row and integrality condition.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPoint {
    /// One value a variable; whole where it has to be.
    pub x: Vec<f64>,
    /// The objective, recomputed from `x`.
    pub objective: f64,
}

/// What is known at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct MipOutcome {
    /// Why it ended.
    pub status: MipStatus,
    /// The best point, if any was found.
    pub found: Option<FoundPoint>,
    /// No point has a better objective than this, up to the solver's tolerances (1e-6 relative).
    pub bound: f64,
}

/// A year, less than the clock's arithmetic takes: the longest limit.
const YEAR: f64 = 3.15e7;

/// Solves `model`; `warm`, if feasible, is the answer unless the solver finds a better one.
///
/// CBC runs in a process of its own, which is ended at the limit, when the run is cancelled, and when this process ends;
/// several threads may solve at once. The time until it is ready counts. Where CBC falls over an assertion of its own, it is
/// asked once more, in a slower and safer way, for the time that is left.
///
/// # Errors
/// [`Error::Parameter`] for limits out of their domain, [`Error::Cancelled`], [`Error::Solver`] if no solver process can
/// be started or it dies, and [`Error::Internal`] if the solver gives an answer that breaks the model.
#[allow(clippy::disallowed_methods)]
pub fn solve(
    model: &MipModel,
    limits: &MipLimits,
    warm: Option<&[f64]>,
    ctl: RunCtl<'_>,
) -> Result<MipOutcome> {
    model.check()?;
    if !(limits.seconds.is_finite() && limits.seconds > 0.0) {
        return Err(Error::parameter("mip", "time_limit", "finite and above 0", limits.seconds));
    }
    if !(limits.gap.is_finite() && limits.gap >= 0.0) {
        return Err(Error::parameter("mip", "gap", "finite and at least 0", limits.gap));
    }
    let warm = warm.and_then(|x| checked(model, x, limits.tolerance));
    let bound = model.trivial_bound();
    let over = |found, bound| Ok(MipOutcome { status: MipStatus::TimeLimit, found, bound });
    let deadline = Instant::now() + Duration::from_secs_f64(limits.seconds.min(YEAR));
    match ask(model, deadline, limits.gap, ctl)? {
        None => over(warm, bound),
        Some(Claim::Nothing { bound: claimed }) => {
            over(warm, if model.sense.better(bound, claimed) { claimed } else { bound })
        }
        Some(Claim::Infeasible) if warm.is_none() => {
            Ok(MipOutcome { status: MipStatus::Infeasible, found: None, bound })
        }
        Some(Claim::Infeasible) => {
            Err(Error::Internal("the solver calls a model infeasible that has a feasible point".into()))
        }
        Some(Claim::Failed(why)) => Err(Error::Solver(format!("the solver gave up: {why}"))),
        Some(Claim::Point { x, finished, bound: claimed }) => {
            let bound = if model.sense.better(bound, claimed) { claimed } else { bound };
            let found = checked(model, &x, limits.tolerance);
            if finished && found.is_none() {
                return Err(Error::Internal("the solver's optimum breaks its own model".into()));
            }
            let best = better(model, warm, found);
            let Some(found) = best.as_ref().filter(|_| finished) else { return over(best, bound) };
            let bound = if model.sense.better(found.objective, bound) { found.objective } else { bound };
            Ok(MipOutcome { status: MipStatus::Optimal, found: best, bound })
        }
    }
}

fn checked(model: &MipModel, x: &[f64], tolerance: f64) -> Option<FoundPoint> {
    let x = model.feasible(x, tolerance)?;
    let objective = model.objective(&x);
    Some(FoundPoint { x, objective })
}

/// The better of two points, the first on ties.
fn better(model: &MipModel, old: Option<FoundPoint>, new: Option<FoundPoint>) -> Option<FoundPoint> {
    match (old, new) {
        (Some(old), Some(new)) if !model.sense.better(new.objective, old.objective) => Some(old),
        (old, None) => old,
        (_, new) => new,
    }
}

//! Entry point of the solver: limits, and the verification of its results.

use crate::model::MipModel;
use crate::solver_process::run_in_solver_process;
use crate::wire_format::SolverResponse;
use imbcore_core::{Error, Result, RunContext};
use std::time::{Duration, Instant};

/// Termination limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MipLimits {
    /// Wall-clock seconds, finite.
    pub seconds: f64,
    /// Maximum difference between objective and bound at which a solution counts as optimal.
    pub gap: f64,
    /// Tolerance for violated bounds and constraints, and for integer values.
    ///
    /// For a constraint whose largest absolute term exceeds 1, the tolerance is multiplied by this term.
    pub tolerance: f64,
}

impl Default for MipLimits {
    fn default() -> Self {
        Self { seconds: 300.0, gap: 1e-7, tolerance: 1e-6 }
    }
}

/// Reason why the solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MipStatus {
    /// The difference between objective and bound is at most the optimality gap.
    Optimal,
    /// No point satisfies all rows, bounds and integrality conditions.
    Infeasible,
    /// The time limit was reached.
    TimeLimit,
}

/// A point that was checked against every bound, row and integrality condition.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPoint {
    /// One value per variable; values of integer variables are exact integers.
    pub x: Vec<f64>,
    /// The objective, recomputed from `x`.
    pub objective: f64,
}

/// Result of a solve.
#[derive(Clone, Debug, PartialEq)]
pub struct MipOutcome {
    /// Reason why the solver stopped.
    pub status: MipStatus,
    /// The best point, if any was found.
    pub found: Option<FoundPoint>,
    /// Bound on the objective: no point is better, up to the tolerances of CBC (1e-6 relative).
    pub bound: f64,
}

/// Maximum time limit in seconds: one year, so that clock times do not overflow.
const YEAR: f64 = 3.15e7;

/// Solves `model`; a feasible `warm` point is returned unless the solver finds a better one.
///
/// CBC runs in a separate process, which ends at the time limit, on cancellation, and if the calling process
/// ends. Several threads may solve models concurrently. The time limit includes the start of the process. If
/// CBC aborts because of a failed assertion, it is run again for the remaining time with safer and slower
/// options.
///
/// # Errors
/// [`Error::Parameter`] for limits out of range, [`Error::Cancelled`], [`Error::Solver`] if no solver process
/// can be started, or if the process dies or fails. [`Error::Internal`] if a number of the model is not
/// finite, or if the solver's result contradicts the model.
#[allow(clippy::disallowed_methods)]
pub fn solve(
    model: &MipModel,
    limits: &MipLimits,
    warm: Option<&[f64]>,
    ctl: RunContext<'_>,
) -> Result<MipOutcome> {
    model.check()?;
    if !(limits.seconds.is_finite() && limits.seconds > 0.0) {
        return Err(Error::parameter("mip", "time_limit", "finite and above 0", limits.seconds));
    }
    if !(limits.gap.is_finite() && limits.gap >= 0.0) {
        return Err(Error::parameter("mip", "gap", "finite and at least 0", limits.gap));
    }
    let warm = warm.and_then(|x| round_to_feasible_point(model, x, limits.tolerance));
    let bound = model.objective_bound_without_rows();
    let over = |found, bound| Ok(MipOutcome { status: MipStatus::TimeLimit, found, bound });
    let deadline = Instant::now() + Duration::from_secs_f64(limits.seconds.min(YEAR));
    match run_in_solver_process(model, deadline, limits.gap, ctl)? {
        None => over(warm, bound),
        Some(SolverResponse::Nothing { bound: claimed }) => {
            over(warm, if model.sense.is_better(bound, claimed) { claimed } else { bound })
        }
        Some(SolverResponse::Infeasible) if warm.is_none() => {
            Ok(MipOutcome { status: MipStatus::Infeasible, found: None, bound })
        }
        Some(SolverResponse::Infeasible) => {
            Err(Error::Internal("the solver reports a model with a feasible point as infeasible".into()))
        }
        Some(SolverResponse::Failed(why)) => Err(Error::Solver(format!("the solver failed: {why}"))),
        Some(SolverResponse::Point { x, finished, bound: claimed }) => {
            let bound = if model.sense.is_better(bound, claimed) { claimed } else { bound };
            let found = round_to_feasible_point(model, &x, limits.tolerance);
            if finished && found.is_none() {
                return Err(Error::Internal("the solver's optimum violates the model".into()));
            }
            let best = better_point(model, warm, found);
            let Some(found) = best.as_ref().filter(|_| finished) else { return over(best, bound) };
            let bound = if model.sense.is_better(found.objective, bound) { found.objective } else { bound };
            Ok(MipOutcome { status: MipStatus::Optimal, found: best, bound })
        }
    }
}

fn round_to_feasible_point(model: &MipModel, x: &[f64], tolerance: f64) -> Option<FoundPoint> {
    let x = model.round_to_feasible(x, tolerance)?;
    let objective = model.objective(&x);
    Some(FoundPoint { x, objective })
}

fn better_point(model: &MipModel, old: Option<FoundPoint>, new: Option<FoundPoint>) -> Option<FoundPoint> {
    match (old, new) {
        (Some(old), Some(new)) if !model.sense.is_better(new.objective, old.objective) => Some(old),
        (old, None) => old,
        (_, new) => new,
    }
}

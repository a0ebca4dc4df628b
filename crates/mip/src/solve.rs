//! Limits, cancellation and the checks that stand between a solver's claim and a believed answer.

use crate::cbc::{Claim, call};
use crate::model::MipModel;
use imbcore_base::{Error, Result, RunCtl};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
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
pub struct Found {
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
    pub found: Option<Found>,
    /// No point has a better objective than this, up to the solver's tolerances (1e-6 relative).
    pub bound: f64,
}

/// Longest first run of the solver; each further one takes twice as long as the one before. A cancelled call
/// returns at once, and the solver, which cannot be interrupted, ends with its slice.
const FIRST_SLICE: f64 = 5.0;
/// How often the calling thread looks for a cancellation.
const POLL: Duration = Duration::from_millis(10);
/// Calls of the solver that have not ended, those whose callers have gone included.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Whether the solver runs somewhere in this process. CBC then has a handler of its own for the signal of Ctrl-C, and
/// whoever wants to hear of it has to install theirs again.
pub fn is_running() -> bool {
    CALLS.load(Ordering::Relaxed) > 0
}

/// Counts one call for as long as it lives.
struct Running;

impl Running {
    fn start() -> Self {
        CALLS.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Solves `model`; `warm`, if feasible, is the answer unless the solver finds a better one.
///
/// CBC runs in a thread of its own, in slices that double in length: it can be neither interrupted nor continued, so
/// that after a cancellation it ends with its slice while the caller goes on at once. A process runs one CBC at a time; time spent waiting for another call counts.
///
/// # Errors
/// [`Error::Parameter`] for limits out of their domain, [`Error::Cancelled`], and [`Error::Internal`] if the
/// solver gives an answer that breaks the model.
// The clock is a limit the caller asked for; it decides when the search ends, never what a found point is worth.
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
    let start = Instant::now();
    let mut best = warm.and_then(|x| checked(model, x, limits.tolerance));
    let mut bound = model.trivial_bound();
    let mut slice = FIRST_SLICE;
    let shared = Arc::new(model.clone());
    loop {
        let left = limits.seconds - start.elapsed().as_secs_f64();
        if left <= 0.0 {
            return Ok(MipOutcome { status: MipStatus::TimeLimit, found: best, bound });
        }
        let run = slice.min(left);
        let (sender, answers) = channel();
        let (task, gap) = (Arc::clone(&shared), limits.gap);
        // A send fails only if the caller has gone, and then nobody wants the answer.
        let (running, begun) = (Running::start(), Instant::now());
        std::thread::spawn(move || {
            let claim = call(&task, run, gap);
            drop(running);
            sender.send(claim)
        });
        let deadline = start + Duration::from_secs_f64(limits.seconds + 0.5);
        match listen(&answers, deadline, ctl)? {
            None => return Ok(MipOutcome { status: MipStatus::TimeLimit, found: best, bound }),
            // Out of time before its first linear program ended, CBC says this of feasible models too.
            Some(Claim::Infeasible) if begun.elapsed().as_secs_f64() >= run => {}
            Some(Claim::Infeasible) if best.is_none() => {
                return Ok(MipOutcome { status: MipStatus::Infeasible, found: None, bound });
            }
            Some(Claim::Infeasible) => {
                return Err(Error::Internal(
                    "the solver calls a model infeasible that has a feasible point".into(),
                ));
            }
            Some(Claim::Failed(why)) => return Err(Error::Internal(format!("CBC gave up: {why}"))),
            // Its own handler of Ctrl-C is what ends a run before its time.
            Some(Claim::Nothing | Claim::Point { finished: false, .. })
                if begun.elapsed().as_secs_f64() < 0.5 * run =>
            {
                return Err(Error::Cancelled);
            }
            Some(Claim::Nothing) => {}
            Some(Claim::Point { x, finished, bound: claimed }) => {
                if model.sense.better(bound, claimed) {
                    bound = claimed;
                }
                let found = checked(model, &x, limits.tolerance);
                if finished && found.is_none() {
                    return Err(Error::Internal("the solver's optimum breaks its own model".into()));
                }
                best = better(model, best, found);
                if let Some(found) = best.as_ref().filter(|_| finished) {
                    let bound =
                        if model.sense.better(found.objective, bound) { found.objective } else { bound };
                    return Ok(MipOutcome { status: MipStatus::Optimal, found: best, bound });
                }
            }
        }
        slice *= 2.0;
    }
}

/// The answer, or none at the deadline.
#[allow(clippy::disallowed_methods)]
fn listen(answers: &Receiver<Claim>, deadline: Instant, ctl: RunCtl<'_>) -> Result<Option<Claim>> {
    loop {
        ctl.check()?;
        match answers.recv_timeout(POLL) {
            Ok(claim) => return Ok(Some(claim)),
            Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Internal("the thread that ran the solver ended without an answer".into()));
            }
        }
    }
}

fn checked(model: &MipModel, x: &[f64], tolerance: f64) -> Option<Found> {
    let x = model.feasible(x, tolerance)?;
    let objective = model.objective(&x);
    Some(Found { x, objective })
}

/// The better of two points, the first on ties.
fn better(model: &MipModel, old: Option<Found>, new: Option<Found>) -> Option<Found> {
    match (old, new) {
        (Some(old), Some(new)) if !model.sense.better(new.objective, old.objective) => Some(old),
        (old, None) => old,
        (_, new) => new,
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use crate::model::Sense;
    use imbcore_base::{Observer, Progress};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// `sum w x = half of all w` over even numbers, asked for an odd half: infeasible, and hard to prove so.
    fn hopeless(n: u32) -> MipModel {
        let mut model = MipModel::new(Sense::Maximise);
        let entries: Vec<_> =
            (0..n).map(|i| (model.binary(1.0), f64::from(2 * (1000 + (i * 7919) % 997)))).collect();
        let half = (entries.iter().map(|(_, w)| w).sum::<f64>() / 4.0).floor() * 2.0 + 1.0;
        model.at_most(&entries, half);
        model.at_least(&entries, half);
        model
    }

    #[test]
    fn a_linear_program_has_its_optimum_as_bound() {
        let mut model = MipModel::new(Sense::Minimise);
        let (x, y) = (model.continuous(0.0, 5.0, 2.0), model.continuous(0.0, 5.0, 3.0));
        model.at_least(&[(x, 1.0), (y, 2.0)], 4.0);
        model.at_least(&[(x, 2.0), (y, 1.0)], 3.0);
        model.add_constant(1.0);
        let outcome = solve(&model, &MipLimits::default(), None, RunCtl::silent()).unwrap();
        assert_eq!(outcome.status, MipStatus::Optimal);
        // The rows meet in (2/3, 5/3).
        assert!((outcome.bound - (1.0 + 4.0 / 3.0 + 5.0)).abs() < 1e-9, "{}", outcome.bound);
        assert!((outcome.found.unwrap().objective - outcome.bound).abs() < 1e-9);
    }

    #[test]
    fn infeasible_is_said() {
        let mut model = MipModel::new(Sense::Maximise);
        let x = model.binary(1.0);
        model.at_least(&[(x, 2.0)], 3.0);
        let outcome = solve(&model, &MipLimits::default(), None, RunCtl::silent()).unwrap();
        assert_eq!((outcome.status, outcome.found), (MipStatus::Infeasible, None));
    }

    #[test]
    fn a_stop_by_time_is_no_solution_and_keeps_the_clock() {
        let start = std::time::Instant::now();
        let limits = MipLimits { seconds: 1.0, ..MipLimits::default() };
        let outcome = solve(&hopeless(60), &limits, None, RunCtl::silent()).unwrap();
        assert!(start.elapsed().as_secs_f64() < 3.0, "{:?}", start.elapsed());
        assert_eq!((outcome.status, outcome.found), (MipStatus::TimeLimit, None));
        assert!(outcome.bound.is_finite());
    }

    #[test]
    fn out_of_time_a_feasible_model_is_not_infeasible() {
        for seconds in [1e-3, 3e-3, 0.01, 0.02, 0.05] {
            let mut model = MipModel::new(Sense::Maximise);
            let cols: Vec<_> = (0..300).map(|_| model.binary(1.0)).collect();
            for at in 0..300 {
                let row: Vec<_> =
                    (0..40_u32).map(|i| (cols[(at + 7 * i as usize) % 300], f64::from(1 + i % 5))).collect();
                model.at_most(&row, 37.0);
            }
            let outcome =
                solve(&model, &MipLimits { seconds, ..MipLimits::default() }, None, RunCtl::silent());
            assert_ne!(outcome.unwrap().status, MipStatus::Infeasible, "{seconds}");
        }
    }

    #[test]
    fn a_warm_start_survives_the_time_limit() {
        let mut relaxed = MipModel::new(Sense::Maximise);
        let cols: Vec<_> = (0..60).map(|_| relaxed.binary(1.0)).collect();
        let weights: Vec<_> = cols.iter().map(|&col| (col, 3.0)).collect();
        relaxed.at_most(&weights, 100.0);
        let mut warm = vec![0.0; 60];
        warm[3] = 1.0;
        let outcome = solve(
            &relaxed,
            &MipLimits { seconds: 1e-3, gap: 0.0, ..MipLimits::default() },
            Some(&warm),
            RunCtl::silent(),
        );
        assert!(outcome.unwrap().found.unwrap().objective >= 1.0);
    }

    #[test]
    fn a_cancelled_call_returns_at_once() {
        struct Nobody;
        impl Observer for Nobody {
            fn progress(&self, _: Progress) {}
        }
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, Ordering::Relaxed);
            });
            let start = std::time::Instant::now();
            let outcome = solve(&hopeless(60), &MipLimits::default(), None, RunCtl::new(&Nobody, &stop));
            assert_eq!(outcome, Err(Error::Cancelled));
            assert!(start.elapsed() < Duration::from_millis(400), "{:?}", start.elapsed());
        });
    }

    #[test]
    fn limits_out_of_their_domain_are_refused() {
        let model = MipModel::new(Sense::Maximise);
        for limits in [
            MipLimits { seconds: f64::INFINITY, ..MipLimits::default() },
            MipLimits { gap: -1.0, ..MipLimits::default() },
        ] {
            assert!(matches!(solve(&model, &limits, None, RunCtl::silent()), Err(Error::Parameter { .. })));
        }
    }
}

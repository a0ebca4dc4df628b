//! Limits on the search for a proven optimum, and the reason why it ended.

use crate::error::{Error, Result};
use crate::run_context::RunContext;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limits at which a search stops before the proof is complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppingLimits {
    /// Maximum wall-clock time in seconds, finite.
    pub seconds: f64,
    /// Optimality gap (difference between bound and best value) at which the search stops.
    pub gap: f64,
    /// Maximum number of checks, about one per 0.1 ms of search; `None` for no limit.
    ///
    /// Checks are the calls of [`SearchBudget::check_limits`] and [`SearchBudget::check_cancelled`]. Unlike a
    /// time limit, this limit is reproducible on another machine.
    pub max_checks: Option<u64>,
}

impl StoppingLimits {
    /// Largest time limit: seconds in a year, for which the clock arithmetic cannot overflow.
    pub const LONGEST: f64 = 3.15e7;
}

impl Default for StoppingLimits {
    /// Five minutes, an optimality gap of 0, and no limit of checks.
    fn default() -> Self {
        Self { seconds: 300.0, gap: 0.0, max_checks: None }
    }
}

/// Reason why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchStatus {
    /// The optimum is proven.
    Optimal,
    /// The optimality gap is at most the requested gap.
    GapReached,
    /// The time limit was reached.
    TimeLimit,
    /// The run was cancelled, the limit of checks was reached, or the solver process died.
    Interrupted,
    /// A heuristic examined only a part of the search space; the bound is still valid.
    Heuristic,
    /// The search is complete, but rounding of costs or weights leaves an optimality gap.
    Rounded,
}

impl SearchStatus {
    /// Warns if the time limit ended the search.
    pub fn warn_of_time_limit(self, method: &str, ctl: RunContext<'_>) {
        if self == Self::TimeLimit {
            ctl.warn(format!(
                "{method}: the search stopped at time_limit before the model was proven optimal; a larger time_limit may find a \
                 better one, and status_ and gap_ describe the model found"
            ));
        }
    }
}

/// Clock and counters of a search with [`StoppingLimits`].
#[derive(Debug)]
pub struct SearchBudget<'a> {
    ctl: DebugRunContext<'a>,
    start: Instant,
    limits: StoppingLimits,
    n_checks: AtomicU64,
}

/// Wrapper that implements `Debug`, because [`RunContext`] does not implement it.
struct DebugRunContext<'a>(RunContext<'a>);

impl std::fmt::Debug for DebugRunContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RunContext")
    }
}

// The clock only enforces a limit set by the caller: it decides when the search ends, but never affects the
// value of a solution.
#[allow(clippy::disallowed_methods)]
impl<'a> SearchBudget<'a> {
    /// Starts the clock of a search by `method`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for limits out of their domain.
    pub fn start(method: &str, limits: StoppingLimits, ctl: RunContext<'a>) -> Result<Self> {
        if !(limits.seconds > 0.0 && limits.seconds <= StoppingLimits::LONGEST) {
            return Err(Error::parameter(method, "time_limit", "above 0 and at most a year", limits.seconds));
        }
        if !(limits.gap.is_finite() && limits.gap >= 0.0) {
            return Err(Error::parameter(method, "gap", "finite and at least 0", limits.gap));
        }
        Ok(Self { ctl: DebugRunContext(ctl), start: Instant::now(), limits, n_checks: AtomicU64::new(0) })
    }

    /// Checks the limits; every loop whose body may take a millisecond calls this.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once the search must end; [`Error::Memory`] after an allocation failed.
    pub fn check_limits(&self) -> Result<()> {
        self.ctl.0.check()?;
        let n_checks = self.n_checks.fetch_add(1, Ordering::Relaxed);
        if self.limits.max_checks.is_some_and(|max_checks| n_checks >= max_checks)
            || self.time_left().is_zero()
        {
            return Err(Error::Cancelled);
        }
        Ok(())
    }

    /// Checks only for cancellation.
    /// Work after the search uses this check, because the time limit does not apply to it.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the run was cancelled.
    pub fn check_cancelled(&self) -> Result<()> {
        self.n_checks.fetch_add(1, Ordering::Relaxed);
        self.ctl.0.check()
    }

    /// Number of past calls of [`Self::check_limits`] and [`Self::check_cancelled`].
    pub fn n_checks(&self) -> u64 {
        self.n_checks.load(Ordering::Relaxed)
    }

    /// Context of the run that is also cancelled when the time limit of the search is reached.
    ///
    /// Use it for work whose results are optional.
    pub fn run_context_until_limit(&self) -> RunContext<'a> {
        self.run_context_for_fraction(1.0)
    }

    /// Context of the run that is also cancelled after `fraction` of the remaining search time.
    pub fn run_context_for_fraction(&self, fraction: f64) -> RunContext<'a> {
        self.ctl.0.with_deadline(Instant::now().checked_add(self.time_left().mul_f64(fraction)))
    }

    /// Time left.
    pub fn time_left(&self) -> Duration {
        Duration::from_secs_f64(self.limits.seconds).saturating_sub(self.start.elapsed())
    }

    /// Seconds since the start.
    pub fn elapsed_seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Optimality gap (difference between bound and best value) at which the search stops.
    pub fn optimality_gap_limit(&self) -> f64 {
        self.limits.gap
    }

    /// Context of the run, through which the user can cancel the search.
    pub fn run_context(&self) -> RunContext<'a> {
        self.ctl.0
    }

    /// Returns the reason why the search or its solver stopped early.
    ///
    /// The time left is not considered, because a solver may stop shortly before the time limit.
    pub fn stop_reason(&self) -> SearchStatus {
        let n_checks = self.n_checks.load(Ordering::Relaxed);
        if self.ctl.0.check().is_err()
            || self.limits.max_checks.is_some_and(|max_checks| n_checks > max_checks)
        {
            SearchStatus::Interrupted
        } else {
            SearchStatus::TimeLimit
        }
    }
}

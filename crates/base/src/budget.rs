//! How long a search for a proven optimum may go on, and why it stopped.

use crate::error::{Error, Result};
use crate::run::RunCtl;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When to stop before the proof is complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Seconds of wall clock, finite.
    pub seconds: f64,
    /// A difference between bound and value that is good enough.
    pub gap: f64,
    /// Looks at the clock, about one a tenth of a millisecond of search: a limit that another machine repeats.
    pub looks: Option<u64>,
}

impl Limits {
    /// Seconds in a year, less than the arithmetic of the clock takes.
    pub const LONGEST: f64 = 3.15e7;
}

impl Default for Limits {
    /// Five minutes, no gap.
    fn default() -> Self {
        Self { seconds: 300.0, gap: 0.0, looks: None }
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing is better.
    Optimal,
    /// The bound is within the gap that was asked for.
    GapReached,
    /// The wall clock ran out.
    TimeLimit,
    /// The run was stopped from outside, its looks were used up, or its solver process died.
    Interrupted,
    /// A heuristic looked at a part of the possibilities only; the bound holds all the same.
    Heuristic,
    /// The search is complete, but costs or weights had to be rounded, and the rounding leaves a gap.
    Rounded,
}

/// The limits at work.
#[derive(Debug)]
pub struct Budget<'a> {
    ctl: RunCtlBox<'a>,
    start: Instant,
    limits: Limits,
    looked: AtomicU64,
}

/// `RunCtl` without its missing `Debug`.
struct RunCtlBox<'a>(RunCtl<'a>);

impl std::fmt::Debug for RunCtlBox<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RunCtl")
    }
}

// The clock is a limit the caller asked for; it decides when the search ends, never what a find is worth.
#[allow(clippy::disallowed_methods)]
impl<'a> Budget<'a> {
    /// Starts the clock of a search by `method`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for limits out of their domain.
    pub fn start(method: &str, limits: Limits, ctl: RunCtl<'a>) -> Result<Self> {
        if !(limits.seconds > 0.0 && limits.seconds <= Limits::LONGEST) {
            return Err(Error::parameter(method, "time_limit", "above 0 and at most a year", limits.seconds));
        }
        if !(limits.gap.is_finite() && limits.gap >= 0.0) {
            return Err(Error::parameter(method, "gap", "finite and at least 0", limits.gap));
        }
        Ok(Self { ctl: RunCtlBox(ctl), start: Instant::now(), limits, looked: AtomicU64::new(0) })
    }

    /// To be called in every loop whose body may take a millisecond.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once the search is to end, whatever the reason.
    pub fn check(&self) -> Result<()> {
        self.ctl.0.check()?;
        let looked = self.looked.fetch_add(1, Ordering::Relaxed);
        if self.limits.looks.is_some_and(|looks| looked >= looks) || self.left().is_zero() {
            return Err(Error::Cancelled);
        }
        Ok(())
    }

    /// The same for what is done with a search that is over: the clock does not end it, only somebody who stops the run.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once the run is to stop.
    pub fn stopped(&self) -> Result<()> {
        self.looked.fetch_add(1, Ordering::Relaxed);
        self.ctl.0.check()
    }

    /// Looks so far.
    pub fn looked(&self) -> u64 {
        self.looked.load(Ordering::Relaxed)
    }

    /// Time left.
    pub fn left(&self) -> Duration {
        Duration::from_secs_f64(self.limits.seconds).saturating_sub(self.start.elapsed())
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// The gap that is good enough.
    pub fn gap(&self) -> f64 {
        self.limits.gap
    }

    /// Who may cancel.
    pub fn ctl(&self) -> RunCtl<'a> {
        self.ctl.0
    }

    /// Why [`Self::check`] failed.
    pub fn reason(&self) -> Status {
        if self.ctl.0.check().is_ok() && self.left().is_zero() {
            Status::TimeLimit
        } else {
            Status::Interrupted
        }
    }
}

//! How long a search may go on, and why it stopped.

use imbcore_base::{Result, RunCtl};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// No graph is better.
    Optimal,
    /// No operation helps, or none has for long enough.
    NoImprovement,
    /// The operations were used up.
    MaxIters,
    /// The scores of families were used up.
    MaxScores,
    /// The memory for sets of variables was used up.
    MaxSets,
    /// The time was used up: the result need not repeat.
    TimeLimit,
    /// The user stopped it.
    Interrupted,
}

/// The limits of a search.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    pub(crate) ctl: RunCtl<'a>,
    end: Option<Instant>,
    most: Option<u32>,
}

// The caller asked for a time limit; without one the clock is never looked at.
#[allow(clippy::disallowed_methods)]
impl<'a> Clock<'a> {
    pub(crate) fn start(seconds: Option<f64>, most: Option<u32>, ctl: RunCtl<'a>) -> Self {
        let end = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs_f64(seconds)));
        Self { ctl, end, most }
    }

    /// The same limits, unwatched.
    pub(crate) fn quiet(self) -> Self {
        Self { ctl: self.ctl.quiet(), ..self }
    }

    /// The limits of the first of two searches: where one thread does both in turn, half of the time left.
    pub(crate) fn first_of_two(self) -> Self {
        let half = |end: Instant| Instant::now() + end.saturating_duration_since(Instant::now()) / 2;
        let end = if rayon::current_num_threads() == 1 { self.end.map(half) } else { self.end };
        Self { end, ..self }
    }

    /// Why a search that has a graph to give is to end, if it is.
    pub(crate) fn stopped(&self, iterations: u32) -> Option<StoppedBy> {
        self.over(iterations).unwrap_or(Some(StoppedBy::Interrupted))
    }

    /// Whether a search that has done `iterations` is to end.
    pub(crate) fn over(&self, iterations: u32) -> Result<Option<StoppedBy>> {
        self.ctl.check()?;
        self.ctl.tick("operations", u64::from(iterations), u64::from(self.most.unwrap_or(0)));
        if self.most.is_some_and(|most| iterations >= most) {
            return Ok(Some(StoppedBy::MaxIters));
        }
        let late = self.end.is_some_and(|end| Instant::now() >= end);
        Ok(late.then_some(StoppedBy::TimeLimit))
    }
}

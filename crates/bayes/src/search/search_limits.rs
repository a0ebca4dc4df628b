//! Limits of a search, and the reason why it stopped.

use imbcore_core::{Result, RunContext};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The graph is proven optimal.
    Optimal,
    /// No operation improves the score, or the last operations found no better graph.
    ///
    /// It is also the reason if all rounds of a search were completed.
    NoImprovement,
    /// The maximum number of steps of the search was reached.
    MaxIters,
    /// The maximum number of computed scores was reached.
    MaxScores,
    /// The maximum number of variable sets in memory was reached.
    MaxSets,
    /// The time limit was reached; the result may not be reproducible.
    TimeLimit,
    /// The user interrupted the search.
    Interrupted,
}

#[derive(Clone, Copy)]
pub(crate) struct SearchLimits<'a> {
    pub(crate) ctl: RunContext<'a>,
    end: Option<Instant>,
    most: Option<u32>,
}

// The clock is read only if a time limit is set.
#[allow(clippy::disallowed_methods)]
impl<'a> SearchLimits<'a> {
    pub(crate) fn start(seconds: Option<f64>, most: Option<u32>, ctl: RunContext<'a>) -> Self {
        let end = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs_f64(seconds)));
        Self { ctl, end, most }
    }

    pub(crate) fn without_progress_reports(self) -> Self {
        Self { ctl: self.ctl.without_observer(), ..self }
    }

    /// Limits of the first of two searches that may run in parallel.
    ///
    /// With only one thread, the second search runs after the first. The first search then gets half of the
    /// remaining time.
    pub(crate) fn for_first_of_two_searches(self) -> Self {
        let half = |end: Instant| Instant::now() + end.saturating_duration_since(Instant::now()) / 2;
        let end = if rayon::current_num_threads() == 1 { self.end.map(half) } else { self.end };
        Self { end, ..self }
    }

    /// Returns the reason to stop a search that already has a graph, if there is a reason.
    ///
    /// An interrupt by the user is a reason, not an error.
    pub(crate) fn stop_reason(&self, iterations: u32) -> Option<StopReason> {
        self.reached_limit(iterations).unwrap_or(Some(StopReason::Interrupted))
    }

    /// Returns the limit that a search has reached after `iterations` steps, if any.
    ///
    /// An interrupt by the user is an error.
    pub(crate) fn reached_limit(&self, iterations: u32) -> Result<Option<StopReason>> {
        self.ctl.check()?;
        self.ctl.report_progress("operations", u64::from(iterations), u64::from(self.most.unwrap_or(0)));
        if self.most.is_some_and(|most| iterations >= most) {
            return Ok(Some(StopReason::MaxIters));
        }
        let late = self.end.is_some_and(|end| Instant::now() >= end);
        Ok(late.then_some(StopReason::TimeLimit))
    }
}

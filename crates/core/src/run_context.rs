//! Progress, warnings and cancellation of long runs.

use crate::error::{Error, Result};
use crate::reserve;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Counted unit, in the plural: "rows", "folds", "trees".
    pub stage: &'static str,
    /// Number of finished units.
    pub done: u64,
    /// Total number of units.
    pub total: u64,
}

/// Receiver of progress, warnings and recoverable errors of a run.
pub trait Observer: Sync {
    /// Receives the progress of the run.
    /// Any worker thread may call this function, which must return immediately.
    fn progress(&self, progress: Progress);

    /// Receives a warning of one line for the user, for example about an uninformative column.
    /// Worker threads may call this function in any order, so a receiver that forwards warnings must sort
    /// them.
    fn warn(&self, _text: String) {}

    /// Receives an error after which the run still returns a result.
    /// The receiver must raise it together with the result. The default returns the error, and the run fails.
    fn receive_recoverable_error(&self, error: Error) -> Result<()> {
        Err(error)
    }
}

/// Context of a run: cancellation, progress and warnings.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    observer: Option<&'a dyn Observer>,
    stop: Option<&'a AtomicBool>,
    /// Time at which the run ends as if it were cancelled.
    deadline: Option<Instant>,
    /// Divisor that makes parallel tasks smaller than usual; above 1 only in tests.
    finer: usize,
    /// Number of releases of memory reserves before the run began.
    releases: usize,
}

impl<'a> RunContext<'a> {
    /// Creates the context of a run that reports to `observer` and ends soon after `stop` is set.
    pub fn new(observer: &'a dyn Observer, stop: &'a AtomicBool) -> Self {
        Self {
            observer: Some(observer),
            stop: Some(stop),
            deadline: None,
            finer: 1,
            releases: reserve::n_releases(),
        }
    }

    /// Creates the context of a run without observer or cancellation.
    pub fn silent() -> Self {
        Self { observer: None, stop: None, deadline: None, finer: 1, releases: reserve::n_releases() }
    }

    /// The same run without an observer.
    /// It is for inner runs whose progress and warnings are meaningless to the user.
    #[must_use]
    pub fn without_observer(self) -> Self {
        Self { observer: None, ..self }
    }

    /// The same run with another receiver of progress, warnings and recoverable errors.
    #[must_use]
    pub fn with_observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// The same run, which also ends soon after `deadline`.
    ///
    /// If the run already has an earlier deadline, the earlier deadline applies. Whether the run ends at its
    /// deadline depends on the speed of the machine, so callers discard the result of such a run.
    #[must_use]
    pub fn with_deadline(self, deadline: Option<Instant>) -> Self {
        Self { deadline: self.deadline.into_iter().chain(deadline).min(), ..self }
    }

    /// The same run, whose parallel tasks are smaller by the factor `times`.
    ///
    /// It lets tests with small tables run the parallel code.
    #[must_use]
    pub fn with_smaller_tasks(self, times: usize) -> Self {
        Self { finer: times.max(1), ..self }
    }

    /// Returns `usual`, the efficient size of a parallel task, or a smaller size in tests.
    ///
    /// Results must not depend on the size of the tasks.
    #[inline]
    pub fn task_size(self, usual: usize) -> usize {
        (usual / self.finer).max(1)
    }

    /// Checks for cancellation; every loop whose body may take a millisecond calls this.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the run was cancelled or its deadline has passed, [`Error::Memory`] after an
    /// allocation failed.
    #[inline]
    pub fn check(self) -> Result<()> {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if stopped || self.deadline.is_some_and(has_passed) {
            return Err(Error::Cancelled);
        }
        reserve::check_no_release_since(self.releases)
    }

    /// Checks for cancellation at every 65,536th step of a loop, for steps of a few nanoseconds.
    ///
    /// # Errors
    /// Same errors as [`Self::check`].
    #[inline]
    pub fn check_periodically(self, step: usize) -> Result<()> {
        if step.is_multiple_of(1 << 16) { self.check() } else { Ok(()) }
    }

    /// Reports progress to the observer.
    pub fn report_progress(self, stage: &'static str, done: u64, total: u64) {
        if let Some(observer) = self.observer {
            observer.progress(Progress { stage, done, total });
        }
    }

    /// Warns the user in one line, which states a problem in data or settings and its remedy.
    ///
    /// The Python bindings show equal texts of a run once, and drop the warnings of a run that fails.
    pub fn warn(self, text: impl Into<String>) {
        if let Some(observer) = self.observer {
            observer.warn(text.into());
        }
    }

    /// Reports an error after which the run still returns a useful result.
    ///
    /// # Errors
    /// Returns `error` itself if there is no observer that can raise it together with the result. Inner runs
    /// and silent runs have no observer.
    pub fn report_recoverable_error(self, error: Error) -> Result<()> {
        self.observer.map_or(Err(error.clone()), |observer| observer.receive_recoverable_error(error))
    }
}

// The lint forbids clocks because results must be reproducible. This clock only ends runs whose results are
// discarded.
#[allow(clippy::disallowed_methods)]
fn has_passed(deadline: Instant) -> bool {
    Instant::now() >= deadline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods)]
    fn a_passed_deadline_cancels() {
        let now = Instant::now();
        let later = now + std::time::Duration::from_secs(3600);
        let ctl = RunContext::silent();
        assert_eq!(ctl.with_deadline(Some(now)).check(), Err(Error::Cancelled));
        assert_eq!(ctl.with_deadline(Some(now)).without_observer().check(), Err(Error::Cancelled));
        assert_eq!(ctl.with_deadline(Some(now)).with_deadline(Some(later)).check(), Err(Error::Cancelled));
        assert_eq!(ctl.with_deadline(Some(later)).check(), Ok(()));
        assert_eq!(ctl.with_deadline(None).check(), Ok(()));
    }

    #[test]
    fn finer_runs_share_smaller_work() {
        assert_eq!(RunContext::silent().task_size(1000), 1000);
        let finer = RunContext::silent().with_smaller_tasks(300).without_observer();
        assert_eq!([finer.task_size(1000), finer.task_size(10)], [3, 1]);
    }

    #[test]
    fn a_set_stop_flag_cancels() {
        struct NoObserver;
        impl Observer for NoObserver {
            fn progress(&self, _: Progress) {}
        }
        let stop = AtomicBool::new(false);
        let ctl = RunContext::new(&NoObserver, &stop);
        assert_eq!(ctl.check(), Ok(()));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(ctl.check(), Err(Error::Cancelled));
        assert_eq!(ctl.without_observer().check(), Err(Error::Cancelled));
    }

    #[test]
    fn an_error_is_recoverable_only_with_an_observer_for_it() {
        struct Taker(std::sync::Mutex<Option<Error>>);
        impl Observer for Taker {
            fn progress(&self, _: Progress) {}
            fn receive_recoverable_error(&self, error: Error) -> Result<()> {
                *self.0.lock().unwrap() = Some(error);
                Ok(())
            }
        }
        struct NoObserver;
        impl Observer for NoObserver {
            fn progress(&self, _: Progress) {}
        }
        let (taker, stop) = (Taker(std::sync::Mutex::default()), AtomicBool::new(false));
        let dead = Error::Solver("dead".into());
        for ctl in [
            RunContext::silent(),
            RunContext::new(&NoObserver, &stop),
            RunContext::new(&taker, &stop).without_observer(),
        ] {
            assert_eq!(ctl.report_recoverable_error(dead.clone()), Err(dead.clone()));
        }
        assert_eq!(RunContext::new(&taker, &stop).report_recoverable_error(dead.clone()), Ok(()));
        assert_eq!(taker.0.into_inner().unwrap(), Some(dead));
    }

    #[test]
    fn warnings_of_inner_runs_are_dropped() {
        struct Collector(std::sync::Mutex<Vec<String>>);
        impl Observer for Collector {
            fn progress(&self, _: Progress) {}
            fn warn(&self, text: String) {
                self.0.lock().unwrap().push(text);
            }
        }
        let (collector, stop) = (Collector(std::sync::Mutex::default()), AtomicBool::new(false));
        let ctl = RunContext::new(&collector, &stop);
        ctl.warn("outer");
        ctl.without_observer().warn("inner");
        RunContext::silent().warn("unobserved");
        assert_eq!(collector.0.into_inner().unwrap(), ["outer"]);
    }
}

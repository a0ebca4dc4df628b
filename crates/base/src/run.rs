//! Progress and cancellation of long runs.

use crate::error::{Error, Result};
use crate::reserve;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is counted, in the plural: "rows", "folds", "trees".
    pub stage: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are in all.
    pub total: u64,
}

/// Whoever wants to know how far a run has come, what it remarks, and what it outlives; the only callback of the workspace.
pub trait Observer: Sync {
    /// Called from any worker thread; must return at once.
    fn progress(&self, progress: Progress);

    /// A remark of one line for the user, such as that a column says nothing; may come from any worker thread,
    /// so that whoever passes remarks on puts them in an order of its own.
    fn note(&self, _text: String) {}

    /// A failure that the run outlives, because it has something to give all the same: whoever takes it has to raise it
    /// beside the result. From whoever does not it comes back, and the run fails.
    fn outlived(&self, error: Error) -> Result<()> {
        Err(error)
    }
}

/// What a kernel needs to know of the outside: whether to stop, and whom to tell how far it is.
#[derive(Clone, Copy)]
pub struct RunCtl<'a> {
    observer: Option<&'a dyn Observer>,
    stop: Option<&'a AtomicBool>,
    /// How many times smaller pieces of work are than is worth it.
    finer: usize,
    /// Releases of memory reserves before the run began.
    releases: usize,
}

impl<'a> RunCtl<'a> {
    /// Control of a run that `observer` watches and that ends soon after `stop` is set.
    pub fn new(observer: &'a dyn Observer, stop: &'a AtomicBool) -> Self {
        Self { observer: Some(observer), stop: Some(stop), finer: 1, releases: reserve::releases() }
    }

    /// Control of a run that nobody watches or stops.
    pub fn silent() -> Self {
        Self { observer: None, stop: None, finer: 1, releases: reserve::releases() }
    }

    /// The same run, unwatched: for inner runs whose progress and remarks would mean nothing to a person.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { observer: None, ..self }
    }

    /// The same run, cut into pieces that are so many times smaller: the tables of tests are too small to be worth sharing
    /// between threads, and tests must come to where work is shared.
    #[must_use]
    pub fn finer(self, times: usize) -> Self {
        Self { finer: times.max(1), ..self }
    }

    /// Size of the pieces of work that threads share, or from which work is shared at all; `usual` is the size that is
    /// worth it. No result may depend on it.
    #[inline]
    pub fn grain(self, usual: usize) -> usize {
        (usual / self.finer).max(1)
    }

    /// To be called in every loop whose body may take a millisecond.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once the run is to stop, [`Error::Memory`] after an allocation failed.
    #[inline]
    pub fn check(self) -> Result<()> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Cancelled),
            _ => reserve::check(self.releases),
        }
    }

    /// The same in one of 65,536 steps of a loop, for steps of some nanoseconds.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once the run is to stop.
    #[inline]
    pub fn check_at(self, step: usize) -> Result<()> {
        if step.is_multiple_of(1 << 16) { self.check() } else { Ok(()) }
    }

    /// Tells the observer how far the run is.
    pub fn tick(self, stage: &'static str, done: u64, total: u64) {
        if let Some(observer) = self.observer {
            observer.progress(Progress { stage, done, total });
        }
    }

    /// Hands the user a warning: one line that says what is the matter with data or settings and what to do.
    ///
    /// Equal texts reach the user once; those of a run that fails are lost.
    pub fn note(self, text: impl Into<String>) {
        if let Some(observer) = self.observer {
            observer.note(text.into());
        }
    }

    /// To be called after a failure by a kernel that has a result of use nevertheless.
    ///
    /// # Errors
    /// The failure itself where nobody would raise it beside the result: in inner runs, and in runs that nobody watches.
    pub fn outlive(self, error: Error) -> Result<()> {
        self.observer.map_or(Err(error.clone()), |observer| observer.outlived(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finer_runs_share_smaller_work() {
        assert_eq!(RunCtl::silent().grain(1000), 1000);
        let finer = RunCtl::silent().finer(300).quiet();
        assert_eq!([finer.grain(1000), finer.grain(10)], [3, 1]);
    }

    #[test]
    fn a_set_stop_flag_cancels() {
        struct Nobody;
        impl Observer for Nobody {
            fn progress(&self, _: Progress) {}
        }
        let stop = AtomicBool::new(false);
        let ctl = RunCtl::new(&Nobody, &stop);
        assert_eq!(ctl.check(), Ok(()));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(ctl.check(), Err(Error::Cancelled));
        assert_eq!(ctl.quiet().check(), Err(Error::Cancelled));
    }

    #[test]
    fn a_failure_is_outlived_only_where_somebody_takes_it() {
        struct Taker(std::sync::Mutex<Option<Error>>);
        impl Observer for Taker {
            fn progress(&self, _: Progress) {}
            fn outlived(&self, error: Error) -> Result<()> {
                *self.0.lock().unwrap() = Some(error);
                Ok(())
            }
        }
        struct Nobody;
        impl Observer for Nobody {
            fn progress(&self, _: Progress) {}
        }
        let (taker, stop) = (Taker(std::sync::Mutex::default()), AtomicBool::new(false));
        let dead = Error::Solver("dead".into());
        for ctl in [RunCtl::silent(), RunCtl::new(&Nobody, &stop), RunCtl::new(&taker, &stop).quiet()] {
            assert_eq!(ctl.outlive(dead.clone()), Err(dead.clone()));
        }
        assert_eq!(RunCtl::new(&taker, &stop).outlive(dead.clone()), Ok(()));
        assert_eq!(taker.0.into_inner().unwrap(), Some(dead));
    }

    #[test]
    fn remarks_of_inner_runs_stay_inside() {
        struct Heard(std::sync::Mutex<Vec<String>>);
        impl Observer for Heard {
            fn progress(&self, _: Progress) {}
            fn note(&self, text: String) {
                self.0.lock().unwrap().push(text);
            }
        }
        let (heard, stop) = (Heard(std::sync::Mutex::default()), AtomicBool::new(false));
        let ctl = RunCtl::new(&heard, &stop);
        ctl.note("outer");
        ctl.quiet().note("inner");
        RunCtl::silent().note("nobody's");
        assert_eq!(heard.0.into_inner().unwrap(), ["outer"]);
    }
}

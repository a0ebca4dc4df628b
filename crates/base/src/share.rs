//! Sharing tasks between the threads of the pool that the caller is in; in none, the caller does them all.
//!
//! Rayon by itself would start a pool of the whole process for such a caller. A forked child inherits that pool without its
//! threads and waits for ever, and it knows nothing of `n_threads`. Whatever a caller may ask of a model (to load it, to
//! answer a few rows) therefore goes through here; fits always run in a pool and may use rayon as it is.

use crate::error::Result;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Pieces that the tasks are cut into for each thread, so that one with long tasks can be helped.
const PIECES: usize = 16;

/// Tasks that are laid out at a time: a user's number of them may be larger than memory, and ends in an error or a stop of the first.
const LOT: usize = 1 << 14;

/// Number of threads that tasks of the caller are shared between.
pub fn n_threads() -> usize {
    if alone() { 1 } else { rayon::current_num_threads() }
}

/// Results of all tasks, in their order.
pub fn map<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    if alone() {
        return tasks.into_iter().map(work).collect();
    }
    let (mut tasks, mut results) = (tasks.into_iter(), Vec::new());
    loop {
        let cells: Vec<Cell<T, R>> = tasks.by_ref().take(LOT).map(Cell::new).collect();
        if cells.is_empty() {
            return results;
        }
        each(cells.len(), &|at| cells[at].work(&work));
        results.extend(cells.into_iter().filter_map(Cell::result));
    }
}

/// The same for work that can fail: then with the error of the first task, in their order, that failed, whichever thread
/// was the quickest.
pub fn try_map<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R> + Send + Sync,
) -> Result<Vec<R>> {
    try_map_with(tasks, || (), |(), task| work(task))
}

/// The same with scratch space that tasks leave to later ones.
pub fn try_map_with<S: Send, T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    fresh: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, T) -> Result<R> + Send + Sync,
) -> Result<Vec<R>> {
    if alone() {
        let mut scratch = fresh();
        return tasks.into_iter().map(|task| work(&mut scratch, task)).collect();
    }
    let failed = AtomicUsize::new(usize::MAX);
    let goes_on = |(at, _): &(usize, T)| *at < failed.load(Ordering::Relaxed);
    let spaces: Vec<Mutex<Option<S>>> = (0..rayon::current_num_threads()).map(|_| Mutex::new(None)).collect();
    // A task before one that failed may still fail, so it is done; those after it are left.
    let one = |(at, task)| {
        if at > failed.load(Ordering::Relaxed) {
            return None;
        }
        // A thread that waits for a part of its task may do another meanwhile, with another space.
        let space = rayon::current_thread_index().and_then(|thread| spaces.get(thread));
        let mut scratch = space.and_then(taken).unwrap_or_else(&fresh);
        let done = work(&mut scratch, task);
        if let Some(space) = space {
            put(space, scratch);
        }
        if done.is_err() {
            failed.fetch_min(at, Ordering::Relaxed);
        }
        Some(done)
    };
    map(tasks.into_iter().enumerate().take_while(goes_on), one).into_iter().flatten().collect()
}

/// Does work by number. Rayon is compiled around every kind of work that it is given, so that all is given to it as one.
fn each(n: usize, work: &(dyn Fn(usize) + Sync)) {
    let piece = n.div_ceil(PIECES * rayon::current_num_threads()).max(1);
    (0..n).into_par_iter().with_max_len(piece).for_each(work);
}

/// A task, and later its result.
struct Cell<T, R> {
    task: Mutex<Option<T>>,
    result: Mutex<Option<R>>,
}

impl<T, R> Cell<T, R> {
    fn new(task: T) -> Self {
        Self { task: Mutex::new(Some(task)), result: Mutex::new(None) }
    }

    fn work(&self, work: impl Fn(T) -> R) {
        if let Some(task) = taken(&self.task) {
            put(&self.result, work(task));
        }
    }

    /// There is one, since a panic of the work goes on.
    fn result(self) -> Option<R> {
        self.result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn taken<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn put<T>(place: &Mutex<Option<T>>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
}

fn alone() -> bool {
    rayon::current_thread_index().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::collections::BTreeSet;
    use std::thread::{ThreadId, current};

    fn threads() -> BTreeSet<String> {
        let name = |id: ThreadId| format!("{id:?}");
        map(0..64, |_| name(current().id())).into_iter().collect()
    }

    #[test]
    fn outside_a_pool_the_caller_does_everything() {
        assert_eq!(threads(), BTreeSet::from([format!("{:?}", current().id())]));
    }

    #[test]
    fn inside_a_pool_its_threads_do() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        assert!(!pool.install(threads).contains(&format!("{:?}", current().id())));
    }

    #[test]
    fn results_come_in_order_and_errors_come_out() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let checked = |n: i32| if n < 500 { Ok(2 * n) } else { Err(Error::Cancelled) };
        let all = || (try_map(0..500, checked), try_map(0..501, checked));
        let expected = (Ok((0..500).map(|n| 2 * n).collect::<Vec<_>>()), Err(Error::Cancelled));
        assert_eq!(all(), expected);
        assert_eq!(pool.install(all), expected);
    }

    #[test]
    fn more_tasks_than_memory_holds_end_with_the_first_that_fails() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let last = LOT + 7;
        let work =
            |task: usize| if task < last { Ok(task) } else { Err(Error::Data(format!("task {task}"))) };
        assert_eq!(pool.install(|| try_map(0..usize::MAX, work)), Err(Error::Data(format!("task {last}"))));
        assert_eq!(pool.install(|| try_map(0..last, work)), Ok((0..last).collect()));
    }

    #[test]
    fn the_error_is_that_of_the_first_task_though_a_later_one_fails_sooner() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let both = std::sync::Barrier::new(2);
        let work = |task: u32| {
            both.wait();
            // The second has failed by the time that the first ends.
            std::thread::sleep(std::time::Duration::from_millis(if task == 0 { 50 } else { 0 }));
            Err::<(), _>(Error::Data(format!("task {task}")))
        };
        assert_eq!(pool.install(|| try_map(0..2, work)), Err(Error::Data("task 0".into())));
    }

    #[test]
    fn a_task_that_shares_its_own_work_has_its_space_to_itself() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let work = |space: &mut Vec<u64>, task: u64| {
            space.clear();
            space.push(task);
            // Whoever waits for these may take another task meanwhile.
            let parts = map(0..50_u64, |part| (0..200).fold(part, |sum, step| sum ^ (sum << 1) ^ step));
            space.push(parts.len() as u64);
            Ok(space.clone())
        };
        let expected: Vec<Vec<u64>> = (0..200).map(|task| vec![task, 50]).collect();
        assert_eq!(pool.install(|| try_map_with(0..200, Vec::new, work)), Ok(expected));
    }
}

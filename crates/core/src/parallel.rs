//! Parallel maps over the threads of the thread pool in which the caller runs.
//! Outside a pool, the caller does all the work.
//!
//! Outside a pool, rayon would start a global pool, which ignores `n_threads`. A forked child inherits that
//! pool without its threads and deadlocks. All operations on models (loading, predicting a few rows)
//! therefore use these functions. Fits always run in a pool and may use rayon directly.

use crate::error::Result;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of tasks per thread into which work is split.
/// Idle threads can then take over long tasks.
const TASKS_PER_THREAD: usize = 16;

/// Number of tasks that are created at a time.
///
/// The user may request more tasks than fit into memory. An early task then fails or is cancelled before the
/// later tasks are created.
const TASKS_AT_A_TIME: usize = 1 << 14;

/// Number of threads available to the caller.
pub fn n_threads() -> usize {
    if is_outside_pool() { 1 } else { rayon::current_num_threads() }
}

/// Returns the results of all tasks, in order.
pub fn map<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    if is_outside_pool() {
        return tasks.into_iter().map(work).collect();
    }
    let (mut tasks, mut results) = (tasks.into_iter(), Vec::new());
    loop {
        let cells: Vec<TaskCell<T, R>> = tasks.by_ref().take(TASKS_AT_A_TIME).map(TaskCell::new).collect();
        if cells.is_empty() {
            return results;
        }
        for_each_index(cells.len(), &|at| cells[at].run_task(&work));
        results.extend(cells.into_iter().filter_map(TaskCell::result));
    }
}

/// Like [`map`], but for work that can fail.
/// Returns the error of the first failed task in task order, independent of timing.
pub fn try_map<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R> + Send + Sync,
) -> Result<Vec<R>> {
    try_map_with(tasks, || (), |(), task| work(task))
}

/// Like [`try_map`], but `work` also gets a buffer, which later tasks may reuse.
///
/// `fresh` creates a buffer.
pub fn try_map_with<S: Send, T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    fresh: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, T) -> Result<R> + Send + Sync,
) -> Result<Vec<R>> {
    if is_outside_pool() {
        let mut scratch = fresh();
        return tasks.into_iter().map(|task| work(&mut scratch, task)).collect();
    }
    let failed = AtomicUsize::new(usize::MAX);
    let goes_on = |(at, _): &(usize, T)| *at < failed.load(Ordering::Relaxed);
    let spaces: Vec<Mutex<Option<S>>> = (0..rayon::current_num_threads()).map(|_| Mutex::new(None)).collect();
    // A task before the failed task is still run, because it may also fail and its error is then returned.
    // Later tasks are skipped.
    let one = |(at, task)| {
        if at > failed.load(Ordering::Relaxed) {
            return None;
        }
        // A thread that waits for a part of its task may run another task meanwhile. The other task then
        // needs its own buffers.
        let space = rayon::current_thread_index().and_then(|thread| spaces.get(thread));
        let mut scratch = space.and_then(take_result).unwrap_or_else(&fresh);
        let done = work(&mut scratch, task);
        if let Some(space) = space {
            store_result(space, scratch);
        }
        if done.is_err() {
            failed.fetch_min(at, Ordering::Relaxed);
        }
        Some(done)
    };
    map(tasks.into_iter().enumerate().take_while(goes_on), one).into_iter().flatten().collect()
}

/// `work` is a trait object, so that rayon's code is compiled only once.
fn for_each_index(n: usize, work: &(dyn Fn(usize) + Sync)) {
    let piece = n.div_ceil(TASKS_PER_THREAD * rayon::current_num_threads()).max(1);
    (0..n).into_par_iter().with_max_len(piece).for_each(work);
}

struct TaskCell<T, R> {
    task: Mutex<Option<T>>,
    result: Mutex<Option<R>>,
}

impl<T, R> TaskCell<T, R> {
    fn new(task: T) -> Self {
        Self { task: Mutex::new(Some(task)), result: Mutex::new(None) }
    }

    fn run_task(&self, work: impl Fn(T) -> R) {
        if let Some(task) = take_result(&self.task) {
            store_result(&self.result, work(task));
        }
    }

    /// `None` if the task has not run, which happens only after a panic in another task.
    fn result(self) -> Option<R> {
        self.result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn take_result<T>(place: &Mutex<Option<T>>) -> Option<T> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn store_result<T>(place: &Mutex<Option<T>>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
}

fn is_outside_pool() -> bool {
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
    fn outside_a_pool_the_caller_does_all_work() {
        assert_eq!(threads(), BTreeSet::from([format!("{:?}", current().id())]));
    }

    #[test]
    fn inside_a_pool_its_threads_do_the_work() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        assert!(!pool.install(threads).contains(&format!("{:?}", current().id())));
    }

    #[test]
    fn results_are_ordered_and_errors_are_returned() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let checked = |n: i32| if n < 500 { Ok(2 * n) } else { Err(Error::Cancelled) };
        let all = || (try_map(0..500, checked), try_map(0..501, checked));
        let expected = (Ok((0..500).map(|n| 2 * n).collect::<Vec<_>>()), Err(Error::Cancelled));
        assert_eq!(all(), expected);
        assert_eq!(pool.install(all), expected);
    }

    #[test]
    fn more_tasks_than_fit_in_memory_end_with_the_first_error() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let last = TASKS_AT_A_TIME + 7;
        let work =
            |task: usize| if task < last { Ok(task) } else { Err(Error::Data(format!("task {task}"))) };
        assert_eq!(pool.install(|| try_map(0..usize::MAX, work)), Err(Error::Data(format!("task {last}"))));
        assert_eq!(pool.install(|| try_map(0..last, work)), Ok((0..last).collect()));
    }

    #[test]
    fn the_error_of_the_first_task_wins_even_if_a_later_one_fails_sooner() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let both = std::sync::Barrier::new(2);
        let work = |task: u32| {
            both.wait();
            // The first task sleeps, so that the second task fails before it.
            std::thread::sleep(std::time::Duration::from_millis(if task == 0 { 50 } else { 0 }));
            Err::<(), _>(Error::Data(format!("task {task}")))
        };
        assert_eq!(pool.install(|| try_map(0..2, work)), Err(Error::Data("task 0".into())));
    }

    #[test]
    fn a_nested_parallel_task_has_exclusive_scratch_space() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let work = |space: &mut Vec<u64>, task: u64| {
            space.clear();
            space.push(task);
            // A thread that waits for the inner tasks of `map` may run another outer task meanwhile.
            let parts = map(0..50_u64, |part| (0..200).fold(part, |sum, step| sum ^ (sum << 1) ^ step));
            space.push(parts.len() as u64);
            Ok(space.clone())
        };
        let expected: Vec<Vec<u64>> = (0..200).map(|task| vec![task, 50]).collect();
        assert_eq!(pool.install(|| try_map_with(0..200, Vec::new, work)), Ok(expected));
    }
}

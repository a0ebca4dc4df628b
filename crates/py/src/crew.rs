//! Threads to compute with: every running call has a pool of its own.
//!
//! Calls that shared a pool would wait behind each other's work, so that one thread's fit held up another thread's
//! answer; between pools, the system shares the cores.

use imbcore_base::memory::room_for;
use imbcore_base::{Error, Result};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// Pools that wait for the next calls; those that waited longest are dropped.
const KEPT: usize = 8;

/// Pools that no call uses.
struct Idle {
    /// The process whose threads they are.
    process: u32,
    pools: Vec<ThreadPool>,
}

/// The idle pools of this process.
///
/// Whoever forks in Python holds the interpreter's lock, and so does whoever is here: no child finds the list locked.
fn idle(_: Python<'_>) -> MutexGuard<'static, Idle> {
    static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, pools: Vec::new() });
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if idle.process != process {
        // A forked child has none of the threads of its parent: it may neither use nor end their pools.
        mem::forget(mem::replace(&mut *idle, Idle { process, pools: Vec::new() }));
    }
    idle
}

/// Runs `work` without the interpreter lock, with a pool of `n_threads` threads for this call alone.
pub(crate) fn with_pool<T: Send>(
    py: Python<'_>,
    n_threads: usize,
    work: impl FnOnce(&ThreadPool) -> T + Send,
) -> Result<T> {
    let kept = {
        let mut idle = idle(py);
        let fits = |pool: &ThreadPool| pool.current_num_threads() == n_threads;
        idle.pools.iter().rposition(fits).map(|place| idle.pools.remove(place))
    };
    let (pool, outcome) = py.detach(|| {
        let pool = kept.map_or_else(|| build(n_threads), Ok)?;
        let outcome = work(&pool);
        Ok((pool, outcome))
    })?;
    let mut idle = idle(py);
    idle.pools.push(pool);
    let surplus = (idle.pools.len() > KEPT).then(|| idle.pools.remove(0));
    drop(idle);
    drop(surplus);
    Ok(outcome)
}

/// Size of the stack of a thread: that of the standard library.
const STACK: usize = 2 << 20;

fn build(n_threads: usize) -> Result<ThreadPool> {
    let short = AtomicBool::new(false);
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).spawn_handler(|thread| {
        let builder = Builder::new().name(format!("imbcore-{}", thread.index())).stack_size(STACK);
        let spawned = builder.spawn(|| thread.run());
        // The system reports a lack of memory and a lack of threads alike.
        short.fetch_or(spawned.is_err() && room_for::<u8>(2 * STACK, "a thread").is_err(), Ordering::Relaxed);
        spawned.map(drop)
    });
    pool.build().map_err(|error| {
        if short.into_inner() {
            return Error::Memory { bytes: n_threads.saturating_mul(STACK), what: "the stacks of threads" };
        }
        Error::Unsupported(format!(
            "the system refused {n_threads} threads: {error}; ask for fewer with n_threads"
        ))
    })
}

/// Makes rayon's pool of the whole process impossible: whatever reaches it panics, and so is an `InternalError` in the
/// first test that passes there.
///
/// That pool starts by itself under parallel code that runs in no pool, does not know `n_threads`, and makes a child
/// that was forked later wait for ever.
pub(crate) fn forbid_the_global_pool() {
    let refuse = |_| Err(std::io::Error::other("imbcore has no pool of the whole process"));
    drop(ThreadPoolBuilder::new().num_threads(1).spawn_handler(refuse).build_global());
}

//! Thread pools: calls that run at the same time use different pools.
//!
//! If two calls used the same pool, each would wait for the work of the other. A fit in one Python thread
//! would then delay a prediction in another thread. The operating system divides the cores among the pools.

use imbcore_core::memory::check_address_space;
use imbcore_core::{Error, Result};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::hint::black_box;
use std::mem;
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// Maximum number of idle pools; if there are more, the pool that is idle longest is dropped.
const KEPT: usize = 8;

struct IdlePools {
    /// Identifier of the process that owns the threads.
    process: u32,
    pools: Vec<ThreadPool>,
}

/// Locks the idle pools of this process.
///
/// Python holds the GIL during `fork()`, and so does the caller of this function. So a child process never
/// inherits a locked list.
fn lock_idle_pools(_: Python<'_>) -> MutexGuard<'static, IdlePools> {
    static IDLE: Mutex<IdlePools> = Mutex::new(IdlePools { process: 0, pools: Vec::new() });
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if idle.process != process {
        // This process is a forked child, which has none of the threads of its parent. It must neither use
        // nor drop the parent's pools.
        mem::forget(mem::replace(&mut *idle, IdlePools { process, pools: Vec::new() }));
    }
    idle
}

/// Runs `work` without the interpreter lock, with a pool of `n_threads` threads.
///
/// No other call uses the pool at the same time. Afterward the pool is kept for later calls.
pub(crate) fn with_pool<T: Send>(
    py: Python<'_>,
    n_threads: usize,
    work: impl FnOnce(&ThreadPool) -> T + Send,
) -> Result<T> {
    let kept = {
        let mut idle = lock_idle_pools(py);
        let fits = |pool: &ThreadPool| pool.current_num_threads() == n_threads;
        idle.pools.iter().rposition(fits).map(|place| idle.pools.remove(place))
    };
    let (pool, outcome) = py.detach(|| {
        let pool = kept.map_or_else(|| build_pool(n_threads), Ok)?;
        let outcome = work(&pool);
        Ok((pool, outcome))
    })?;
    let mut idle = lock_idle_pools(py);
    idle.pools.push(pool);
    let surplus = (idle.pools.len() > KEPT).then(|| idle.pools.remove(0));
    drop(idle);
    drop(surplus);
    Ok(outcome)
}

/// Stack size of a thread in bytes, the default of the standard library.
const STACK: usize = 2 << 20;

/// Address space in bytes that a pool needs in addition to the stacks of its threads.
///
/// It is for thread-local data and the allocation arena of a new thread.
const BESIDE_STACKS: usize = 1 << 20;

/// Builds a thread pool, one thread after another.
///
/// Address space is checked first, because glibc ends the process if a new thread has no memory for
/// thread-local data. glibc reserves twice the size of an allocation arena while it creates the arena. So no
/// other thread is started at this time: its allocations might fail although there is enough memory.
fn build_pool(n_threads: usize) -> Result<ThreadPool> {
    let bytes = n_threads.saturating_mul(STACK).saturating_add(BESIDE_STACKS);
    check_address_space(bytes, "the stacks of threads")?;
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).spawn_handler(|thread| {
        let builder = Builder::new().name(format!("imbcore-{}", thread.index())).stack_size(STACK);
        let (started, starting) = sync_channel(1);
        builder.spawn(move || {
            // This first allocation of the thread creates its arena.
            drop(started.send(black_box(Box::new(0_u8))));
            thread.run();
        })?;
        starting.recv().map(drop).map_err(std::io::Error::other)
    });
    let refused = |error: ThreadPoolBuildError| {
        Error::Unsupported(format!(
            "the system could not start {n_threads} threads: {error}; lower n_threads"
        ))
    };
    pool.build().map_err(refused)
}

/// Disables rayon's global pool: any use of it panics.
///
/// Parallel code outside of a pool would start the global pool implicitly. This pool ignores `n_threads`, and
/// a child process that is forked later would wait for it forever. Tests detect the panic as an
/// `InternalError`.
pub(crate) fn disable_global_pool() {
    let refuse = |_| Err(std::io::Error::other("imbcore does not use the global thread pool"));
    drop(ThreadPoolBuilder::new().num_threads(1).spawn_handler(refuse).build_global());
}

//! The border between Python and Rust: one long road, one short road, one table of errors.
//!
//! Python delivers signals to its main thread only, and a kernel must not sit on it: a long call runs on a
//! thread of its own while the calling thread passes progress on and looks for signals.

use imbcore_base::{Error, Observer, Progress, Result, RunCtl};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between two looks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

mod exceptions {
    use pyo3::import_exception;

    import_exception!(imbcore.exceptions, ParameterError);
    import_exception!(imbcore.exceptions, DataError);
    import_exception!(imbcore.exceptions, UnsupportedError);
    import_exception!(imbcore.exceptions, ModelFormatError);
    import_exception!(imbcore.exceptions, SolverError);
    import_exception!(imbcore.exceptions, InternalError);
}

/// Runs a kernel that may take long: without the interpreter lock, stoppable by Ctrl-C or by an exception from
/// `callback(stage, done, total)`.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    n_threads: usize,
    kernel: impl FnOnce(RunCtl<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    match run_keeping(py, callback, n_threads, kernel)? {
        (value, None) => Ok(value),
        (_, Some(stopped)) => Err(stopped),
    }
}

/// The same for kernels that may give a result although they were stopped or met a failure: then with the exception,
/// which the caller has to raise.
pub(crate) fn run_keeping<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    n_threads: usize,
    kernel: impl FnOnce(RunCtl<'_>) -> Result<T> + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (notes, outlived) = (Notes::default(), Mutex::new(None));
    let kept = py.detach(|| {
        let pool = pool(n_threads).map_err(to_python)?;
        let stop = AtomicBool::new(false);
        let (outbox, inbox) = sync_channel(16);
        let (notes, outlived) = (&notes, &outlived);
        thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || {
                let mailbox = Mailbox { outbox, notes, outlived };
                guarded(|| pool.install(|| kernel(RunCtl::new(&mailbox, stop))))
            });
            let heard = listen(&inbox, callback.as_ref());
            if heard.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            let outcome = worker.join().unwrap_or_else(|panic| Err(Error::Internal(panic_text(&*panic))));
            match (outcome, heard.err()) {
                (Ok(value), stopped) => {
                    let failure = outlived.lock().unwrap_or_else(PoisonError::into_inner).take();
                    Ok((value, stopped.or(failure.map(to_python))))
                }
                (Err(_), Some(stopped)) => Err(stopped),
                (Err(error), None) => Err(to_python(error)),
            }
        })
    })?;
    if kept.1.is_none() {
        notes.warn(py)?;
    }
    Ok(kept)
}

/// Runs a kernel that ends within milliseconds, on the pool but without a thread that listens.
pub(crate) fn pooled<T: Send>(
    py: Python<'_>,
    n_threads: usize,
    kernel: impl FnOnce(RunCtl<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        let pool = pool(n_threads)?;
        guarded(|| pool.install(|| kernel(RunCtl::silent())))
    })
    .map_err(to_python)
}

/// Runs a short sequential computation.
pub(crate) fn quick<T: Send>(py: Python<'_>, kernel: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    py.detach(|| guarded(kernel)).map_err(to_python)
}

/// The kernel's side of the progress channel, what it remarks, and what it outlives.
struct Mailbox<'a> {
    outbox: SyncSender<Progress>,
    notes: &'a Notes,
    outlived: &'a Mutex<Option<Error>>,
}

impl Observer for Mailbox<'_> {
    fn progress(&self, progress: Progress) {
        // A full box means that the listener is busy: progress never makes a worker wait.
        let _ = self.outbox.try_send(progress);
    }

    fn note(&self, text: String) {
        self.notes.0.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
    }

    fn outlived(&self, error: Error) -> Result<()> {
        self.outlived.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        Ok(())
    }
}

/// Remarks of a run; a set, so that neither their order nor their number depends on threads.
#[derive(Default)]
struct Notes(Mutex<BTreeSet<String>>);

impl Notes {
    /// Raises every remark as a `DataWarning` at the line of the user.
    fn warn(self, py: Python<'_>) -> PyResult<()> {
        let notes = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if notes.is_empty() {
            return Ok(());
        }
        let warn_user = py.import("imbcore._frame")?.getattr("warn_user")?;
        notes.into_iter().try_for_each(|text| warn_user.call1((text,)).map(drop))
    }
}

/// Passes progress on and looks for signals until the kernel hangs up.
fn listen(inbox: &Receiver<Progress>, callback: Option<&Py<PyAny>>) -> PyResult<()> {
    loop {
        match inbox.recv_timeout(PATIENCE) {
            Ok(progress) => {
                let latest = inbox.try_iter().last().unwrap_or(progress);
                Python::attach(|py| {
                    py.check_signals()?;
                    callback.map_or(Ok(()), |callback| {
                        callback.call1(py, (latest.stage, latest.done, latest.total)).map(drop)
                    })
                })?;
                // Progress comes far faster than a person reads; a kernel that reports often is not slowed down.
                if callback.is_none() {
                    thread::sleep(Duration::from_micros(200));
                }
            }
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

/// Turns a panic into an error, so that nothing unwinds into Python.
fn guarded<T>(kernel: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(kernel)).unwrap_or_else(|panic| Err(Error::Internal(panic_text(&*panic))))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic").to_owned()
}

/// The pool with `n_threads` threads of this process; a forked child has none of its parent's threads and builds
/// its own.
fn pool(n_threads: usize) -> Result<Arc<ThreadPool>> {
    static POOLS: Mutex<BTreeMap<(u32, usize), Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());
    let key = (std::process::id(), n_threads);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let pool =
        ThreadPoolBuilder::new().num_threads(n_threads).thread_name(|i| format!("imbcore-{i}")).build();
    let pool = Arc::new(pool.map_err(|error| {
        Error::Unsupported(format!(
            "the system refused {n_threads} threads: {error}; ask for fewer with n_threads"
        ))
    })?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}

/// The exception of an error; by value, so that it can stand in `map_err`.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn to_python(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Parameter { .. } | Error::Unknown { .. } => exceptions::ParameterError::new_err(text),
        Error::Data(_) => exceptions::DataError::new_err(text),
        Error::Column { column, .. } => exceptions::DataError::new_err((text, column)),
        Error::Unsupported(_) => exceptions::UnsupportedError::new_err(text),
        Error::Format(_) => exceptions::ModelFormatError::new_err(text),
        // PyO3 picks the OSError subclass from the kind.
        Error::Io { kind, .. } => PyErr::from(std::io::Error::new(kind, text)),
        Error::Solver(_) => exceptions::SolverError::new_err(text),
        Error::Cancelled => PyOSError::new_err(text),
        Error::Internal(_) => exceptions::InternalError::new_err(text),
    }
}

/// Panics on purpose, on the pool or on the calling thread; only the tests call it.
#[pyfunction]
#[pyo3(signature = (pool))]
#[allow(clippy::panic)]
fn _panic(py: Python<'_>, pool: bool) -> PyResult<()> {
    if pool { run(py, None, 2, |_| panic!("on purpose")) } else { quick(py, || panic!("on purpose")) }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_panic, module)?)
}

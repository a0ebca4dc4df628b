//! Interruptible calls, short calls, and error conversion between Python and Rust.
//!
//! A kernel is a native computation. Python delivers signals such as Ctrl-C only to its main thread, so a
//! kernel must not block this thread. A long kernel runs on a thread of a pool, while the calling thread
//! forwards progress to Python and checks for signals.

use crate::thread_pool::with_pool;
use imbcore_core::memory::check_address_space;
use imbcore_core::reserve::{DEFAULT_RESERVE, MemoryReserve};
use imbcore_core::{Error, Observer, Progress, Result, RunContext};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Interval between two checks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

mod exceptions {
    use pyo3::import_exception;

    import_exception!(imbcore.exceptions, ParameterError);
    import_exception!(imbcore.exceptions, DataError);
    import_exception!(imbcore.exceptions, UnsupportedError);
    import_exception!(imbcore.exceptions, ModelFormatError);
    import_exception!(imbcore.exceptions, SolverError);
    import_exception!(imbcore.exceptions, InternalError);
    import_exception!(imbcore.exceptions, OutOfMemoryError);
}

/// Runs a long computation on a thread pool, without the interpreter lock.
///
/// Ctrl-C, or an exception raised by `callback(stage, done, total)`, stops the computation.
pub(crate) fn run_without_gil<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    n_threads: usize,
    kernel: impl FnOnce(RunContext<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    match run_with_partial_result(py, callback, n_threads, kernel)? {
        (value, None) => Ok(value),
        (_, Some(stopped)) => Err(stopped),
    }
}

/// Like [`run_without_gil`], for kernels that may return a result after a stop or failure.
///
/// The exception is then returned together with the result, and the caller must raise it.
pub(crate) fn run_with_partial_result<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    n_threads: usize,
    kernel: impl FnOnce(RunContext<'_>) -> Result<T> + Send,
) -> PyResult<(T, Option<PyErr>)> {
    run_with_main_thread(py, callback, n_threads, |ctl, _| kernel(ctl))
}

/// Exception attribute that stores the best result found before the run was stopped.
const INCUMBENT: &str = "_imbcore_incumbent";

/// Stores the best result so far in the exception that stopped a run.
///
/// An exception that accepts no attributes is returned unchanged.
pub(crate) fn attach_incumbent_to_error<'py>(
    py: Python<'py>,
    stopped: PyErr,
    incumbent: impl IntoPyObject<'py>,
) -> PyErr {
    drop(stopped.value(py).setattr(INCUMBENT, incumbent));
    stopped
}

/// Like [`run_with_partial_result`], for kernels that need the calling thread to call Python.
pub(crate) fn run_with_main_thread<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    n_threads: usize,
    kernel: impl FnOnce(RunContext<'_>, &MainThread) -> Result<T> + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let _reserve = MemoryReserve::allocate(DEFAULT_RESERVE).map_err(error_to_exception)?;
    let (notes, outlived, furthest) = (CollectedWarnings::default(), Mutex::new(None), Mutex::new(None));
    let (shared, notify) = ((&notes, &outlived, &furthest), callback.is_some());
    let (outcome, listened) = with_pool(py, n_threads, move |pool| {
        let stop = AtomicBool::new(false);
        let (outbox, inbox) = sync_channel(16);
        let mut outcome = Err(Error::Internal("a kernel did not run".into()));
        let (filled, stop) = (&mut outcome, &stop);
        let listened = pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                let (notes, outlived, furthest) = shared;
                let caller = MainThread { outbox: outbox.clone() };
                let mailbox =
                    ProgressChannel { outbox, notes, outlived, furthest: notify.then_some(furthest) };
                *filled = catch_panic(|| kernel(RunContext::new(&mailbox, stop), &caller));
            });
            let listened = handle_thread_messages(inbox, callback.as_ref(), shared.2);
            if listened.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            listened
        });
        (outcome, listened)
    })
    .map_err(error_to_exception)?;
    let kept = match (outcome, listened.err()) {
        (Ok(value), stopped) => {
            let failure = outlived.into_inner().unwrap_or_else(PoisonError::into_inner);
            (value, stopped.or(failure.map(error_to_exception)))
        }
        (Err(_), Some(stopped)) => return Err(stopped),
        (Err(error), None) => return Err(error_to_exception(error)),
    };
    if kept.1.is_none() {
        notes.issue_python_warnings(py)?;
    }
    Ok(kept)
}

/// Runs a kernel on the calling thread, without a thread pool.
///
/// The kernel should take less than a millisecond, because Ctrl-C cannot stop it. Its parallel parts must use
/// [`imbcore_core::parallel`].
pub(crate) fn run_on_calling_thread<T: Send>(
    py: Python<'_>,
    kernel: impl FnOnce(RunContext<'_>) -> Result<T> + Send,
) -> PyResult<T> {
    let (notes, stop) = (CollectedWarnings::default(), AtomicBool::new(false));
    let value =
        py.detach(|| catch_panic(|| kernel(RunContext::new(&notes, &stop)))).map_err(error_to_exception)?;
    notes.issue_python_warnings(py)?;
    Ok(value)
}

/// Like [`run_on_calling_thread`], for computations that need no [`RunContext`].
pub(crate) fn run_short<T: Send>(py: Python<'_>, kernel: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    run_short_with_memory(py, 0, kernel)
}

/// Like [`run_short`], with a memory reserve for about `bytes` bytes of data.
pub(crate) fn run_short_with_memory<T: Send>(
    py: Python<'_>,
    bytes: usize,
    kernel: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        let _reserve = MemoryReserve::for_data(bytes)?;
        catch_panic(kernel)
    })
    .map_err(error_to_exception)
}

type MainThreadTask = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

enum ThreadMessage {
    Progress(Progress),
    Errand(MainThreadTask),
}

pub(crate) struct MainThread {
    outbox: SyncSender<ThreadMessage>,
}

impl MainThread {
    /// Runs `task` on the calling thread, and waits for its result.
    ///
    /// If the task raises an exception, the run ends, and the exception is raised in the caller of the
    /// kernel.
    pub(crate) fn run_task<T: Send + 'static>(
        &self,
        task: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, replies) = sync_channel(1);
        let task: MainThreadTask = Box::new(move |py| task(py).map(|value| drop(reply.send(value))));
        let sent = self.outbox.send(ThreadMessage::Errand(task));
        // If the calling thread has already stopped the run, it does not receive the task, and the kernel is
        // canceled.
        sent.ok().and_then(|()| replies.recv().ok()).ok_or(Error::Cancelled)
    }
}

/// Observer that sends progress to the calling thread, and collects warnings.
///
/// It also stores the first recoverable error. Warnings and error are read at the end of the run.
struct ProgressChannel<'a> {
    outbox: SyncSender<ThreadMessage>,
    notes: &'a CollectedWarnings,
    outlived: &'a Mutex<Option<Error>>,
    /// Furthest progress so far.
    ///
    /// `None` if there is no callback; the calling thread is then not notified of progress.
    furthest: Option<&'a Mutex<Option<Progress>>>,
}

impl Observer for ProgressChannel<'_> {
    fn progress(&self, progress: Progress) {
        let Some(furthest) = self.furthest else { return };
        let mut furthest = furthest.lock().unwrap_or_else(PoisonError::into_inner);
        if furthest.is_none_or(|latest| latest.stage != progress.stage || latest.done < progress.done) {
            *furthest = Some(progress);
        }
        // If the calling thread is busy, the channel may be full. The message is then dropped, so that no
        // worker waits.
        let _ = self.outbox.try_send(ThreadMessage::Progress(progress));
    }

    fn warn(&self, text: String) {
        self.notes.warn(text);
    }

    fn receive_recoverable_error(&self, error: Error) -> Result<()> {
        self.outlived.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        Ok(())
    }
}

/// Distinct warnings of a run in sorted order, which does not depend on thread timing.
#[derive(Default)]
struct CollectedWarnings(Mutex<BTreeSet<String>>);

impl Observer for CollectedWarnings {
    fn progress(&self, _: Progress) {}

    fn warn(&self, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
    }
}

impl CollectedWarnings {
    /// Issues every warning as a `DataWarning` at the user's line of code.
    fn issue_python_warnings(self, py: Python<'_>) -> PyResult<()> {
        let notes = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if notes.is_empty() {
            return Ok(());
        }
        let warn_user = py.import("imbcore._validation.user_warnings")?.getattr("warn_user")?;
        notes.into_iter().try_for_each(|text| warn_user.call1((text,)).map(drop))
    }
}

/// Forwards progress, runs tasks and checks for signals until the kernel ends.
///
/// The receiver `inbox` is dropped on return, so that no kernel waits for a task that is never run. At the
/// end, the furthest progress is reported unless it was the last report. The message with the furthest
/// progress may have been dropped or received out of order.
// Clippy suggests a method path instead of the closure `|py| py.check_signals()`, but a path works for a
// single lifetime only.
#[allow(clippy::redundant_closure_for_method_calls, clippy::needless_pass_by_value)]
fn handle_thread_messages(
    inbox: Receiver<ThreadMessage>,
    callback: Option<&Py<PyAny>>,
    furthest: &Mutex<Option<Progress>>,
) -> PyResult<()> {
    let report = |py: Python<'_>, Progress { stage, done, total }: Progress| {
        callback.map_or(Ok(()), |callback| callback.call1(py, (stage, done, total)).map(drop))
    };
    let mut reported = None;
    loop {
        match inbox.recv_timeout(PATIENCE) {
            Ok(first) => {
                let mut latest = None;
                for message in std::iter::once(first).chain(inbox.try_iter()) {
                    match message {
                        ThreadMessage::Progress(progress) => latest = Some(progress),
                        ThreadMessage::Errand(task) => Python::attach(task)?,
                    }
                }
                Python::attach(|py| {
                    py.check_signals()?;
                    latest.map_or(Ok(()), |latest| report(py, latest))
                })?;
                reported = latest.or(reported);
            }
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let last = *furthest.lock().unwrap_or_else(PoisonError::into_inner);
    last.filter(|_| last != reported).map_or(Ok(()), |last| Python::attach(|py| report(py, last)))
}

pub(crate) fn catch_panic<T>(kernel: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(kernel)).unwrap_or_else(|panic| Err(Error::Internal(panic_text(&*panic))))
}

/// Creates a Python object; if `PyO3` panics for lack of memory, returns an exception.
pub(crate) fn catch_pyo3_panic<T>(make: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(make))
        .map_err(|_| error_to_exception(Error::Memory { bytes: 0, what: "an object of Python" }))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic").to_owned()
}

/// The error is passed by value, so that `map_err` can call this function.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn error_to_exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Parameter { .. } | Error::Naming { .. } | Error::Unknown { .. } => {
            exceptions::ParameterError::new_err(text)
        }
        Error::Data(_) => exceptions::DataError::new_err(text),
        Error::Column { column, .. } => exceptions::DataError::new_err((text, column)),
        Error::Unsupported(_) => exceptions::UnsupportedError::new_err(text),
        Error::Format(_) => exceptions::ModelFormatError::new_err(text),
        // PyO3 selects the subclass of OSError by the kind of the error.
        Error::Io { kind, .. } => PyErr::from(std::io::Error::new(kind, text)),
        Error::Solver(_) => exceptions::SolverError::new_err(text),
        Error::Memory { .. } | Error::Limit { .. } | Error::Estimate { .. } => {
            exceptions::OutOfMemoryError::new_err(text)
        }
        Error::Cancelled => PyOSError::new_err(text),
        Error::Internal(_) => exceptions::InternalError::new_err(text),
    }
}

#[pyfunction]
pub(crate) fn check_thread_memory(n_bytes: usize) -> PyResult<()> {
    check_address_space(n_bytes, "the stacks of threads").map_err(error_to_exception)
}

/// Panics on purpose at `place`; only tests call this function.
///
/// "pool": on a thread of a pool. "global pool": by using rayon's global pool, which imbcore does not
/// initialize. Any other text: on the calling thread.
#[pyfunction]
#[pyo3(signature = (place))]
#[allow(clippy::panic)]
pub(crate) fn _panic(py: Python<'_>, place: &str) -> PyResult<()> {
    match place {
        "pool" => run_without_gil(py, None, 2, |_| panic!("on purpose")),
        "global pool" => run_short(py, || {
            (0..2).into_par_iter().for_each(|_| ());
            Ok(())
        }),
        _ => run_short(py, || panic!("on purpose")),
    }
}

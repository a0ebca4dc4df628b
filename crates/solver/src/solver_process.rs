//! Lifecycle of the solver subprocess: start, request, result, termination.

use crate::command::{VARIABLE, solver_command};
use crate::model::MipModel;
use crate::wire_format::{EncodedRequest, SolverResponse, read_greeting, read_response};
use imbcore_core::{Error, Result, RunContext};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(10);
/// A result that arrives up to this time after the deadline is still accepted.
const GRACE: Duration = Duration::from_millis(500);
/// Maximum time until a started process sends its greeting; long enough for busy machines.
const PATIENCE: Duration = Duration::from_secs(60);
/// Maximum time to wait for the exit of a process that has closed its output.
const LAST: Duration = Duration::from_millis(300);
/// Number of bytes at the end of a process's standard error that are kept for messages.
const WORDS: usize = 2000;

enum ProcessEvent {
    Greeting,
    Answer(io::Result<SolverResponse>),
}

/// Solves the request in a solver process; if CBC aborts, retries with careful options.
///
/// An abort is recognized by a message on standard error. Returns `None` if there is no result by the
/// deadline. All processes have ended on return.
///
/// # Errors
/// [`Error::Cancelled`], and [`Error::Solver`] if no process can be started, or the process dies or sends
/// invalid data.
pub(crate) fn run_in_solver_process(
    model: &MipModel,
    deadline: Instant,
    gap: f64,
    ctl: RunContext<'_>,
) -> Result<Option<SolverResponse>> {
    let mut solver = SolverProcess::start()?;
    match solver.wait_for_result(EncodedRequest::new(model, gap, false), model.n_cols(), deadline, ctl) {
        Err(Error::Solver(_)) if solver.aborted => SolverProcess::start()?.wait_for_result(
            EncodedRequest::new(model, gap, true),
            model.n_cols(),
            deadline,
            ctl,
        ),
        answer => answer,
    }
}

struct SolverProcess {
    program: String,
    child: Child,
    feed: Option<Box<dyn Write + Send>>,
    last_stderr: Receiver<String>,
    /// Whether the process aborted after its greeting, with a message on standard error.
    aborted: bool,
}

impl SolverProcess {
    fn start() -> Result<Self> {
        let mut command = solver_command()?;
        let program = command.get_program().display().to_string();
        leave_foreground_group(&mut command);
        let started = connect_stdin(&mut command).and_then(|feed| {
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
            let feed =
                feed.or_else(|| child.stdin.take().map(|feed| Box::new(feed) as Box<dyn Write + Send>));
            let (sender, words) = channel();
            // From here on, the process ends when `solver` is dropped, even after an error.
            let mut solver =
                Self { program: program.clone(), child, feed, last_stderr: words, aborted: false };
            if let Some(stderr) = solver.child.stderr.take() {
                thread::Builder::new().spawn(move || sender.send(last_stderr_line(stderr)))?;
            }
            Ok(solver)
        });
        started.map_err(|error| {
            Error::Solver(format!(
                "no solver process could be started: {program}: {error}; if starting processes is allowed here, set the \
                 solver's program in the environment variable {VARIABLE}"
            ))
        })
    }

    #[allow(clippy::disallowed_methods)]
    fn wait_for_result(
        &mut self,
        request: EncodedRequest,
        n_cols: usize,
        deadline: Instant,
        ctl: RunContext<'_>,
    ) -> Result<Option<SolverResponse>> {
        let begun = Instant::now();
        let events = self.start_exchange(request, n_cols, deadline).map_err(|error| {
            Error::Solver(format!(
                "the threads that communicate with the solver process could not be started: {error}"
            ))
        })?;
        let mut greeted = false;
        loop {
            ctl.check()?;
            match events.recv_timeout(POLL) {
                Ok(ProcessEvent::Greeting) => greeted = true,
                Ok(ProcessEvent::Answer(Ok(claim))) => return Ok(Some(claim)),
                // `TimedOut` means that the deadline had passed before the request was sent.
                Ok(ProcessEvent::Answer(Err(error))) if error.kind() == ErrorKind::TimedOut => {
                    return Ok(None);
                }
                Ok(ProcessEvent::Answer(Err(error))) => return Err(self.communication_error(&error, greeted)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal(
                        "the thread that communicates with the solver ended without a result".into(),
                    ));
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline + GRACE => return Ok(None),
                Err(RecvTimeoutError::Timeout) if !greeted && begun.elapsed() > PATIENCE => {
                    let silent = io::Error::new(ErrorKind::InvalidData, "it sends nothing");
                    return Err(self.communication_error(&silent, false));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Starts a thread that sends the request to the process and receives the result.
    ///
    /// The calling thread cannot do this itself, because reading from a pipe has no timeout.
    fn start_exchange(
        &mut self,
        request: EncodedRequest,
        n_cols: usize,
        deadline: Instant,
    ) -> io::Result<Receiver<ProcessEvent>> {
        let (sender, events) = channel();
        if let (Some(feed), Some(stdout)) = (self.feed.take(), self.child.stdout.take()) {
            thread::Builder::new()
                .spawn(move || exchange_messages(feed, stdout, request, n_cols, deadline, &sender))?;
        }
        Ok(events)
    }

    /// Error for a process that stopped communicating; also sets `aborted`.
    fn communication_error(&mut self, error: &io::Error, greeted: bool) -> Error {
        let ended = self.wait_for_exit(LAST);
        let words = if ended.is_some() {
            self.last_stderr.recv_timeout(LAST).unwrap_or_default()
        } else {
            String::new()
        };
        let end = match (error.kind(), ended) {
            (ErrorKind::InvalidData, _) if greeted => format!("sent an invalid result ({error})"),
            (ErrorKind::InvalidData, _) => format!("is not a solver process of this imbcore: {error}"),
            (_, Some(status)) => format!("died before it sent a result ({status})"),
            (_, None) => "closed its pipe before it sent a result".to_owned(),
        };
        self.aborted = greeted && ended.is_some_and(|status| !status.success()) && !words.is_empty();
        let words = if words.is_empty() { words } else { format!("; its last message: {words}") };
        let advice = if greeted {
            String::new()
        } else {
            format!("; set the solver's program in the environment variable {VARIABLE}")
        };
        Error::Solver(format!("the solver process ({}) {end}{words}{advice}", self.program))
    }

    #[allow(clippy::disallowed_methods)]
    fn wait_for_exit(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(POLL),
                ended => return ended.ok().flatten(),
            }
        }
    }
}

impl Drop for SolverProcess {
    fn drop(&mut self) {
        // Errors of `kill` and `wait` are ignored: both fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the solver process independent of the terminal's foreground group.
///
/// Ctrl-C is then sent only to the calling program, which ends the solver process.
fn leave_foreground_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    // The number combines the flags CREATE_NEW_PROCESS_GROUP and CREATE_NO_WINDOW.
    std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0200);
}

/// Prepares the standard input of the process and returns its writing end.
///
/// `None` means that a pipe will be created when the process is started.
#[cfg(unix)]
fn connect_stdin(command: &mut Command) -> io::Result<Option<Box<dyn Write + Send>>> {
    // A socket is used instead of a pipe. If the process dies, writing to a pipe would raise SIGPIPE, which
    // kills programs that do not ignore it.
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    command.stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)));
    Ok(Some(Box::new(ours)))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn connect_stdin(command: &mut Command) -> io::Result<Option<Box<dyn Write + Send>>> {
    command.stdin(Stdio::piped());
    Ok(None)
}

/// Receives the greeting, sends the request and receives the result.
///
/// `feed`, the input of the process, stays open until the result is read, because the process ends when its
/// input is closed. A separate thread writes the request, so that this thread notices at once if the process
/// dies without reading it.
#[allow(clippy::disallowed_methods)]
fn exchange_messages(
    mut feed: Box<dyn Write + Send>,
    mut stdout: ChildStdout,
    request: EncodedRequest,
    n_cols: usize,
    deadline: Instant,
    events: &Sender<ProcessEvent>,
) {
    let (over, end) = channel::<()>();
    let answer = read_greeting(&mut stdout).and_then(|()| {
        // `send` fails only if the caller has already returned and no longer needs the event.
        let _ = events.send(ProcessEvent::Greeting);
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        if left == 0.0 {
            return Err(ErrorKind::TimedOut.into());
        }
        thread::Builder::new().spawn(move || {
            // Errors are ignored: if the process dies while it receives the request, reading the result fails
            // too.
            let _ = request.write(left, &mut feed);
            end.recv()
        })?;
        read_response(&mut stdout, n_cols)
    });
    drop(over);
    let _ = events.send(ProcessEvent::Answer(answer));
}

fn last_stderr_line(mut from: ChildStderr) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 512]);
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..n]);
        kept.drain(..kept.len().saturating_sub(WORDS));
    }
    let text = String::from_utf8_lossy(&kept);
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

//! One solver process: started, fed, heard and ended.

use crate::command::{VARIABLE, command};
use crate::model::MipModel;
use crate::wire::{Claim, Sealed, read_answer, read_greeting};
use imbcore_base::{Error, Result, RunCtl};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the calling thread looks for a cancellation.
const POLL: Duration = Duration::from_millis(10);
/// Time beyond the limit in which the solver may still answer by itself.
const GRACE: Duration = Duration::from_millis(500);
/// Time in which what was started has to greet, on a machine however busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time in which a process that hung up may end, so that it can be said how.
const LAST: Duration = Duration::from_millis(300);
/// Most bytes of the last words of a process.
const WORDS: usize = 2000;

/// What the thread that talks to the process tells.
enum Heard {
    Greeting,
    Answer(io::Result<Claim>),
}

/// Asks a solver process, and a second, careful one if CBC ended the first by an assertion of its own, which says so in
/// its last words; nothing if the time is over before either answered. Both are gone at the end.
///
/// # Errors
/// [`Error::Cancelled`], and [`Error::Solver`] if no process can be started or it dies or talks nonsense.
pub(crate) fn ask(model: &MipModel, deadline: Instant, gap: f64, ctl: RunCtl<'_>) -> Result<Option<Claim>> {
    let mut solver = Solver::start()?;
    match solver.asked(Sealed::new(model, gap, false), model.n_cols(), deadline, ctl) {
        Err(Error::Solver(_)) if solver.fell => {
            Solver::start()?.asked(Sealed::new(model, gap, true), model.n_cols(), deadline, ctl)
        }
        answer => answer,
    }
}

/// A running process; ended and reaped when it goes out of scope.
struct Solver {
    program: String,
    child: Child,
    feed: Option<Box<dyn Write + Send>>,
    /// What it last wrote on its standard error.
    words: Receiver<String>,
    /// Whether it died of itself: it was at work, and its last words say why.
    fell: bool,
}

impl Solver {
    fn start() -> Result<Self> {
        let mut command = command()?;
        let program = command.get_program().display().to_string();
        apart(&mut command);
        let started = feeding(&mut command).and_then(|feed| {
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
            let feed =
                feed.or_else(|| child.stdin.take().map(|feed| Box::new(feed) as Box<dyn Write + Send>));
            let (sender, words) = channel();
            // From here on the process is ended whatever happens.
            let mut solver = Self { program: program.clone(), child, feed, words, fell: false };
            if let Some(stderr) = solver.child.stderr.take() {
                thread::Builder::new().spawn(move || sender.send(last_words(stderr)))?;
            }
            Ok(solver)
        });
        started.map_err(|error| {
            Error::Solver(format!(
                "no solver process could be started: {program}: {error}; if processes may be started here, name the \
                 solver's program in the environment variable {VARIABLE}"
            ))
        })
    }

    /// The answer of the process, or nothing if there is none by the deadline.
    #[allow(clippy::disallowed_methods)]
    fn asked(
        &mut self,
        request: Sealed,
        n_cols: usize,
        deadline: Instant,
        ctl: RunCtl<'_>,
    ) -> Result<Option<Claim>> {
        let begun = Instant::now();
        let heard = self.talk(request, n_cols, deadline).map_err(|error| {
            Error::Solver(format!("the system refused the threads that talk to the solver process: {error}"))
        })?;
        let mut greeted = false;
        loop {
            ctl.check()?;
            match heard.recv_timeout(POLL) {
                Ok(Heard::Greeting) => greeted = true,
                Ok(Heard::Answer(Ok(claim))) => return Ok(Some(claim)),
                // Nobody is asked once the time is over.
                Ok(Heard::Answer(Err(error))) if error.kind() == ErrorKind::TimedOut => return Ok(None),
                Ok(Heard::Answer(Err(error))) => return Err(self.obituary(&error, greeted)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal(
                        "the thread that talks to the solver ended without a word".into(),
                    ));
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline + GRACE => return Ok(None),
                Err(RecvTimeoutError::Timeout) if !greeted && begun.elapsed() > PATIENCE => {
                    let mute = io::Error::new(ErrorKind::InvalidData, "it says nothing");
                    return Err(self.obituary(&mute, false));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Hands the request over and listens, on a thread of its own: pipes cannot be waited for with a limit.
    fn talk(&mut self, request: Sealed, n_cols: usize, deadline: Instant) -> io::Result<Receiver<Heard>> {
        let (sender, heard) = channel();
        if let (Some(feed), Some(voice)) = (self.feed.take(), self.child.stdout.take()) {
            thread::Builder::new()
                .spawn(move || converse(feed, voice, request, n_cols, deadline, &sender))?;
        }
        Ok(heard)
    }

    /// What is to be said of a process that broke off the talk.
    fn obituary(&mut self, error: &io::Error, greeted: bool) -> Error {
        let ended = self.wait(LAST);
        let words =
            if ended.is_some() { self.words.recv_timeout(LAST).unwrap_or_default() } else { String::new() };
        let end = match (error.kind(), ended) {
            (ErrorKind::InvalidData, _) if greeted => format!("sent something that is no answer ({error})"),
            (ErrorKind::InvalidData, _) => format!("is no solver process of this imbcore: {error}"),
            (_, Some(status)) => format!("died before it answered ({status})"),
            (_, None) => "closed its pipe before it answered".to_owned(),
        };
        self.fell = greeted && ended.is_some_and(|status| !status.success()) && !words.is_empty();
        let words = if words.is_empty() { words } else { format!("; its last words: {words}") };
        let advice = if greeted {
            String::new()
        } else {
            format!("; name the solver's program in the environment variable {VARIABLE}")
        };
        Error::Solver(format!("the solver process ({}) {end}{words}{advice}", self.program))
    }

    /// How the process ended by itself, if it does so in time.
    #[allow(clippy::disallowed_methods)]
    fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(POLL),
                ended => return ended.ok().flatten(),
            }
        }
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // Both fail only where it is gone and reaped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps what a terminal sends to its foreground, Ctrl-C above all, away from the process: the caller decides.
fn apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    // CREATE_NEW_PROCESS_GROUP and CREATE_NO_WINDOW.
    std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0200);
}

/// Standard input of the process, and our end of it where it is not a pipe that is there after the start.
#[cfg(unix)]
fn feeding(command: &mut Command) -> io::Result<Option<Box<dyn Write + Send>>> {
    // A socket: writing into a pipe whose reader died would end a program that took SIGPIPE's default back.
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    command.stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)));
    Ok(Some(Box::new(ours)))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn feeding(command: &mut Command) -> io::Result<Option<Box<dyn Write + Send>>> {
    command.stdin(Stdio::piped());
    Ok(None)
}

/// The talk; `feed` stays open to its end, because a process whose input is closed ends. It has a thread of its own: a
/// process that breaks off while it is fed is heard at once.
#[allow(clippy::disallowed_methods)]
fn converse(
    mut feed: Box<dyn Write + Send>,
    mut voice: ChildStdout,
    request: Sealed,
    n_cols: usize,
    deadline: Instant,
    tell: &Sender<Heard>,
) {
    let (over, end) = channel::<()>();
    let answer = read_greeting(&mut voice).and_then(|()| {
        // A send fails only if the caller has gone, and then nobody wants to know.
        let _ = tell.send(Heard::Greeting);
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        if left == 0.0 {
            return Err(ErrorKind::TimedOut.into());
        }
        thread::Builder::new().spawn(move || {
            // A process that died while it was fed is heard of where it should answer.
            let _ = request.write(left, &mut feed);
            end.recv()
        })?;
        read_answer(&mut voice, n_cols)
    });
    drop(over);
    let _ = tell.send(Heard::Answer(answer));
}

/// The last line of what a process writes until its end.
fn last_words(mut from: ChildStderr) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 512]);
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..n]);
        kept.drain(..kept.len().saturating_sub(WORDS));
    }
    let text = String::from_utf8_lossy(&kept);
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

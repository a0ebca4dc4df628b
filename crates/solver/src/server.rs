//! The solver process: reads one request and writes one result.

use crate::cbc::solve_with_cbc;
use crate::wire_format::{GREETING, SolverResponse, read_request, write_response};
use std::io::{Read, Write, stdin, stdout};
use std::thread;
use std::time::Duration;

/// If a request takes this much longer than its time limit, the process ends itself.
const OVERTIME: Duration = Duration::from_secs(10);

/// Solves the request on standard input and returns the exit code.
///
/// The result is written to standard output, and the caller must then exit the process. The process ends
/// immediately when its standard input is closed, because then the program that sent the request has ended.
pub fn serve_request() -> i32 {
    let mut out = stdout();
    if out.write_all(GREETING.as_bytes()).and_then(|()| out.flush()).is_err() {
        return 1;
    }
    let claim = match read_request(&mut stdin()) {
        Err(error) => SolverResponse::Failed(error.to_string()),
        Ok(request) => {
            let limit = Duration::from_secs_f64(request.seconds) + OVERTIME;
            let watched =
                exit_process_after(|| while !matches!(stdin().read(&mut [0; 64]), Ok(0) | Err(_)) {})
                    .and_then(|()| exit_process_after(move || thread::sleep(limit)));
            match watched {
                Ok(()) => solve_with_cbc(&request),
                Err(error) => SolverResponse::Failed(error.to_string()),
            }
        }
    };
    i32::from(write_response(&claim, &mut out).is_err())
}

/// Starts a thread that calls `awaited`; when `awaited` returns, the process ends.
fn exit_process_after(awaited: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let end = move || {
        awaited();
        exit_immediately();
    };
    thread::Builder::new().spawn(end).map(drop)
}

/// Ends the process; on Unix without CBC's exit handlers, which could fail or hang.
fn exit_immediately() {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    #[cfg(not(unix))]
    std::process::exit(1);
}

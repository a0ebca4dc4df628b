//! Command that starts the solver process.

use crate::wire_format::read_greeting;
use imbcore_core::{Error, Result};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Environment variable with the command of the solver process.
///
/// If its value is the name of a file, this file is the program. Otherwise the value is split at whitespace
/// into program and arguments.
pub(crate) const VARIABLE: &str = "IMBCORE_SOLVER";
/// Environment variable that is set in a solver process.
///
/// A solver process must not start another solver process.
const MARK: &str = "IMBCORE_SOLVER_PROCESS";
const PROGRAM: &str = "imbcore-solver";

static GIVEN: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Sets the command (program, then arguments) that starts the solver process.
///
/// It is needed if the solver process is not `imbcore-solver` but another program that calls
/// [`crate::serve`].
pub fn set_solver_command(command: Vec<OsString>) {
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = command;
}

/// Command that starts a solver process.
///
/// The command is taken from the environment variable, else from [`set_solver_command`]. If both are unset,
/// it is the program `imbcore-solver` in the folder of the running program or one folder above.
pub(crate) fn solver_command() -> Result<Command> {
    if env::var_os(MARK).is_some() {
        return Err(Error::Solver(format!(
            "this program was started as a solver process, but it is not one; set the solver's program in the \
             environment variable {VARIABLE}"
        )));
    }
    let mut parts = match env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        Some(value) if Path::new(&value).is_file() => vec![value],
        Some(value) => value.to_string_lossy().split_whitespace().map(OsString::from).collect(),
        None => GIVEN.lock().unwrap_or_else(PoisonError::into_inner).clone(),
    };
    if parts.is_empty() {
        parts = vec![solver_program()?.into_os_string()];
    }
    let mut command = Command::new(&parts[0]);
    command.args(&parts[1..]).env(MARK, "1");
    Ok(command)
}

fn solver_program() -> Result<PathBuf> {
    static FOUND: OnceLock<std::result::Result<PathBuf, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| match (find_solver_program(), env::var_os("CARGO")) {
        // If cargo runs the calling program, the solver program may be missing or outdated, and cargo can
        // build it.
        (found, Some(cargo)) => found
            .filter(|program| is_matching_solver(program))
            .map_or_else(|| build_solver_program(&cargo), Ok),
        (Some(found), None) => Ok(found),
        (None, None) => Err(format!("there is no program {PROGRAM} next to the running one")),
    });
    found.clone().map_err(|why| {
        Error::Solver(format!(
            "no solver process can be started: {why}; set the solver's program in the environment variable {VARIABLE} \
             (from Python: the path of a Python interpreter that has imbcore, then \" -m imbcore._bindings.solver\")"
        ))
    })
}

/// Solver program in the folder of the running program, or one folder above.
///
/// Cargo puts tests and examples into folders below the folder of programs.
fn find_solver_program() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let here = env::current_exe().ok()?;
    let folders = here.ancestors().skip(1).take(2);
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}

fn is_matching_solver(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command.output().is_ok_and(|out| read_greeting(&mut &out.stdout[..]).is_ok())
}

/// Builds the solver program with cargo.
///
/// `cargo test` builds only the programs of the tested packages, and a package cannot depend on a program of
/// another package in stable Rust. So each test binary, example or doctest of another package that needs the
/// solver calls this function once. Usually the program is up to date, and cargo builds nothing.
fn build_solver_program(cargo: &OsString) -> std::result::Result<PathBuf, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--message-format", "json", "--bin", PROGRAM, "--manifest-path"]);
    command.arg(manifest);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let failed = |why: String| format!("cargo could not build {PROGRAM}: {why}");
    let out = command.stdin(Stdio::null()).output().map_err(|error| failed(error.to_string()))?;
    if !out.status.success() {
        let stderr = String::from_utf8_lossy(&out.stderr);
        return Err(failed(stderr.lines().last().unwrap_or_default().to_owned()));
    }
    let stdout = String::from_utf8_lossy(&out.stdout);
    let path = stdout.rsplit_once("\"executable\":\"").and_then(|(_, rest)| rest.split_once('"'));
    path.map(|(path, _)| PathBuf::from(path.replace("\\\\", "\\")))
        .ok_or_else(|| failed("its output names no program".into()))
}

//! Which program the solver process is.

use crate::wire::read_greeting;
use imbcore_base::{Error, Result};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Names the program of the solver process, with arguments after blanks if there is no file of the whole name.
pub(crate) const VARIABLE: &str = "IMBCORE_SOLVER";
/// Set in the environment of a solver process.
const MARK: &str = "IMBCORE_SOLVER_PROCESS";
/// Name of the program that this crate builds.
const PROGRAM: &str = "imbcore-solver";

static GIVEN: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Says how the solver process is started, program and arguments: for whoever brings [`crate::serve`] along in another
/// program than `imbcore-solver`.
pub fn set_solver(command: Vec<OsString>) {
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = command;
}

/// The command that starts a solver process: that of the environment, that of [`set_solver`], or the program of this
/// crate beside the running one.
pub(crate) fn command() -> Result<Command> {
    if env::var_os(MARK).is_some() {
        return Err(Error::Solver(format!(
            "this program was started as a solver process, which it is not; name the solver's program in the \
             environment variable {VARIABLE}"
        )));
    }
    let mut parts = match env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        Some(value) if Path::new(&value).is_file() => vec![value],
        Some(value) => value.to_string_lossy().split_whitespace().map(OsString::from).collect(),
        None => GIVEN.lock().unwrap_or_else(PoisonError::into_inner).clone(),
    };
    if parts.is_empty() {
        parts = vec![program()?.into_os_string()];
    }
    let mut command = Command::new(&parts[0]);
    command.args(&parts[1..]).env(MARK, "1");
    Ok(command)
}

/// The program of this crate, looked for once.
fn program() -> Result<PathBuf> {
    static FOUND: OnceLock<std::result::Result<PathBuf, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| match (beside(), env::var_os("CARGO")) {
        // Under cargo it may be missing, or be left over from older sources.
        (found, Some(cargo)) => found.filter(|program| greets(program)).map_or_else(|| build(&cargo), Ok),
        (Some(found), None) => Ok(found),
        (None, None) => Err(format!("there is no program {PROGRAM} beside the running one")),
    });
    found.clone().map_err(|why| {
        Error::Solver(format!(
            "no solver process can be started: {why}; name the solver's program in the environment variable {VARIABLE} \
             (from Python: the path of a Python interpreter that has imbcore, then \" -m imbcore._border.solver\")"
        ))
    })
}

/// The program beside the running one, or a folder above it, where cargo has it: tests and examples lie in folders of
/// their own.
fn beside() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let here = env::current_exe().ok()?;
    let folders = here.ancestors().skip(1).take(2);
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}

/// Whether a program is a solver process of these very sources.
fn greets(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command.output().is_ok_and(|out| read_greeting(&mut &out.stdout[..]).is_ok())
}

/// Lets cargo build the program. `cargo test` builds those of the packages that are tested only, and there is no
/// stable way to depend on a program of another package; so tests of other packages, examples and doctests end up here,
/// once each, and mostly find it built and linked already.
fn build(cargo: &OsString) -> std::result::Result<PathBuf, String> {
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
        let said = String::from_utf8_lossy(&out.stderr);
        return Err(failed(said.lines().last().unwrap_or_default().to_owned()));
    }
    let said = String::from_utf8_lossy(&out.stdout);
    let path = said.rsplit_once("\"executable\":\"").and_then(|(_, rest)| rest.split_once('"'));
    path.map(|(path, _)| PathBuf::from(path.replace("\\\\", "\\")))
        .ok_or_else(|| failed("it names no program".into()))
}

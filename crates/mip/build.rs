//! Looks for CBC before anything is compiled against it: the linker's own words would not say what to install.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

fn main() {
    for name in ["PKG_CONFIG_PATH", "LIBRARY_PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    if let Err(why) = link(&folders()) {
        println!(
            "cargo::error=imbcore-mip needs the library of the CBC solver, and the linker does not find it ({why}). \
             Install coinor-libcbc-dev (Debian, Ubuntu: apt-get install coinor-libcbc-dev), coin-or-Cbc-devel \
             (Fedora: dnf install coin-or-Cbc-devel) or cbc (Homebrew: brew install cbc pkgconf); \
             `make demo` and `make test` do it themselves. A library in a folder of its own is found through \
             PKG_CONFIG_PATH or LIBRARY_PATH."
        );
    }
}

/// Folders that `pkg-config` would add, `-L` each; none where it is not installed or does not know CBC.
fn folders() -> Vec<String> {
    match Command::new("pkg-config").args(["--libs-only-L", "cbc"]).output() {
        Ok(Output { status, stdout, .. }) if status.success() => {
            String::from_utf8_lossy(&stdout).split_whitespace().map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// Links an empty program against CBC with the compiler, flags and linker of this build.
fn link(folders: &[String]) -> Result<(), String> {
    let variable = |name: &str| env::var(name).map_err(|error| format!("{name}: {error}"));
    let folder = variable("OUT_DIR")?;
    let source = Path::new(&folder).join("empty.rs");
    std::fs::write(&source, "fn main() {}").map_err(|error| format!("{}: {error}", source.display()))?;
    let mut rustc = Command::new(variable("RUSTC")?);
    rustc.args(["--crate-name", "empty", "--target", &variable("TARGET")?]);
    rustc.args(variable("CARGO_ENCODED_RUSTFLAGS")?.split('\u{1f}').filter(|flag| !flag.is_empty()));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let out = rustc.args(folders).args(["-lCbcSolver", "--out-dir", &folder]).arg(&source).output();
    let out = out.map_err(|error| format!("rustc: {error}"))?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    // The line that repeats the whole command says nothing; it quotes every word.
    let telling = said.lines().find(|line| line.contains("CbcSolver") && !line.contains("\"-lCbcSolver\""));
    let telling = telling.or(said.lines().next()).unwrap_or_default();
    Err(telling.trim().trim_start_matches("= note: ").to_owned())
}

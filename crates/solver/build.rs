//! Checks before compilation that CBC can be linked, and hashes the sources.
//!
//! The check exists because the error of the linker does not name the package to install. With the hash, a
//! program verifies that its solver process was built from the same sources.

use std::env;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn main() {
    for name in ["PKG_CONFIG_PATH", "LIBRARY_PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    println!("cargo::rerun-if-changed=src");
    let number = list_files(Path::new("src")).and_then(|files| hash_files(&files));
    match number {
        Ok(number) => println!("cargo::rustc-env=IMBCORE_SOLVER_BUILD={number:016x}"),
        Err(error) => println!("cargo::error=the sources of imbcore-solver cannot be read: {error}"),
    }
    if let Err(why) = check_cbc_links(&link_search_args()) {
        println!(
            "cargo::error=imbcore-solver needs the library of the CBC solver, but the linker does not find it ({why}). \
             Install coinor-libcbc-dev (Debian, Ubuntu: apt-get install coinor-libcbc-dev), coin-or-Cbc-devel \
             (Fedora: dnf install coin-or-Cbc-devel) or cbc (Homebrew: brew install cbc pkgconf); \
             `make demo` and `make test` install it. A library in another folder is found through \
             PKG_CONFIG_PATH or LIBRARY_PATH."
        );
    }
}

fn list_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut inside = entries.collect::<Result<Vec<_>>>()?;
    inside.sort();
    let nested =
        inside.into_iter().map(|path| if path.is_dir() { list_files(&path) } else { Ok(vec![path]) });
    Ok(nested.collect::<Result<Vec<_>>>()?.concat())
}

fn hash_files(files: &[PathBuf]) -> Result<u64> {
    let mut number = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for byte in std::fs::read(file)? {
            number = (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(number)
}

/// Linker arguments (`-L`) for the folders of the CBC library, from `pkg-config`.
///
/// Empty if `pkg-config` is not installed or does not find CBC.
fn link_search_args() -> Vec<String> {
    match Command::new("pkg-config").args(["--libs-only-L", "cbc"]).output() {
        Ok(Output { status, stdout, .. }) if status.success() => {
            String::from_utf8_lossy(&stdout).split_whitespace().map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn check_cbc_links(folders: &[String]) -> std::result::Result<(), String> {
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
    let stderr = String::from_utf8_lossy(&out.stderr);
    let relevant =
        stderr.lines().find(|line| line.contains("CbcSolver") && !line.contains("\"-lCbcSolver\""));
    let relevant = relevant.or(stderr.lines().next()).unwrap_or_default();
    Err(relevant.trim().trim_start_matches("= note: ").to_owned())
}

//! Solver process for programs written in Rust; see `imbcore_solver::solve`.
#![forbid(unsafe_code)]

fn main() {
    std::process::exit(imbcore_solver::serve());
}

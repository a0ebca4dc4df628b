//! Solver process of programs written in Rust; `imbcore_solver::solve` starts it.
#![forbid(unsafe_code)]

fn main() {
    std::process::exit(imbcore_solver::serve_request());
}

//! Solver process for programs written in Rust; see `imbcore_mip::solve`.
#![forbid(unsafe_code)]

fn main() {
    std::process::exit(imbcore_mip::serve());
}

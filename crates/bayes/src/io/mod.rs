//! Networks in files.

mod bif;
mod draft;
mod names;
mod scan;

pub use bif::{read_bif, write_bif};

//! Networks in files.

mod bif;
mod draft;
mod json;
mod names;
mod scan;

pub(crate) use json::NetworkForm;

pub use bif::{read_bif, write_bif};
pub use json::{read_json, write_json};

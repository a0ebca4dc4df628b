//! Network files: BIF, XMLBIF, Hugin .net, native JSON, and Graphviz output.

mod bif;
mod bif_names;
mod dot;
mod json;
mod net;
mod network_builder;
mod printed_digits;
mod scan;
mod write;
mod xmlbif;

/// A network, and a warning for each table with a row sum over 1e-6 away from 1.
pub type NetworkWithWarnings = (crate::network::Network, Vec<String>);

pub use bif::{read_bif, write_bif};
pub use dot::write_dot;
pub use json::{read_json, write_json};
pub use net::{read_net, write_net};
pub use xmlbif::{read_xmlbif, write_xmlbif};

//! Networks in files: the Bayesian Interchange Format, its form in XML, Hugin's .net, JSON of our own, and graphs for Graphviz.

mod bif;
mod bif_names;
mod dot;
mod draft;
mod json;
mod net;
mod printed;
mod scan;
mod write;
mod xmlbif;

/// A network, and a sentence for each of its tables that was not exactly as it should be.
pub type Found = (crate::network::Network, Vec<String>);

pub use bif::{read_bif, write_bif};
pub use dot::write_dot;
pub use json::{read_json, write_json};
pub use net::{read_net, write_net};
pub use xmlbif::{read_xmlbif, write_xmlbif};

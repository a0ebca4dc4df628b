//! The best graph by cutting planes and branching, with a proof that can be checked without searching (Cussens 2011; Bartlett and
//! Cussens 2017).

mod branch;
mod cut;
mod local;
mod master;
mod node;
mod prices;
mod separate;
mod tree;

pub(crate) use node::Goal;
pub(crate) use prices::{Family, Open};
pub(crate) use tree::search;

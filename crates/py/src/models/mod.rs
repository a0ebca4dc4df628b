//! Native models: one class per family.

pub(crate) mod boosted;
pub(crate) mod boxes;
pub(crate) mod decomposed;
pub(crate) mod ensemble;
pub(crate) mod families;
pub(crate) mod forest;
pub(crate) mod linear;
pub(crate) mod model;
pub(crate) mod network;
pub(crate) mod optimal;
pub(crate) mod selected;
pub(crate) mod svr;
pub(crate) mod tree;

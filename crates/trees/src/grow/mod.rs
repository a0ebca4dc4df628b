//! Growth of one tree from the rows of its root.

pub(crate) mod draft;
pub(crate) mod grower;
pub(crate) mod node_rows;
pub(crate) mod priority;
pub(crate) mod scratch;

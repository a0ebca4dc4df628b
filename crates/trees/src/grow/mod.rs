//! Growth of one tree from the rows of its root.

pub(crate) mod growth_scratch;
pub(crate) mod node_rows;
pub(crate) mod prioritized_node;
pub(crate) mod tree_builder;
pub(crate) mod tree_grower;

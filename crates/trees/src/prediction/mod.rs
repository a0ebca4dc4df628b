//! Prediction with a fitted tree: traversal, leaf outputs, rules and text.

mod formula;
pub(crate) mod leaf_estimate;
pub(crate) mod lockstep;
pub(crate) mod regions;
pub(crate) mod row_block;
pub(crate) mod rules;
pub(crate) mod shallow_tree;
pub(crate) mod shapley;
pub(crate) mod text;
pub(crate) mod tree_traversal;

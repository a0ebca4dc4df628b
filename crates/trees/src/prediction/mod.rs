//! Prediction with a fitted tree: traversal, leaf outputs, rules and text.

pub(crate) mod block;
mod formula;
pub(crate) mod leaf;
pub(crate) mod lockstep;
pub(crate) mod regions;
pub(crate) mod route;
pub(crate) mod rules;
pub(crate) mod shallow;
pub(crate) mod shapley;
pub(crate) mod text;

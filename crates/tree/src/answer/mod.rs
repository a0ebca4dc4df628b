//! What a grown tree says: where rows fall, what leaves answer, and the tree in words.

pub(crate) mod block;
pub(crate) mod leaf;
pub(crate) mod lockstep;
mod plan;
pub(crate) mod regions;
pub(crate) mod route;
pub(crate) mod rules;
pub(crate) mod shallow;
pub(crate) mod shapley;
pub(crate) mod text;

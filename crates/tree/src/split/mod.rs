//! The best split of one node: candidates of one column, and the choice among columns.

pub(crate) mod gaps;
pub(crate) mod levels;
pub(crate) mod monotone;
pub(crate) mod scan;
pub(crate) mod search;
pub(crate) mod subset;

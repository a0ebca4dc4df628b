//! Search for the best split of one node.
//! It includes the candidates of one column, the choice among columns, and the class sums of the children.

pub(crate) mod candidate;
pub(crate) mod cuts;
pub(crate) mod gap_cuts;
pub(crate) mod gaps;
pub(crate) mod key;
pub(crate) mod level_screen;
pub(crate) mod levels;
pub(crate) mod monotone;
pub(crate) mod passing;
pub(crate) mod plan;
pub(crate) mod random;
pub(crate) mod scanner;
pub(crate) mod screen;
pub(crate) mod search;
pub(crate) mod spaced;
pub(crate) mod subset;
pub(crate) mod thresholds;

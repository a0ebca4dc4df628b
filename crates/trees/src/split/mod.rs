//! Search for the best split of one node.
//!
//! The modules compute the split candidates of a column, the choice among columns, and the class sums of
//! children.

pub(crate) mod interval_scan;
pub(crate) mod level_set_bounds;
pub(crate) mod level_subsets;
pub(crate) mod majority_intervals;
pub(crate) mod monotone;
pub(crate) mod nominal_scan;
pub(crate) mod numeric_scan;
pub(crate) mod random_split;
pub(crate) mod scan_key;
pub(crate) mod score_bounds;
pub(crate) mod screening;
pub(crate) mod search;
pub(crate) mod spaced_thresholds;
pub(crate) mod split_candidate;
pub(crate) mod split_plan;
pub(crate) mod split_scanner;
pub(crate) mod thresholds;

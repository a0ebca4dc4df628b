//! Laws of pruning.

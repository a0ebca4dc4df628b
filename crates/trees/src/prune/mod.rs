//! Pruning: cost-complexity pruning of CART, and pruning of C4.5.
//!
//! C4.5 replaces subtrees by leaves (collapsing and error-based pruning), or replaces a node by its largest
//! child (subtree raising). Only subtree raising reads rows, because the rows of the other children move into
//! the raised child.

mod c45;
mod c45_rules;
mod path;
mod pessimism;
mod raise;
mod rebuild;
mod risk;
mod staged;

pub use c45::C45Pruning;
pub use c45_rules::{C45Options, ThresholdPlacement};
pub use path::{Complexity, PruningPath, betas};
pub use pessimism::{ErrorBounds, ExtraErrorRule, QuantileSource};
pub use risk::{Risk, RiskName};
pub use staged::StagedPredictions;

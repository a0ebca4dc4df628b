//! Pruning: cost-complexity pruning of CART, and pruning of C4.5.
//!
//! C4.5 replaces subtrees by leaves (collapsing and error-based pruning), or replaces a node by its largest
//! child (subtree raising). Only subtree raising reads rows, because the rows of the other children move into
//! the raised child.

mod c45;
mod c45_options;
mod compact;
mod cost_complexity;
mod error_based;
mod risk;
mod staged_predictions;
mod subtree_raising;

pub use c45::C45Pruning;
pub use c45_options::{C45Options, ThresholdPlacement};
pub use cost_complexity::{ComplexityParameter, PruningPath, geometric_mean_alphas};
pub use error_based::{ErrorBounds, ExtraErrorRule, NormalQuantileSource};
pub use risk::{Risk, RiskName};
pub use staged_predictions::StagedPredictions;

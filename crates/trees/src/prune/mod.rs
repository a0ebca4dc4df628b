//! Pruning: cost-complexity pruning of CART, and pruning of C4.5.
//!
//! C4.5 collapses subtrees, prunes by error bounds, and raises subtrees. Pruning does not read rows, except that
//! raising a branch reroutes the rows of its siblings.

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

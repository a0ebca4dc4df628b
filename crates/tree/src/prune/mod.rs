//! Pruning a grown tree: CART's minimal cost-complexity path, and C4.5's collapsing, pessimism and raising.
//!
//! Pruning never looks at a row, with one exception: raising a branch sends the rows of its siblings down it.

mod c45;
mod c45_rules;
mod path;
mod pessimism;
mod raise;
mod rebuild;
mod risk;
mod staged;

pub use c45::C45Pruning;
pub use c45_rules::{C45Rules, CutValue};
pub use path::{Complexity, PruningPath, betas};
pub use pessimism::{FloorRule, Pessimism, ZRule};
pub use risk::{Risk, RiskName};
pub use staged::Staged;

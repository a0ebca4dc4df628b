//! Split criteria: scores of how well a split separates the classes.
//!
//! A criterion receives only the class masses (sums of row weights) of the branches of a split. Every score
//! is finite, at least 0 and larger for better splits. Most scores are computed as sums of nonnegative terms,
//! so that there is no cancellation.
//!
//! ```
//! use imbcore_criteria::{BranchMasses, Criterion, Gini, Hellinger, NodeScorer};
//!
//! // Two branches (rows) and two classes (columns).
//! let table = [90.0, 2.0, 10.0, 8.0];
//! let node = [100.0, 10.0];
//! let hellinger = Hellinger::default().node_scorer(&node).score(BranchMasses::new(&table, 2));
//! let gini = Gini::default().node_scorer(&node).score(BranchMasses::new(&table, 2));
//! assert!(hellinger > gini && gini > 0.0);
//! ```
#![forbid(unsafe_code)]

mod alpha;
mod alpha_ext;
mod c45;
mod chi2;
mod criterion;
mod dkm;
mod entropy;
mod gini;
mod hellinger;
mod mc_hellinger;
mod registry;
mod threshold_scorer;
mod twoing;

pub use alpha::Alpha;
pub use alpha_ext::{AlphaExt, ReferenceDistribution};
pub use c45::C45;
pub use chi2::Chi2;
pub use criterion::{
    BranchMasses, ColumnSelectionRule, Criterion, DataProperties, METHOD, NodeScorer, split_info,
};
pub use dkm::Dkm;
pub use entropy::{Entropy, GainRatio};
pub use gini::Gini;
pub use hellinger::Hellinger;
pub use mc_hellinger::best_bipartition;
pub use registry::{AnyCriterion, CriterionVisitor};
pub use threshold_scorer::ThresholdScorer;
pub use twoing::Twoing;

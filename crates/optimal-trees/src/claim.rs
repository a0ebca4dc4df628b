//! Certificate of optimality, which a verifier checks without a search.

use serde::{Deserialize, Serialize};

/// Maximum number of splits in a claim.
/// A search that solves more splits records none of them.
pub(crate) const MOST_CUTS: usize = 1 << 17;

/// Claims about all trees up to a depth.
/// Weights are in units of each class, and costs are integers per unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeCertificate {
    /// Maximum number of splits from the root to a leaf.
    pub max_depth: u32,
    /// Minimum weight of each child of a split.
    /// Claims may ignore this minimum; their bounds are then looser.
    pub min_weight_leaf: f64,
    /// Weight of a unit of each class.
    pub units: Vec<f64>,
    /// Claims in the order of proof.
    pub claims: Vec<TreeClaim>,
}

/// Statement that no tree costs less than a bound at some costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeClaim {
    /// Cost of each prediction for one unit of weight of a class; one row for each class.
    pub prices: Vec<Vec<f64>>,
    /// Cost of a leaf.
    pub leaf: f64,
    /// No tree costs less.
    pub bound: f64,
    /// Indices of two earlier claims, at a smaller and at a larger cost ratio than this one.
    /// Their bounds on children imply bounds at these costs. `None` stands for the costs at which one kind of
    /// error is free, so that every tree can cost 0: first false positives, second false negatives.
    pub between: Option<[Option<usize>; 2]>,
    /// For depth three and four: root splits whose children were solved.
    /// Bounds of the other splits and of the leaf are derived from these.
    pub cuts: Vec<SplitBound>,
}

/// Lower bounds on the cost of the children of a root split, over trees of one level less.
/// `None` for a child that was not solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitBound {
    /// Index of the column.
    pub feature: usize,
    /// Test that sends a row to the first child.
    pub test: SplitTest,
    /// Whether rows with a missing value go to the first child.
    pub missing_first: bool,
    /// Bound of the first child.
    pub first: Option<f64>,
    /// Bound of the second child.
    pub second: Option<f64>,
}

/// Test that sends a row with a value to the first child.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitTest {
    /// The value is at most this threshold.
    AtMost(f64),
    /// The value is this level.
    Level(u32),
    /// The value is not missing.
    Known,
}

impl TreeClaim {
    pub(crate) fn new(cells: &[f64], leaf: f64, bound: f64, cuts: Vec<SplitBound>) -> Self {
        let n_classes = cells.len().isqrt().max(1);
        let prices = cells.chunks(n_classes).map(<[f64]>::to_vec).collect();
        Self { prices, leaf, bound, between: None, cuts }
    }

    pub(crate) fn with_bracketing_claims(self, between: Option<[Option<usize>; 2]>) -> Self {
        Self { between, ..self }
    }
}

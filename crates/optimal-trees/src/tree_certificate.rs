//! Certificate of optimal trees, which a verifier can check independently of the fit.

use serde::{Deserialize, Serialize};

/// Maximum number of splits that a claim records.
///
/// If a search completes more splits, the claim records no splits at all.
pub(crate) const MOST_CUTS: usize = 1 << 17;

/// Claims about the cost of all trees up to a depth.
///
/// Costs of predictions are per unit of the class. Bounds are in integer costs; the verifier converts the
/// costs of predictions to integer costs in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeCertificate {
    /// Maximum number of splits from the root to a leaf.
    pub max_depth: u32,
    /// Minimum weight of each child of a split.
    ///
    /// Bounds that ignore this minimum are valid, but may be lower.
    pub min_weight_leaf: f64,
    /// Unit of each class; the row weights of a class are integer multiples of its unit.
    ///
    /// If no such unit exists, a small fraction of the total weight of the class is used instead.
    pub units: Vec<f64>,
    /// Claims in the order in which they were proven.
    pub claims: Vec<TreeClaim>,
}

/// Claim that no tree costs less than a bound, at given costs of predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeClaim {
    /// Costs of predictions, `[class][predicted]`, for rows with the weight of one unit.
    pub prices: Vec<Vec<f64>>,
    /// Cost of a leaf.
    pub leaf: f64,
    /// Lower bound on the cost of every tree.
    pub bound: f64,
    /// Indices of two earlier claims, at a smaller and at a larger cost ratio than this claim.
    ///
    /// The cost ratio is the cost of a false positive, divided by that of a false negative. Bounds on
    /// children at the two ratios imply bounds at the ratio of this claim. If the first index is `None`,
    /// bounds of 0 are used, which hold if false positives cost nothing. If the second index is `None`,
    /// bounds of 0 are used, which hold if false negatives cost nothing.
    pub between: Option<[Option<usize>; 2]>,
    /// Root splits in whose children a search was completed, for trees of depth three and four.
    ///
    /// The bounds of these splits imply bounds of all other root splits.
    pub cuts: Vec<SplitBound>,
}

/// Lower bounds on the cost of the two children of a root split.
///
/// They hold for trees that are one level less deep. A bound is `None` if no search was made in the child.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitBound {
    /// Index of the column that the split tests.
    pub feature: usize,
    /// Test that a row must satisfy to go to the first child.
    pub test: SplitTest,
    /// Whether rows with a missing value go to the first child.
    pub missing_first: bool,
    /// Lower bound on the cost of the first child.
    pub first: Option<f64>,
    /// Lower bound on the cost of the second child.
    pub second: Option<f64>,
}

/// Test of a split: a row whose value satisfies it goes to the first child.
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

//! Checked settings of a tree builder.

use serde::{Deserialize, Serialize};

/// How a nominal column splits a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NominalRule {
    /// One level against the rest.
    Ovr,
    /// One branch a level.
    Multiway,
}

/// What becomes of rows without a value in the column that a node splits on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingRule {
    /// Training data must be complete.
    Error,
    /// They all go to the side where they help most; where training saw none, to the larger child.
    Direction,
    /// They go to every child, in proportion to its mass (Quinlan 1993).
    Fraction,
}

/// How the rows of a node are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Sorted once by every column, then divided in place: linear time a level.
    Presorted,
    /// Listed, and sorted anew at every node: simple, and the only one that can hold fractions of rows.
    Listed,
}

/// Settings of a tree builder after all checks against the data.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Deepest level; the root has depth 0.
    pub(crate) max_depth: usize,
    /// Fewest rows of a node that may split.
    pub(crate) min_split: usize,
    /// Fewest rows of a branch.
    pub(crate) min_rows: usize,
    /// Smallest mass of a branch.
    pub(crate) min_mass: f64,
    /// Most leaves; grows the best node first when set.
    pub(crate) max_leaves: Option<usize>,
    /// Columns looked at in each node.
    pub(crate) max_columns: usize,
    /// Smallest score of a split.
    pub(crate) min_gain: f64,
    /// Whether a split that gains nothing may be made.
    pub(crate) zero_gain: bool,
    /// Nominal splits.
    pub(crate) nominal: NominalRule,
    /// Missing values.
    pub(crate) missing: MissingRule,
    /// Row layout.
    pub(crate) layout: Layout,
    /// Score every cut, not only those that can win.
    pub(crate) every_cut: bool,
    /// Columns in which a value may be missing.
    pub(crate) may_miss: Vec<bool>,
    /// Values that differ by no more than this are not cut apart.
    pub(crate) value_gap: f64,
    /// Numeric cuts leave at least a tenth of the mean class mass on each side, up to 25.
    pub(crate) c45_min: bool,
}

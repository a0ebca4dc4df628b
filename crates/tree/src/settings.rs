//! Checked settings of a tree builder.

use crate::answer::leaf::LeafRule;
use serde::{Deserialize, Serialize};

/// How a nominal column splits a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NominalRule {
    /// One level against the rest.
    Ovr,
    /// One branch a level.
    Multiway,
    /// One branch a level, in the column with the best score of one level against the rest (Cieslak and Chawla
    /// 2008).
    OvrMultiway,
    /// Each level of more than two is a column of its own, 1 or 0; two levels are one such column.
    Dummy,
    /// A set of levels against the rest (Breiman et al. 1984).
    Subset,
}

/// What makes a node the best one to split next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeOrder {
    /// The fall of the criterion over the whole tree.
    Gain,
    /// The fall of the entropy of the classes over the whole tree, whatever the criterion.
    Entropy,
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
    /// In nominal columns they are one more level; in numeric ones as [`MissingRule::Direction`].
    Value,
}

impl MissingRule {
    /// Whether the scan of a column decides which side rows without a value take.
    pub(crate) fn picks_a_side(self, numeric: bool) -> bool {
        self == Self::Direction || (self == Self::Value && numeric)
    }
}

/// What a split may ask about: a column, or with [`NominalRule::Dummy`] one level of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) column: u32,
    /// The level; the number of levels stands for a missing value.
    pub(crate) level: Option<u32>,
}

/// How the rows of a node are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Sorted once by every column, then divided in place: linear time a level.
    Presorted,
    /// Listed, and sorted anew at every node: simple, and the only one that can hold fractions of rows.
    Listed,
    /// Listed, with values replaced by their ranks: nothing is done for columns that a node does not look at, and
    /// most searches count rows instead of sorting them.
    Ranked,
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
    /// Which node is the best.
    pub(crate) order: NodeOrder,
    /// Everything that a split may ask about.
    pub(crate) features: Vec<Feature>,
    /// Features drawn in each node; none: all are looked at, in the order of the table.
    pub(crate) drawn: Option<usize>,
    /// Smallest score of a split.
    pub(crate) min_gain: f64,
    /// Whether a split that gains nothing may be made.
    pub(crate) zero_gain: bool,
    /// Nominal splits.
    pub(crate) nominal: NominalRule,
    /// Of every column: 1 where the probability of the positive class may not fall, -1 where it may not rise.
    pub(crate) monotone: Option<Vec<i8>>,
    /// Leaf rule, as far as constraints need it.
    pub(crate) leaf: LeafRule,
    /// Its parameter.
    pub(crate) m: f64,
    /// Missing values.
    pub(crate) missing: MissingRule,
    /// Row layout.
    pub(crate) layout: Layout,
    /// Most bins of a numeric column; none for exact growth.
    pub(crate) max_bins: Option<usize>,
    /// Score every cut, not only those that can win.
    pub(crate) every_cut: bool,
    /// Columns in which a value may be missing.
    pub(crate) may_miss: Vec<bool>,
    /// Values that differ by no more than this are not cut apart.
    pub(crate) value_gap: f64,
    /// Numeric cuts leave at least a tenth of the mean class mass on each side, up to 25.
    pub(crate) c45_min: bool,
}

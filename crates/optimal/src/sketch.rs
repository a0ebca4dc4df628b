//! A tree during the search, with splits in ranks and levels.

use crate::claim::{SplitBound, SplitTest};
use crate::table::{Feature, NO_VALUE, Table};

/// Test that sends rows to the first child.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// The rank is at most this.
    Below(u32),
    /// The value is this level.
    Level(u32),
    /// The value is one of these levels, ascending.
    Levels(Vec<u32>),
    /// The value is not missing.
    Known,
}

/// Split of a node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    pub(crate) feature: usize,
    pub(crate) test: Test,
    /// Whether rows with a missing value go to the first child.
    pub(crate) missing_first: bool,
}

/// Tree that may be incomplete.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sketch {
    Leaf,
    /// Leaf with a fixed prediction, regardless of its cost.
    Answer(u32),
    /// The best tree of at most one split, which is recomputed when needed.
    Stump,
    Split(Split, Box<[Sketch; 2]>),
}

impl Sketch {
    /// Whether a stump of the tree has yet to be recomputed.
    pub(crate) fn has_stump(&self) -> bool {
        match self {
            Self::Stump => true,
            Self::Split(_, sides) => sides.iter().any(Self::has_stump),
            Self::Leaf | Self::Answer(_) => false,
        }
    }
}

impl Split {
    /// Whether a row goes to the first child.
    pub(crate) fn takes(&self, table: &Table, row: u32) -> bool {
        let row = row as usize;
        match table.feature(self.feature) {
            Feature::Ordered { ranks, .. } if ranks[row] == NO_VALUE => self.missing_first,
            Feature::Levels { codes, n_levels } if codes[row] == *n_levels => self.missing_first,
            feature => match &self.test {
                Test::Below(rank) => feature.codes()[row] <= *rank,
                Test::Level(level) => feature.codes()[row] == *level,
                Test::Levels(levels) => levels.binary_search(&feature.codes()[row]).is_ok(),
                Test::Known => true,
            },
        }
    }

    /// Converts a root split with the bounds of its children.
    pub(crate) fn bounded(&self, table: &Table, [first, second]: [Option<f64>; 2]) -> SplitBound {
        let test = match (&self.test, table.feature(self.feature)) {
            (Test::Level(level), _) => SplitTest::Level(*level),
            (Test::Below(rank), Feature::Ordered { values, .. }) if (*rank as usize) + 1 < values.len() => {
                SplitTest::AtMost(table.cut(self.feature, *rank, rank + 1))
            }
            _ => SplitTest::Known,
        };
        SplitBound { feature: self.feature, test, missing_first: self.missing_first, first, second }
    }
}

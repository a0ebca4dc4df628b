//! A tree during the search; its splits test ranks of values, or levels.

use crate::ranked_table::{NO_VALUE, RankedFeature, RankedTable};
use crate::tree_certificate::{SplitBound, SplitTest};

/// Test of a split; rows that satisfy it go to the first child.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RankTest {
    /// The rank of the value is at most this rank.
    Below(u32),
    /// The value is this level.
    Level(u32),
    /// The value is one of these levels, which ascend.
    Levels(Vec<u32>),
    /// The value is not missing.
    Known,
}

/// Split of a node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SplitSketch {
    pub(crate) feature: usize,
    pub(crate) test: RankTest,
    /// Whether rows with a missing value go to the first child.
    pub(crate) missing_first: bool,
}

/// Tree that may be incomplete: it may have placeholders for stumps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartialTree {
    Leaf,
    /// Leaf with a fixed prediction, whatever the prediction costs.
    Answer(u32),
    /// Placeholder for a stump, the best tree of at most one split; it is computed when needed.
    Stump,
    Split(SplitSketch, Box<[PartialTree; 2]>),
}

impl PartialTree {
    /// Whether the tree has a placeholder for a stump.
    pub(crate) fn has_placeholder(&self) -> bool {
        match self {
            Self::Stump => true,
            Self::Split(_, sides) => sides.iter().any(Self::has_placeholder),
            Self::Leaf | Self::Answer(_) => false,
        }
    }
}

impl SplitSketch {
    /// Whether a row goes to the first child of this split.
    pub(crate) fn goes_to_first_child(&self, table: &RankedTable, row: u32) -> bool {
        let row = row as usize;
        match table.feature(self.feature) {
            RankedFeature::Ordered { ranks, .. } if ranks[row] == NO_VALUE => self.missing_first,
            RankedFeature::Levels { codes, n_levels } if codes[row] == *n_levels => self.missing_first,
            feature => match &self.test {
                RankTest::Below(rank) => feature.codes()[row] <= *rank,
                RankTest::Level(level) => feature.codes()[row] == *level,
                RankTest::Levels(levels) => levels.binary_search(&feature.codes()[row]).is_ok(),
                RankTest::Known => true,
            },
        }
    }

    /// Converts a root split to the form of a claim, with bounds on its two children.
    pub(crate) fn to_split_bound(
        &self,
        table: &RankedTable,
        [first, second]: [Option<f64>; 2],
    ) -> SplitBound {
        let test = match (&self.test, table.feature(self.feature)) {
            (RankTest::Level(level), _) => SplitTest::Level(*level),
            (RankTest::Below(rank), RankedFeature::Ordered { values, .. })
                if (*rank as usize) + 1 < values.len() =>
            {
                SplitTest::AtMost(table.tree_split(self.feature, *rank, rank + 1))
            }
            _ => SplitTest::Known,
        };
        SplitBound { feature: self.feature, test, missing_first: self.missing_first, first, second }
    }
}

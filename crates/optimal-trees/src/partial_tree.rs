//! A tree during the search; its splits test ranks of values, or levels.

use crate::ranked_table::{NO_VALUE, RankedFeature, RankedTable};
use crate::tree_certificate::{SplitBound, SplitTest};

/// Test of a split; rows that satisfy it go to the first child.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RankSplitTest {
    /// The rank of the value among the distinct values of the feature is at most this number.
    Below(u32),
    Level(u32),
    /// The value is one of these levels, which ascend.
    Levels(Vec<u32>),
    Known,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartialTreeSplit {
    pub(crate) feature: usize,
    pub(crate) test: RankSplitTest,
    pub(crate) missing_first: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartialTree {
    Leaf,
    /// Leaf that predicts this class, even if another prediction costs less.
    Answer(u32),
    /// Placeholder for a stump, the best tree of at most one split; it is computed when needed.
    Stump,
    Split(PartialTreeSplit, Box<[PartialTree; 2]>),
}

impl PartialTree {
    pub(crate) fn has_placeholder(&self) -> bool {
        match self {
            Self::Stump => true,
            Self::Split(_, sides) => sides.iter().any(Self::has_placeholder),
            Self::Leaf | Self::Answer(_) => false,
        }
    }
}

impl PartialTreeSplit {
    pub(crate) fn goes_to_first_child(&self, table: &RankedTable, row: u32) -> bool {
        let row = row as usize;
        match table.feature(self.feature) {
            RankedFeature::Ordered { ranks, .. } if ranks[row] == NO_VALUE => self.missing_first,
            RankedFeature::Levels { codes, n_levels } if codes[row] == *n_levels => self.missing_first,
            feature => match &self.test {
                RankSplitTest::Below(rank) => feature.codes()[row] <= *rank,
                RankSplitTest::Level(level) => feature.codes()[row] == *level,
                RankSplitTest::Levels(levels) => levels.binary_search(&feature.codes()[row]).is_ok(),
                RankSplitTest::Known => true,
            },
        }
    }

    pub(crate) fn to_split_bound(
        &self,
        table: &RankedTable,
        [first, second]: [Option<f64>; 2],
    ) -> SplitBound {
        let test = match (&self.test, table.feature(self.feature)) {
            (RankSplitTest::Level(level), _) => SplitTest::Level(*level),
            (RankSplitTest::Below(rank), RankedFeature::Ordered { values, .. })
                if (*rank as usize) + 1 < values.len() =>
            {
                SplitTest::AtMost(table.threshold_between_ranks(self.feature, *rank, rank + 1))
            }
            _ => SplitTest::Known,
        };
        SplitBound { feature: self.feature, test, missing_first: self.missing_first, first, second }
    }
}

//! A tree while it is sought: where rows go, in ranks and levels.

use crate::claim::{CutBound, CutTest};
use crate::table::{Feature, NO_VALUE, Table};

/// What sends rows to the first side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// A rank of at most this.
    Below(u32),
    /// This level.
    Level(u32),
    /// One of these levels, ascending.
    Levels(Vec<u32>),
    /// Any value.
    Known,
}

/// How a node splits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    pub(crate) feature: usize,
    pub(crate) test: Test,
    /// Whether rows without a value go to the first side.
    pub(crate) missing_first: bool,
}

/// A tree, as far as it has been thought through.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sketch {
    Leaf,
    /// A leaf that answers so whatever it costs.
    Answer(u32),
    /// The best tree of at most one split, which is found again when needed.
    Stump,
    Split(Split, Box<[Sketch; 2]>),
}

impl Sketch {
    /// Whether some split of it is still to be found again.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Self::Stump => true,
            Self::Split(_, sides) => sides.iter().any(Self::is_open),
            Self::Leaf | Self::Answer(_) => false,
        }
    }
}

impl Split {
    /// Whether a row goes to the first side.
    pub(crate) fn takes(&self, table: &Table, row: u32) -> bool {
        let row = row as usize;
        match table.feature(self.feature) {
            Feature::Ordered { ranks, .. } if ranks[row] == NO_VALUE => self.missing_first,
            Feature::Levels { codes, n_levels } if codes[row] == *n_levels => self.missing_first,
            of => match &self.test {
                Test::Below(rank) => of.codes()[row] <= *rank,
                Test::Level(level) => of.codes()[row] == *level,
                Test::Levels(levels) => levels.binary_search(&of.codes()[row]).is_ok(),
                Test::Known => true,
            },
        }
    }

    /// The split of all rows, with what its sides cost at least.
    pub(crate) fn bounded(&self, table: &Table, [first, second]: [Option<f64>; 2]) -> CutBound {
        let test = match (&self.test, table.feature(self.feature)) {
            (Test::Level(level), _) => CutTest::Level(*level),
            (Test::Below(rank), Feature::Ordered { values, .. }) if (*rank as usize) + 1 < values.len() => {
                CutTest::AtMost(table.cut(self.feature, *rank, rank + 1))
            }
            _ => CutTest::Known,
        };
        CutBound { feature: self.feature, test, missing_first: self.missing_first, first, second }
    }
}

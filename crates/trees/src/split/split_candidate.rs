//! Split of one column, the rows of its branches, and the comparison of splits.

use crate::rows::train_column::{FlaggedRow, TrainColumn, row_of_entry};
use crate::rows::training::TreeSample;
use crate::settings::Settings;
use crate::split::thresholds::first_threshold_between;
use crate::tree::TreeSplit;
use imbcore_core::midpoint;
use std::ops::Range;

/// Relative margin by which a later split must exceed the score of an earlier split.
/// Smaller differences count as ties.
pub(crate) const TIE: f64 = 1e-9;

/// Split of a column at a node, given by positions, ranks, values or levels.
///
/// A position is an index into the node's rows sorted by the column. If the column is binned, a position is a
/// bin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnSplit {
    /// Rows before this position go left, all other rows with a value go right.
    FirstPositions(usize),
    /// Rows with ranks below this rank go left, all other rows go right.
    RankBelow(u32),
    /// The `n_left` rows with values of at most `bound` go left, all other rows right.
    ValueAtMost { bound: f64, n_left: usize },
    /// Rows with a value go left, rows with a missing value go right.
    Known,
    /// Rows at these positions (the rows of one level) go left, other rows with a value right.
    IsLevel(Range<usize>),
    /// Rows of these levels (ascending) go left, other rows with a value go right.
    InLevels(Vec<u32>),
    /// One branch for each level; the field is the number of branches.
    EachLevel(usize),
}

impl ColumnSplit {
    pub(crate) fn is_numeric(&self) -> bool {
        matches!(self, Self::FirstPositions(_) | Self::RankBelow(_) | Self::ValueAtMost { .. })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SplitCandidate {
    pub(crate) column: usize,
    pub(crate) score: f64,
    pub(crate) found: ColumnSplit,
    pub(crate) missing_branch: Option<u32>,
    /// Split information (denominator of the gain ratio), if columns are compared by gain ratio.
    pub(crate) info: f64,
    pub(crate) n_cuts: usize,
    /// Classes that the split separates from all other classes.
    ///
    /// Empty for criteria that do not compare groups of classes.
    pub(crate) group: Vec<u32>,
}

pub(crate) fn is_better(score: f64, incumbent: f64) -> bool {
    if incumbent == 0.0 { score > 0.0 } else { score > incumbent * (1.0 + TIE) }
}

#[derive(Clone, Debug)]
pub(crate) struct NodeSplit {
    pub(crate) column: usize,
    pub(crate) gain: f64,
    pub(crate) found: ColumnSplit,
    pub(crate) missing_branch: Option<u32>,
    pub(crate) group: Vec<u32>,
}

impl NodeSplit {
    /// `order` contains the node's entries, grouped by the branches of the split.
    pub(crate) fn to_tree_split(
        &self,
        training: &TreeSample<'_>,
        settings: &Settings,
        order: &[FlaggedRow],
    ) -> TreeSplit {
        match (&self.found, &training.table.columns[self.column]) {
            (ColumnSplit::FirstPositions(n_left), TrainColumn::Numeric(values)) => {
                let values = values.strided_values();
                let value = |place: usize| values.get(row_of_entry(order[place]));
                let (below, above) = (value(n_left - 1), value(*n_left));
                let spaced = settings.splitter.n_spaced_thresholds().and_then(|n| {
                    let n_known = order.partition_point(|&entry| !values.get(row_of_entry(entry)).is_nan());
                    first_threshold_between(values, &order[..n_known], n, below, above)
                });
                TreeSplit::Below(spaced.unwrap_or_else(|| midpoint(below, above)))
            }
            (ColumnSplit::IsLevel(range), TrainColumn::Nominal { codes, .. }) => {
                TreeSplit::IsLevel(codes[row_of_entry(order[range.start])])
            }
            (ColumnSplit::ValueAtMost { bound, .. }, _) => TreeSplit::Below(*bound),
            (ColumnSplit::EachLevel(_), _) => TreeSplit::EachLevel,
            // The offset of the level set is 0 until the tree is assembled.
            (ColumnSplit::InLevels(_), _) => TreeSplit::InLevels(0),
            _ => TreeSplit::Known,
        }
    }

    pub(crate) fn n_branches(&self) -> usize {
        match self.found {
            ColumnSplit::EachLevel(n_branches) => n_branches,
            _ => 2,
        }
    }

    /// Divides the positions of rows with a value into ranges; returns each range's branch.
    pub(crate) fn branch_ranges(
        &self,
        n_known: usize,
        levels: impl Iterator<Item = (Range<usize>, u32)>,
    ) -> Vec<(Range<usize>, usize)> {
        match &self.found {
            ColumnSplit::FirstPositions(n_left) | ColumnSplit::ValueAtMost { n_left, .. } => {
                vec![(0..*n_left, 0), (*n_left..n_known, 1)]
            }
            ColumnSplit::IsLevel(range) => {
                vec![(0..range.start, 1), (range.clone(), 0), (range.end..n_known, 1)]
            }
            ColumnSplit::EachLevel(_) => levels.map(|(run, code)| (run, code as usize)).collect(),
            ColumnSplit::InLevels(left) => {
                let branch = |code| usize::from(left.binary_search(&code).is_err());
                levels.map(|(run, code)| (run, branch(code))).collect()
            }
            // For a split by rank, the caller converts the rank to a position before rows are partitioned.
            ColumnSplit::Known | ColumnSplit::RankBelow(_) => vec![(0..n_known, 0)],
        }
    }
}

pub(crate) fn level_ranges<'r>(
    codes: &'r [u32],
    known: &'r [FlaggedRow],
) -> impl Iterator<Item = (Range<usize>, u32)> + 'r {
    let groups = known.chunk_by(|&a, &b| codes[row_of_entry(a)] == codes[row_of_entry(b)]);
    groups.scan(0, |end, group| {
        let start = *end;
        *end += group.len();
        Some((start..*end, codes[row_of_entry(group[0])]))
    })
}

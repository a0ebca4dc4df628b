//! A split of one column: how it parts the places of its rows, and which of two is better.

use crate::rows::entry::{Entry, TrainColumn, row_of};
use crate::rows::training::Training;
use crate::settings::Settings;
use crate::split::thresholds::threshold_between;
use crate::tree::Cut;
use imbcore_base::midpoint;
use std::ops::Range;

/// A later candidate must beat an earlier one by this share; smaller differences are ties.
pub(crate) const TIE: f64 = 1e-9;

/// How a candidate splits the places of its column: its sorted rows, or its bins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FoundSplit {
    /// The first so many places with a value against the rest.
    Below(usize),
    /// Rows of a rank below this against the rest.
    Under(u32),
    /// Rows of a value of at most `bound`, `n_left` of them, against the rest.
    AtMost { bound: f64, n_left: usize },
    /// Rows with a value against those without.
    Known,
    /// This range of the places (one level) against the rest.
    IsLevel(Range<usize>),
    /// Rows of these levels, ascending, against the rest.
    InLevels(Vec<u32>),
    /// Every level apart, in so many branches.
    EachLevel(usize),
}

impl FoundSplit {
    /// Whether small values go to the first branch and large ones to the second.
    pub(crate) fn is_by_size(&self) -> bool {
        matches!(self, Self::Below(_) | Self::Under(_) | Self::AtMost { .. })
    }
}

/// The best split of one column.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) column: usize,
    pub(crate) score: f64,
    pub(crate) found: FoundSplit,
    /// Branch of rows without a value, where the scan decided it.
    pub(crate) missing_branch: Option<u32>,
    /// Split information, where the choice among columns needs it.
    pub(crate) info: f64,
    /// Number of feasible cuts, counted where the choice among columns needs it.
    pub(crate) n_cuts: usize,
    /// The class group of the score, where the criterion compares groups of more than two classes.
    pub(crate) group: Vec<u32>,
}

/// Whether a later score replaces an earlier one.
pub(crate) fn beats(score: f64, incumbent: f64) -> bool {
    if incumbent == 0.0 { score > 0.0 } else { score > incumbent * (1.0 + TIE) }
}

/// A split ready to be carried out.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) column: usize,
    pub(crate) gain: f64,
    pub(crate) found: FoundSplit,
    pub(crate) missing_branch: Option<u32>,
    pub(crate) group: Vec<u32>,
}

impl Split {
    /// The node's rule, read off the sorted entries of its column.
    pub(crate) fn cut(&self, training: &Training<'_>, settings: &Settings, order: &[Entry]) -> Cut {
        match (&self.found, &training.table.columns[self.column]) {
            (FoundSplit::Below(n_left), TrainColumn::Numeric(values)) => {
                let values = values.all();
                let value = |place: usize| values.get(row_of(order[place]));
                let (below, above) = (value(n_left - 1), value(*n_left));
                let spaced = settings.cuts.spaced().and_then(|n| {
                    let n_known = order.partition_point(|&entry| !values.get(row_of(entry)).is_nan());
                    threshold_between(values, &order[..n_known], n, below, above)
                });
                Cut::Below(spaced.unwrap_or_else(|| midpoint(below, above)))
            }
            (FoundSplit::IsLevel(range), TrainColumn::Nominal { codes, .. }) => {
                Cut::IsLevel(codes[row_of(order[range.start])])
            }
            (FoundSplit::AtMost { bound, .. }, _) => Cut::Below(*bound),
            (FoundSplit::EachLevel(_), _) => Cut::EachLevel,
            // The tree knows where the set lies when it is whole.
            (FoundSplit::InLevels(_), _) => Cut::InLevels(0),
            _ => Cut::Known,
        }
    }

    /// Number of branches.
    pub(crate) fn n_branches(&self) -> usize {
        match self.found {
            FoundSplit::EachLevel(n_branches) => n_branches,
            _ => 2,
        }
    }

    /// Runs of the places with a value and the branch each goes to; `levels` tells the places of the levels.
    pub(crate) fn runs(
        &self,
        n_known: usize,
        levels: impl Iterator<Item = (Range<usize>, u32)>,
    ) -> Vec<(Range<usize>, usize)> {
        match &self.found {
            FoundSplit::Below(n_left) | FoundSplit::AtMost { n_left, .. } => {
                vec![(0..*n_left, 0), (*n_left..n_known, 1)]
            }
            FoundSplit::IsLevel(range) => {
                vec![(0..range.start, 1), (range.clone(), 0), (range.end..n_known, 1)]
            }
            FoundSplit::EachLevel(_) => levels.map(|(run, code)| (run, code as usize)).collect(),
            FoundSplit::InLevels(left) => {
                let branch = |code| usize::from(left.binary_search(&code).is_err());
                levels.map(|(run, code)| (run, branch(code))).collect()
            }
            // A rank is settled to a number of places before rows are divided.
            FoundSplit::Known | FoundSplit::Under(_) => vec![(0..n_known, 0)],
        }
    }
}

/// Runs of entries of one level, with the level.
pub(crate) fn level_runs<'r>(
    codes: &'r [u32],
    known: &'r [Entry],
) -> impl Iterator<Item = (Range<usize>, u32)> + 'r {
    let groups = known.chunk_by(|&a, &b| codes[row_of(a)] == codes[row_of(b)]);
    groups.scan(0, |end, group| {
        let start = *end;
        *end += group.len();
        Some((start..*end, codes[row_of(group[0])]))
    })
}

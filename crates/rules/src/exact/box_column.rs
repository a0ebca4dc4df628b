//! A box with the minority row groups it covers and the majority row groups it hits.
//!
//! A row group has all rows of one class with equal codes; no box separates them. A box hits a majority row
//! group if no side of the box excludes the group.

use crate::bit_set::BitSet;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::problem::{BoxObjective, ScaledBox, ScaledRows, shrink_to_hull};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Result, RunContext};

/// A box, given by one candidate per side, and the groups of equal rows it covers and hits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BoxColumn {
    pub at: Vec<u16>,
    /// Groups of equal minority rows that the box covers.
    pub pos: BitSet,
    /// Groups of equal majority rows that the box hits.
    pub neg: BitSet,
}

impl BoxColumn {
    pub(crate) fn new(codes: &EncodedRows, at: Vec<u16>) -> Self {
        let (pos, neg) = codes.covered_and_hit_groups(&at);
        Self { at, pos, neg }
    }

    /// The smallest box that covers the given groups of minority rows; `None` without groups.
    pub(crate) fn smallest_box_around(codes: &EncodedRows, of: impl Iterator<Item = usize>) -> Option<Self> {
        let mut at: Option<Vec<u16>> = None;
        for p in of {
            let lost = codes.exclusions_of_minority_group(p).iter().map(|lost| lost - 1);
            at = Some(match at {
                None => lost.collect(),
                Some(at) => at.into_iter().zip(lost).map(|(at, lost)| at.min(lost)).collect(),
            });
        }
        at.map(|at| Self::new(codes, at))
    }

    /// Expands the box without hitting another group of equal majority rows.
    ///
    /// The box is expanded to cover other groups of minority rows, one after the other. If the objective has
    /// a reward for width, the sides are instead moved outwards as far as possible, one after the other.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] if a limit is reached or the run is cancelled.
    pub(crate) fn expand_without_new_hits(
        mut self,
        codes: &EncodedRows,
        budget: &SearchBudget<'_>,
    ) -> Result<Self> {
        if !codes.side_width.is_empty() {
            return self.expand_sides(codes, budget);
        }
        let steps = codes.steps_per_check(codes.words_per_majority_set());
        for p in 0..codes.n_minority_groups() {
            if (p + 1).is_multiple_of(steps) {
                budget.check_limits()?;
            }
            if !self.pos.contains(p) {
                let at = self.sides_extended_to_group(codes, p);
                if !self.hits_further_groups(codes, &at) {
                    self = Self::new(codes, at);
                }
            }
        }
        Ok(self)
    }

    fn expand_sides(mut self, codes: &EncodedRows, budget: &SearchBudget<'_>) -> Result<Self> {
        let mut at = self.at.clone();
        let steps = codes.steps_per_check(codes.words_per_majority_set());
        for side in 0..codes.n_sides {
            if (side + 1).is_multiple_of(steps) {
                budget.check_limits()?;
            }
            while at[side] > 0 {
                at[side] -= 1;
                if self.hits_further_groups(codes, &at) {
                    at[side] += 1;
                    break;
                }
            }
        }
        if at != self.at {
            self = Self::new(codes, at);
        }
        Ok(self)
    }

    /// Whether the box cannot grow without hitting another group of equal majority rows.
    ///
    /// To grow means to cover another group of equal minority rows or, if widths are rewarded, to move one
    /// side by one step.
    pub(crate) fn is_maximal(&self, codes: &EncodedRows) -> bool {
        if codes.side_width.is_empty() {
            return (0..codes.n_minority_groups()).all(|p| {
                self.pos.contains(p)
                    || self.hits_further_groups(codes, &self.sides_extended_to_group(codes, p))
            });
        }
        (0..codes.n_sides).filter(|&side| self.at[side] > 0).all(|side| {
            let mut at = self.at.clone();
            at[side] -= 1;
            self.hits_further_groups(codes, &at)
        })
    }

    fn sides_extended_to_group(&self, codes: &EncodedRows, p: usize) -> Vec<u16> {
        self.at
            .iter()
            .zip(codes.exclusions_of_minority_group(p))
            .map(|(&at, lost)| at.min(lost - 1))
            .collect()
    }

    fn hits_further_groups(&self, codes: &EncodedRows, at: &[u16]) -> bool {
        !codes.hit_majority_groups(at).is_subset(&self.neg)
    }

    pub(crate) fn width_reward(&self, codes: &EncodedRows) -> f64 {
        codes.side_width.iter().zip(&self.at).map(|(width, &at)| width[usize::from(at)]).sum()
    }
}

/// Encodes given boxes as columns, and returns at most as many as a set may have.
///
/// Boxes that cover no minority row are dropped. If there is a reward for width, boxes with a lower bound
/// above the upper bound are dropped instead.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`] if the run is cancelled.
pub(crate) fn encode_boxes(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    codes: &EncodedRows,
    start: &[ScaledBox],
    ctl: RunContext<'_>,
) -> Result<Vec<BoxColumn>> {
    let mut columns = Vec::new();
    for walls in start {
        ctl.check()?;
        let tight = if goal.expand > 0.0 { Some(walls.clone()) } else { shrink_to_hull(rows, goal, walls) };
        let Some(tight) = tight else { continue };
        let column = BoxColumn::new(codes, codes.encode_box(&tight));
        if codes.side_width.is_empty() || codes.has_ordered_bounds(&column.at) {
            columns.push(column);
        }
    }
    columns.truncate(goal.n_boxes);
    Ok(columns)
}

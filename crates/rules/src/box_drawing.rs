//! Box drawings (Goh and Rudin 2014, section 2): rows inside at least one box are positive.

use crate::feature_space::{BoxBounds, FeatureSpace, has_level};
use crate::row_pass::{PartitionRequestKind, RowPass, run_pass};
use crate::row_source::{BLOCK, ColumnBlock, RowSource, map_row_blocks};
use imbcore_core::{Column, Error, Frame, MISSING, Result, RunContext};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// Treatment of missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingRule {
    /// A table with missing values causes an error.
    Error,
    /// A missing value violates a condition, unless the condition accepts missing values.
    #[default]
    Outside,
    /// A missing value satisfies every condition of a box on the feature.
    Inside,
}

/// Rows of a block are tested one by one if at most the fraction `1 / FEW` of them remains.
///
/// A row remains if it satisfies all conditions of the box that were tested so far. If more rows remain, the
/// next condition is tested on all rows of the block, without branches.
const FEW: usize = 8;

/// Number that is stored instead of a box number if a row is outside all boxes.
pub const NO_BOX: u32 = u32::MAX;

/// Ordered list of boxes, with bounds in the original units of the features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxDrawing {
    space: FeatureSpace,
    lower: Vec<f64>,
    upper: Vec<f64>,
    sets: Vec<u32>,
    /// Whether a missing value satisfies a condition even if the [`MissingRule`] is `Outside`.
    ///
    /// The array has one entry for each box and feature, box by box.
    or_missing: Vec<bool>,
    n_boxes: usize,
}

impl BoxDrawing {
    /// Collects boxes into a set.
    ///
    /// # Errors
    /// [`Error::Internal`] if the features of a box are not those of `space`.
    pub fn new(space: FeatureSpace, boxes: &[BoxBounds]) -> Result<Self> {
        let (n, words) = (space.n_features(), space.n_level_words());
        let mut drawing = Self {
            space,
            lower: vec![],
            upper: vec![],
            sets: vec![],
            or_missing: vec![],
            n_boxes: boxes.len(),
        };
        for bounds in boxes {
            let features = [bounds.lower.len(), bounds.upper.len(), bounds.or_missing.len()];
            if features != [n; 3] || bounds.sets.len() != words {
                return Err(Error::Internal("a box and its drawing have different features".into()));
            }
            drawing.lower.extend(&bounds.lower);
            drawing.upper.extend(&bounds.upper);
            drawing.sets.extend(&bounds.sets);
            drawing.or_missing.extend(&bounds.or_missing);
        }
        Ok(drawing)
    }

    /// Builds a box drawing from the arrays of an untrusted file, and validates the arrays.
    ///
    /// `lower` and `upper` are `n_boxes x n_features`. `sets` contains the allowed levels of each box as bit
    /// sets. If `or_missing` is empty, missing values satisfy no condition under the [`MissingRule`]
    /// `Outside`.
    ///
    /// # Errors
    /// [`Error::Format`] describing the first violation.
    pub(crate) fn from_arrays(
        space: FeatureSpace,
        n_boxes: usize,
        lower: Vec<f64>,
        upper: Vec<f64>,
        sets: Vec<u32>,
        or_missing: Vec<bool>,
    ) -> Result<Self> {
        let cells = n_boxes.checked_mul(space.n_features());
        let words = n_boxes.checked_mul(space.n_level_words());
        let missing = or_missing.is_empty() || Some(or_missing.len()) == cells;
        if Some(lower.len()) != cells || Some(upper.len()) != cells || Some(sets.len()) != words || !missing {
            return Err(Error::damaged("arrays of boxes have wrong lengths"));
        }
        let or_missing = if or_missing.is_empty() { vec![false; lower.len()] } else { or_missing };
        if lower.iter().chain(&upper).any(|bound| bound.is_nan()) {
            return Err(Error::damaged("a bound of a box is NaN"));
        }
        let drawing = Self { space, lower, upper, sets, or_missing, n_boxes };
        let everything = drawing.space.unbounded_box();
        for number in 0..n_boxes {
            let (lower, upper, sets) = drawing.box_arrays(number);
            for feature in 0..drawing.space.n_features() {
                let words = drawing.space.level_word_range(feature);
                let nominal = !words.is_empty();
                let bounded = lower[feature] > f64::NEG_INFINITY || upper[feature] < f64::INFINITY;
                let foreign =
                    sets[words.clone()].iter().zip(&everything.sets[words]).any(|(set, all)| set & !all != 0);
                if (nominal && bounded) || foreign {
                    return Err(Error::damaged("a box has a bound or a level that its feature cannot have"));
                }
            }
        }
        Ok(drawing)
    }

    /// The feature space.
    pub fn feature_space(&self) -> &FeatureSpace {
        &self.space
    }

    /// Number of boxes.
    pub fn n_boxes(&self) -> usize {
        self.n_boxes
    }

    /// Lower bounds, `n_boxes x n_features`.
    pub fn lower_bounds(&self) -> &[f64] {
        &self.lower
    }

    /// Upper bounds, `n_boxes x n_features`.
    pub fn upper_bounds(&self) -> &[f64] {
        &self.upper
    }

    pub(crate) fn allowed_level_sets(&self) -> &[u32] {
        &self.sets
    }

    pub(crate) fn missing_acceptance_flags(&self) -> &[bool] {
        &self.or_missing
    }

    pub(crate) fn accepts_missing(&self, number: usize, feature: usize, missing: MissingRule) -> bool {
        missing == MissingRule::Inside || self.or_missing[number * self.space.n_features() + feature]
    }

    pub(crate) fn box_arrays(&self, number: usize) -> (&[f64], &[f64], &[u32]) {
        let (n, words) = (self.space.n_features(), self.space.n_level_words());
        let cells = number * n..(number + 1) * n;
        (&self.lower[cells.clone()], &self.upper[cells], &self.sets[number * words..(number + 1) * words])
    }

    pub(crate) fn box_bounds(&self, number: usize) -> BoxBounds {
        let (lower, upper, sets) = self.box_arrays(number);
        let n = self.space.n_features();
        let or_missing = self.or_missing[number * n..(number + 1) * n].to_vec();
        BoxBounds { lower: lower.to_vec(), upper: upper.to_vec(), sets: sets.to_vec(), or_missing }
    }

    pub(crate) fn restricts_feature(&self, number: usize, feature: usize) -> bool {
        let (lower, upper, sets) = self.box_arrays(number);
        lower[feature] > f64::NEG_INFINITY
            || upper[feature] < f64::INFINITY
            || !self.space.has_all_levels(feature, &sets[self.space.level_word_range(feature)])
    }

    pub(crate) fn mark_rows_inside_box(
        &self,
        number: usize,
        parts: &[ColumnBlock<'_>],
        missing: MissingRule,
        mask: &mut [u8],
    ) {
        mask.fill(1);
        let (lower, upper, sets) = self.box_arrays(number);
        // Invariant: `mask` marks the rows that satisfy the conditions on the features visited so far. If at
        // most the fraction `1 / FEW` of the rows is marked, `left` lists the marked rows.
        let mut left: Option<Vec<usize>> = None;
        for (feature, part) in
            parts.iter().enumerate().filter(|&(feature, _)| self.restricts_feature(number, feature))
        {
            let inside = self.accepts_missing(number, feature, missing);
            let (low, high) = (lower[feature], upper[feature]);
            let number = |x: f64| {
                (u8::from(x >= low) & u8::from(x <= high)) | (u8::from(inside) & u8::from(x.is_nan()))
            };
            let set = &sets[self.space.level_word_range(feature)];
            let level = |code: u32| u8::from(if code == MISSING { inside } else { has_level(set, code) });
            match (&mut left, part) {
                (None, ColumnBlock::Numbers(values)) => {
                    mask.iter_mut().zip(*values).for_each(|(mark, &x)| *mark &= number(x));
                }
                (None, ColumnBlock::Codes(codes)) => {
                    mask.iter_mut().zip(*codes).for_each(|(mark, &code)| *mark &= level(code));
                }
                (Some(left), part) => left.retain(|&place| {
                    mask[place] = match part {
                        ColumnBlock::Numbers(values) => number(values[place]),
                        ColumnBlock::Codes(codes) => level(codes[place]),
                    };
                    mask[place] == 1
                }),
            }
            match &left {
                Some(left) if left.is_empty() => return,
                Some(_) => {}
                None => {
                    let n_left: usize = mask.iter().map(|&mark| usize::from(mark)).sum();
                    if n_left * FEW <= mask.len() {
                        left = Some((0..mask.len()).filter(|&place| mask[place] == 1).collect());
                    }
                }
            }
        }
    }

    /// Returns, for each row, the number of the first box that contains the row.
    ///
    /// If no box contains the row, the number is [`NO_BOX`].
    ///
    /// # Errors
    /// [`Error::Data`] if the features of the table are not those of the boxes, and [`Error::Cancelled`].
    pub fn first_containing_box(
        &self,
        frame: &Frame<'_>,
        missing: MissingRule,
        ctl: RunContext<'_>,
    ) -> Result<Vec<u32>> {
        self.space.check_features_match(frame)?;
        let parts = map_row_blocks(frame, ctl, Vec::new, |found: &mut Vec<u32>, rows, parts| {
            let start = found.len();
            found.resize(start + rows.len(), NO_BOX);
            let mut mask = [0; BLOCK];
            let mask = &mut mask[..rows.len()];
            for number in 0..self.n_boxes {
                self.mark_rows_inside_box(number, parts, missing, mask);
                for (first, &mark) in found[start..].iter_mut().zip(&*mask) {
                    if mark == 1 && *first == NO_BOX {
                        *first = number as u32;
                    }
                }
            }
            Ok(())
        });
        Ok(parts?.concat())
    }

    pub(crate) fn contains_row(&self, frame: &Frame<'_>, row: usize, missing: MissingRule) -> bool {
        (0..self.n_boxes).any(|number| {
            let (lower, upper, sets) = self.box_arrays(number);
            frame.columns().iter().enumerate().all(|(feature, column)| match column {
                Column::Numeric(values) => {
                    let (x, low, high) = (values.get(row), lower[feature], upper[feature]);
                    let free = low == f64::NEG_INFINITY && high == f64::INFINITY;
                    if x.is_nan() {
                        free || self.accepts_missing(number, feature, missing)
                    } else {
                        x >= low && x <= high
                    }
                }
                Column::Nominal { codes, .. } => {
                    let set = &sets[self.space.level_word_range(feature)];
                    let free = || {
                        self.accepts_missing(number, feature, missing)
                            || self.space.has_all_levels(feature, set)
                    };
                    if codes[row] == MISSING { free() } else { has_level(set, codes[row]) }
                }
            })
        })
    }

    /// For each box, the weight of all rows inside it, and of the positive rows inside it.
    ///
    /// The row numbers in `positive_rows` must be ascending.
    ///
    /// # Errors
    /// Same errors as [`Self::first_containing_box`].
    pub(crate) fn support_weights(
        &self,
        table: &dyn RowSource,
        missing: MissingRule,
        (weights, positive_rows): (Option<&[f64]>, &[usize]),
        ctl: RunContext<'_>,
    ) -> Result<Vec<(f64, f64)>> {
        if let Some(frame) = table.in_memory_table() {
            self.space.check_features_match(frame)?;
        }
        let step = BoxSupportPass {
            drawing: Cow::Borrowed(self),
            missing,
            of: Cow::Borrowed(positive_rows),
            weights,
        };
        Ok(step.add_part_sums(run_pass(table, &step, ctl)?))
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct BoxSupportPass<'a> {
    drawing: Cow<'a, BoxDrawing>,
    missing: MissingRule,
    /// Numbers of the positive rows, ascending.
    of: Cow<'a, [usize]>,
    #[serde(skip)]
    weights: Option<&'a [f64]>,
}

impl BoxSupportPass<'_> {
    fn add_part_sums(&self, parts: Vec<Vec<(f64, f64)>>) -> Vec<(f64, f64)> {
        let mut sums = self.new_partial_result();
        for part in parts {
            for (sum, part) in sums.iter_mut().zip(part) {
                sum.0 += part.0;
                sum.1 += part.1;
            }
        }
        sums
    }
}

impl RowPass for BoxSupportPass<'_> {
    const KIND: PartitionRequestKind = PartitionRequestKind::Support;
    type Part = Vec<(f64, f64)>;

    fn new_partial_result(&self) -> Vec<(f64, f64)> {
        vec![(0.0, 0.0); self.drawing.n_boxes]
    }

    fn add_block(&self, sums: &mut Vec<(f64, f64)>, rows: Range<usize>, blocks: &[ColumnBlock<'_>]) {
        let mut positive = [0.0; BLOCK];
        let first = self.of.partition_point(|&row| row < rows.start);
        for row in self.of[first..].iter().take_while(|row| rows.contains(row)) {
            positive[row - rows.start] = 1.0;
        }
        let mut mask = [0; BLOCK];
        let mask = &mut mask[..rows.len()];
        for (number, sum) in sums.iter_mut().enumerate() {
            self.drawing.mark_rows_inside_box(number, blocks, self.missing, mask);
            for (place, _) in mask.iter().enumerate().filter(|(_, mark)| **mark == 1) {
                let weight = self.weights.map_or(1.0, |weights| weights[rows.start + place]);
                sum.0 += weight;
                sum.1 += weight * positive[place];
            }
        }
    }

    /// Adds the sums of all tasks of a remote partition to one pair of sums per box.
    ///
    /// Rows of remote partitions have no weights. Their sums are row counts, which are exact in any order of
    /// addition.
    fn merge_partial_results(&self, parts: Vec<Vec<(f64, f64)>>) -> Vec<Vec<(f64, f64)>> {
        vec![self.add_part_sums(parts)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_space::{FeatureAxisType, add_level};

    fn drawing() -> BoxDrawing {
        let space = FeatureSpace::new(vec![FeatureAxisType::Numeric, FeatureAxisType::Nominal(3)]);
        let mut first = space.unbounded_box();
        (first.lower[0], first.upper[0]) = (1.0, 2.0);
        let mut second = space.unbounded_box();
        second.sets = vec![0];
        add_level(&mut second.sets, 2);
        BoxDrawing::new(space, &[first, second]).unwrap()
    }

    #[test]
    fn bounds_are_inclusive_and_the_first_box_wins() {
        let x = [1.0, 2.0, 0.999, 2.5, f64::NAN, f64::NAN];
        let codes = [0, 2, 2, 1, 2, MISSING];
        let frame =
            Frame::new(vec![Column::from_numbers(&x), Column::Nominal { codes: &codes, levels: 3 }]).unwrap();
        let ctl = RunContext::silent();
        let outside = drawing().first_containing_box(&frame, MissingRule::Outside, ctl).unwrap();
        assert_eq!(outside, [0, 0, 1, NO_BOX, 1, NO_BOX]);
        let inside = drawing().first_containing_box(&frame, MissingRule::Inside, ctl).unwrap();
        assert_eq!(inside, [0, 0, 1, NO_BOX, 0, 0]);
        for (missing, first) in [(MissingRule::Outside, outside), (MissingRule::Inside, inside)] {
            let held = (0..6).map(|row| drawing().contains_row(&frame, row, missing));
            assert!(held.eq(first.iter().map(|&first| first != NO_BOX)));
        }
        let weights: Vec<f64> = (1..=6).map(f64::from).collect();
        let support =
            drawing().support_weights(&frame, MissingRule::Outside, (Some(&weights), &[1]), ctl).unwrap();
        assert_eq!(support, [(3.0, 2.0), (2.0 + 3.0 + 5.0, 2.0)]);
        let other = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        assert!(drawing().first_containing_box(&other, MissingRule::Outside, ctl).is_err());
    }

    #[test]
    fn empty_and_unbounded_boxes_are_valid() {
        let space = FeatureSpace::new(vec![FeatureAxisType::Numeric]);
        let mut empty = space.unbounded_box();
        (empty.lower[0], empty.upper[0]) = (2.0, 1.0);
        let x = [1.5, f64::NAN];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let first = |boxes: &[BoxBounds]| {
            let drawing = BoxDrawing::new(space.clone(), boxes).unwrap();
            drawing.first_containing_box(&frame, MissingRule::Outside, RunContext::silent()).unwrap()
        };
        assert_eq!(first(&[]), [NO_BOX, NO_BOX]);
        assert_eq!(first(std::slice::from_ref(&empty)), [NO_BOX, NO_BOX]);
        assert_eq!(first(&[empty, space.unbounded_box()]), [1, 1]);
    }

    #[test]
    fn untrusted_arrays_are_validated() {
        let made = drawing();
        let arrays = || {
            (made.lower_bounds().to_vec(), made.upper_bounds().to_vec(), made.allowed_level_sets().to_vec())
        };
        let read = |n_boxes, (lower, upper, sets)| {
            BoxDrawing::from_arrays(made.feature_space().clone(), n_boxes, lower, upper, sets, vec![])
        };
        assert_eq!(read(2, arrays()).unwrap(), made);
        assert!(read(3, arrays()).is_err() && read(usize::MAX, arrays()).is_err());
        let mut nan = arrays();
        nan.0[0] = f64::NAN;
        let mut bounded_levels = arrays();
        bounded_levels.1[1] = 3.0;
        let mut foreign_level = arrays();
        foreign_level.2[0] = 8;
        for bad in [nan, bounded_levels, foreign_level] {
            assert!(matches!(read(2, bad), Err(Error::Format(_))));
        }
    }
}

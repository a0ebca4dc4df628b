//! Conversion of tree paths to boxes, and the rows that they match.

use crate::bits::BitSet;
use crate::blocks::{BLOCK, map_rows};
use crate::drawing::{BoxDrawing, MissingRule};
use crate::space::{BoxBounds, FeatureSpace, add_level};
use imbcore_core::{Column, Frame, Result, RunContext};
use std::collections::BTreeSet;

/// Condition of a test on a feature.
#[derive(Clone, Debug, PartialEq)]
pub enum TestCondition {
    /// Numbers up to this threshold.
    AtMost(f64),
    /// Numbers above this threshold.
    Above(f64),
    /// Levels of these codes.
    OneOf(Vec<u32>),
}

/// A test of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct PathTest {
    /// The feature.
    pub feature: usize,
    /// The condition.
    pub asks: TestCondition,
    /// Whether a missing value passes.
    pub or_missing: bool,
}

/// Conjunction of tests.
pub type TestPath = Vec<PathTest>;

/// A rule and the rows that it matches.
#[derive(Clone, Debug)]
pub(super) struct CandidateRule {
    pub(super) bounds: BoxBounds,
    pub(super) rows: BitSet,
}

/// Training data needed to convert thresholds to bounds.
struct ThresholdConverter {
    space: FeatureSpace,
    /// Sorted values of numeric features.
    values: Vec<Vec<f64>>,
    /// Whether a feature has missing values.
    holes: Vec<bool>,
}

impl ThresholdConverter {
    fn new(frame: &Frame<'_>) -> Self {
        let sorted = |column: &Column<'_>| match column {
            Column::Numeric(values) => {
                let mut values: Vec<f64> = values.iter().filter(|x| !x.is_nan()).collect();
                values.sort_unstable_by(f64::total_cmp);
                values
            }
            Column::Nominal { .. } => Vec::new(),
        };
        let holey = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
        Self {
            space: FeatureSpace::from_frame(frame),
            values: frame.columns().iter().map(sorted).collect(),
            holes: frame.columns().iter().map(holey).collect(),
        }
    }

    /// Inclusive lower bound that matches the same training rows as `x > threshold`.
    /// It differs from `threshold` only if a row has that value.
    fn above(&self, feature: usize, threshold: f64) -> f64 {
        let values = &self.values[feature];
        let first = values.partition_point(|&x| x < threshold);
        if values.get(first) == Some(&threshold) { threshold.next_up() } else { threshold }
    }

    /// The box of a path.
    ///
    /// A missing value satisfies a bound if every test of the feature lets it pass and training rows have missing
    /// values.
    fn bounds(&self, path: &TestPath) -> BoxBounds {
        let mut bounds = self.space.unbounded_box();
        let mut seen = BTreeSet::new();
        for PathTest { feature, asks, or_missing } in path {
            let feature = *feature;
            let first = seen.insert(feature);
            let before = first || bounds.or_missing[feature];
            bounds.or_missing[feature] = before && *or_missing && self.holes[feature];
            match asks {
                TestCondition::AtMost(threshold) => {
                    bounds.upper[feature] = bounds.upper[feature].min(*threshold);
                }
                TestCondition::Above(threshold) => {
                    bounds.lower[feature] = bounds.lower[feature].max(self.above(feature, *threshold));
                }
                TestCondition::OneOf(levels) => {
                    let words = self.space.words(feature);
                    let mut wanted = vec![0; words.len()];
                    for &level in levels {
                        add_level(&mut wanted, level);
                    }
                    for (word, wanted) in bounds.sets[words].iter_mut().zip(wanted) {
                        *word &= wanted;
                    }
                }
            }
        }
        bounds
    }

    /// Number of features that a box restricts.
    fn length(&self, bounds: &BoxBounds) -> usize {
        let is_restricted = |&feature: &usize| {
            bounds.lower[feature] > f64::NEG_INFINITY
                || bounds.upper[feature] < f64::INFINITY
                || !self.space.all_levels(feature, &bounds.sets[self.space.words(feature)])
        };
        (0..self.space.n_features()).filter(is_restricted).count()
    }
}

/// Converts paths to rules with distinct row sets, plus the rule that matches all rows.
///
/// Of rules with the same rows the one with the fewest features is kept, the first on ties.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`], and errors of [`BoxDrawing::new`].
pub(super) fn distinct_rules(
    frame: &Frame<'_>,
    paths: &[TestPath],
    ctl: RunContext<'_>,
) -> Result<Vec<CandidateRule>> {
    let ground = ThresholdConverter::new(frame);
    let mut boxes: Vec<BoxBounds> = vec![ground.space.unbounded_box()];
    boxes.extend(paths.iter().map(|path| ground.bounds(path)));
    // Stable sort: ties stay in the order of the trees.
    boxes.sort_by_cached_key(|bounds| ground.length(bounds));
    let mut stated = BTreeSet::new();
    boxes.retain(|bounds| stated.insert(box_key(bounds)));
    let drawing = BoxDrawing::new(ground.space, &boxes)?;
    let held = rows_in_boxes(&drawing, frame, ctl)?;
    let mut seen = BTreeSet::new();
    let rules = boxes.into_iter().zip(held).map(|(bounds, rows)| CandidateRule { bounds, rows });
    Ok(rules.filter(|rule| !rule.rows.is_empty() && seen.insert(rule.rows.clone())).collect())
}

/// Key that is equal only for equal boxes.
fn box_key(bounds: &BoxBounds) -> (Vec<u64>, Vec<u32>, Vec<bool>) {
    let numbers = bounds.lower.iter().chain(&bounds.upper).map(|bound| bound.to_bits()).collect();
    (numbers, bounds.sets.clone(), bounds.or_missing.clone())
}

/// The rows inside every box.
fn rows_in_boxes(drawing: &BoxDrawing, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<BitSet>> {
    let n_boxes = drawing.n_boxes();
    let fresh = || vec![Vec::new(); n_boxes];
    let parts = map_rows(frame, ctl, fresh, |found: &mut Vec<Vec<u32>>, rows, parts| {
        let mut mask = [0; BLOCK];
        let mask = &mut mask[..rows.len()];
        for (number, found) in found.iter_mut().enumerate() {
            drawing.mark(number, parts, MissingRule::Outside, mask);
            let marked = rows.clone().zip(&*mask).filter(|(_, mark)| **mark == 1);
            found.extend(marked.map(|(row, _)| row as u32));
        }
        Ok(())
    })?;
    let mut held = vec![BitSet::empty(frame.n_rows()); n_boxes];
    for part in parts {
        for (held, rows) in held.iter_mut().zip(part) {
            for row in rows {
                held.insert(row as usize);
            }
        }
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_most(feature: usize, threshold: f64) -> PathTest {
        PathTest { feature, asks: TestCondition::AtMost(threshold), or_missing: false }
    }

    fn above(feature: usize, threshold: f64) -> PathTest {
        PathTest { feature, asks: TestCondition::Above(threshold), or_missing: false }
    }

    fn rows(rule: &CandidateRule) -> Vec<usize> {
        rule.rows.iter().collect()
    }

    #[test]
    fn rules_with_equal_rows_are_merged_into_the_shortest() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let z = [0.0, 0.0, 1.0, 1.0];
        let frame = Frame::new(vec![Column::numeric(&x), Column::numeric(&z)]).unwrap();
        let paths = [
            vec![above(0, 2.5), above(1, 0.5)],
            vec![above(0, 2.25)],
            vec![above(0, 2.5)],
            vec![above(0, 2.0), at_most(0, 3.0)],
            vec![at_most(0, 0.5)],
        ];
        let found = distinct_rules(&frame, &paths, RunContext::silent()).unwrap();
        assert_eq!(found.iter().map(rows).collect::<Vec<_>>(), [vec![0, 1, 2, 3], vec![2, 3], vec![2]]);
        assert_eq!(found[1].bounds.lower[0], 2.25);
        // A row has the value of the threshold and does not pass `x > threshold`.
        assert_eq!((found[2].bounds.lower[0], found[2].bounds.upper[0]), (2.0_f64.next_up(), 3.0));
    }

    #[test]
    fn missing_values_pass_if_all_tests_accept_them() {
        let x = [1.0, f64::NAN, 3.0];
        let z = [0.0, 1.0, 2.0];
        let frame = Frame::new(vec![Column::numeric(&x), Column::numeric(&z)]).unwrap();
        let open = |test: PathTest| PathTest { or_missing: true, ..test };
        let paths = [
            vec![open(above(0, 2.0))],
            vec![open(above(0, 0.5)), at_most(0, 2.0)],
            vec![at_most(0, 2.0), open(above(0, 0.5)), open(at_most(1, 0.5))],
        ];
        let found = distinct_rules(&frame, &paths, RunContext::silent()).unwrap();
        let expected = [vec![0, 1, 2], vec![1, 2], vec![0]];
        assert_eq!(found.iter().map(rows).collect::<Vec<_>>(), expected);
        assert_eq!(found[1].bounds.or_missing, [true, false]);
        assert_eq!(found[2].bounds.or_missing, [false, false]);
    }

    #[test]
    fn levels_of_one_feature_are_intersected() {
        let codes = [0, 1, 2, 2];
        let frame = Frame::new(vec![Column::Nominal { codes: &codes, levels: 3 }]).unwrap();
        let one_of = |levels: &[u32]| PathTest {
            feature: 0,
            asks: TestCondition::OneOf(levels.to_vec()),
            or_missing: false,
        };
        let paths = [vec![one_of(&[0, 2]), one_of(&[1, 2])], vec![one_of(&[0]), one_of(&[1])]];
        let found = distinct_rules(&frame, &paths, RunContext::silent()).unwrap();
        assert_eq!(found.iter().map(rows).collect::<Vec<_>>(), [vec![0, 1, 2, 3], vec![2, 3]]);
    }
}

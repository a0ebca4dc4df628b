//! Conversion of tree paths to boxes, and the rows inside these boxes.

use crate::bit_set::BitSet;
use crate::box_drawing::{BoxDrawing, MissingRule};
use crate::feature_space::{BoxBounds, FeatureSpace, add_level};
use crate::row_source::{BLOCK, map_row_blocks};
use imbcore_core::{Column, Frame, Result, RunContext};
use std::collections::BTreeSet;

/// Condition of a tree node's test on the value of a feature.
#[derive(Clone, Debug, PartialEq)]
pub enum TestCondition {
    /// The value of the numeric feature is at most this threshold.
    AtMost(f64),
    /// The number is above this threshold.
    Above(f64),
    /// The level of the nominal feature has one of these codes.
    OneOf(Vec<u32>),
}

/// A test of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct PathTest {
    /// The feature.
    pub feature: usize,
    /// The condition.
    pub asks: TestCondition,
    /// Whether a missing value satisfies the test.
    pub or_missing: bool,
}

/// Path of a tree: a row must satisfy all of these tests.
pub type TestPath = Vec<PathTest>;

#[derive(Clone, Debug)]
pub(super) struct CandidateRule {
    pub(super) bounds: BoxBounds,
    pub(super) rows: BitSet,
}

struct ThresholdConverter {
    space: FeatureSpace,
    /// Thresholds of tests `x > threshold` that equal a training value; ascending, by feature.
    reached: Vec<Vec<f64>>,
    holes: Vec<bool>,
}

impl ThresholdConverter {
    fn new(frame: &Frame<'_>, paths: &[TestPath]) -> Self {
        let mut thresholds = vec![Vec::new(); frame.n_columns()];
        for test in paths.iter().flatten() {
            if let TestCondition::Above(threshold) = test.asks {
                thresholds[test.feature].push(threshold);
            }
        }
        let holey = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
        Self {
            space: FeatureSpace::from_frame(frame),
            reached: frame
                .columns()
                .iter()
                .zip(thresholds)
                .map(|(column, all)| thresholds_found_in_column(column, all))
                .collect(),
            holes: frame.columns().iter().map(holey).collect(),
        }
    }

    /// Inclusive lower bound that matches the same training rows as `x > threshold`.
    ///
    /// The bound is the threshold, or the next larger float if a training row has the threshold as its value.
    fn inclusive_lower_bound(&self, feature: usize, threshold: f64) -> f64 {
        let reached = &self.reached[feature];
        let first = reached.partition_point(|&x| x < threshold);
        if reached.get(first) == Some(&threshold) { threshold.next_up() } else { threshold }
    }

    /// Converts a path to a box.
    ///
    /// A missing value is inside the bounds of a feature if the training rows have missing values and every
    /// test of the feature accepts them.
    fn path_to_box(&self, path: &TestPath) -> BoxBounds {
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
                    bounds.lower[feature] =
                        bounds.lower[feature].max(self.inclusive_lower_bound(feature, *threshold));
                }
                TestCondition::OneOf(levels) => {
                    let words = self.space.level_word_range(feature);
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

    fn n_restricted_features(&self, bounds: &BoxBounds) -> usize {
        let is_restricted = |&feature: &usize| {
            bounds.lower[feature] > f64::NEG_INFINITY
                || bounds.upper[feature] < f64::INFINITY
                || !self.space.has_all_levels(feature, &bounds.sets[self.space.level_word_range(feature)])
        };
        (0..self.space.n_features()).filter(is_restricted).count()
    }
}

fn thresholds_found_in_column(column: &Column<'_>, mut thresholds: Vec<f64>) -> Vec<f64> {
    thresholds.sort_unstable_by(f64::total_cmp);
    thresholds.dedup();
    let mut is_reached = vec![false; thresholds.len()];
    if let Column::Numeric(values) = column {
        for x in values.iter() {
            let at = thresholds.partition_point(|&threshold| threshold < x);
            if thresholds.get(at) == Some(&x) {
                is_reached[at] = true;
            }
        }
    }
    let pairs = thresholds.into_iter().zip(is_reached);
    pairs.filter(|pair| pair.1).map(|pair| pair.0).collect()
}

/// The features that are tested on at least one path.
///
/// Candidate rules have bounds for these features only. If a table has many columns, bounds of thousands of
/// rules for all columns would need many times the memory of the table.
#[derive(Debug)]
pub(super) struct UsedFeatures {
    /// Indices of the tested features in the table, ascending; there is at least one.
    features: Vec<usize>,
}

impl UsedFeatures {
    /// Collects the features that the paths test, and renumbers the features in the paths.
    ///
    /// The new number of a feature is its position in this collection.
    pub(super) fn collect_and_renumber(paths: &mut [TestPath]) -> Self {
        let mut features: Vec<usize> = paths.iter().flatten().map(|test| test.feature).collect();
        features.sort_unstable();
        features.dedup();
        for test in paths.iter_mut().flatten() {
            test.feature = features.partition_point(|&feature| feature < test.feature);
        }
        if features.is_empty() {
            features.push(0);
        }
        Self { features }
    }

    /// Returns the table with only the columns of the tested features.
    ///
    /// # Errors
    /// Same errors as [`Frame::new`].
    pub(super) fn select_columns<'a>(&self, frame: &Frame<'a>) -> Result<Frame<'a>> {
        Frame::new(self.features.iter().map(|&feature| frame.columns()[feature]).collect())
    }

    pub(super) fn to_full_space(&self, bounds: &BoxBounds, space: &FeatureSpace) -> BoxBounds {
        let mut all = space.unbounded_box();
        let mut sets = &bounds.sets[..];
        for (at, &feature) in self.features.iter().enumerate() {
            all.lower[feature] = bounds.lower[at];
            all.upper[feature] = bounds.upper[at];
            all.or_missing[feature] = bounds.or_missing[at];
            let wide = &mut all.sets[space.level_word_range(feature)];
            let (own, rest) = sets.split_at(wide.len());
            wide.copy_from_slice(own);
            sets = rest;
        }
        all
    }
}

/// Converts tree paths to rules with different sets of rows, and adds a rule without bounds.
///
/// If several rules match the same rows, the rule with the fewest features is kept. On ties this is the rule
/// of the first path. Rules that match no row are dropped.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`], and errors of [`BoxDrawing::new`].
pub(super) fn rules_with_distinct_rows(
    frame: &Frame<'_>,
    paths: &[TestPath],
    ctl: RunContext<'_>,
) -> Result<Vec<CandidateRule>> {
    let ground = ThresholdConverter::new(frame, paths);
    let mut boxes: Vec<BoxBounds> = vec![ground.space.unbounded_box()];
    boxes.extend(paths.iter().map(|path| ground.path_to_box(path)));
    // The sort is stable, so boxes with equally many features stay in the order of the paths.
    boxes.sort_by_cached_key(|bounds| ground.n_restricted_features(bounds));
    let mut stated = BTreeSet::new();
    boxes.retain(|bounds| stated.insert(box_sort_key(bounds)));
    let drawing = BoxDrawing::new(ground.space, &boxes)?;
    let held = rows_in_boxes(&drawing, frame, ctl)?;
    let mut seen = BTreeSet::new();
    let rules = boxes.into_iter().zip(held).map(|(bounds, rows)| CandidateRule { bounds, rows });
    Ok(rules.filter(|rule| !rule.rows.is_empty() && seen.insert(rule.rows.clone())).collect())
}

/// Sort key of a box; different boxes have different keys.
fn box_sort_key(bounds: &BoxBounds) -> (Vec<u64>, Vec<u32>, Vec<bool>) {
    let numbers = bounds.lower.iter().chain(&bounds.upper).map(|bound| bound.to_bits()).collect();
    (numbers, bounds.sets.clone(), bounds.or_missing.clone())
}

fn rows_in_boxes(drawing: &BoxDrawing, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<BitSet>> {
    let n_boxes = drawing.n_boxes();
    let fresh = || vec![Vec::new(); n_boxes];
    let parts = map_row_blocks(frame, ctl, fresh, |found: &mut Vec<Vec<u32>>, rows, parts| {
        let mut mask = [0; BLOCK];
        let mask = &mut mask[..rows.len()];
        for (number, found) in found.iter_mut().enumerate() {
            drawing.mark_rows_inside_box(number, parts, MissingRule::Outside, mask);
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
        let frame = Frame::new(vec![Column::from_numbers(&x), Column::from_numbers(&z)]).unwrap();
        let paths = [
            vec![above(0, 2.5), above(1, 0.5)],
            vec![above(0, 2.25)],
            vec![above(0, 2.5)],
            vec![above(0, 2.0), at_most(0, 3.0)],
            vec![at_most(0, 0.5)],
        ];
        let found = rules_with_distinct_rows(&frame, &paths, RunContext::silent()).unwrap();
        assert_eq!(found.iter().map(rows).collect::<Vec<_>>(), [vec![0, 1, 2, 3], vec![2, 3], vec![2]]);
        assert_eq!(found[1].bounds.lower[0], 2.25);
        // The value 2 of a row equals the threshold, and the row does not satisfy `x > 2`.
        assert_eq!((found[2].bounds.lower[0], found[2].bounds.upper[0]), (2.0_f64.next_up(), 3.0));
    }

    #[test]
    fn missing_values_pass_if_all_tests_accept_them() {
        let x = [1.0, f64::NAN, 3.0];
        let z = [0.0, 1.0, 2.0];
        let frame = Frame::new(vec![Column::from_numbers(&x), Column::from_numbers(&z)]).unwrap();
        let open = |test: PathTest| PathTest { or_missing: true, ..test };
        let paths = [
            vec![open(above(0, 2.0))],
            vec![open(above(0, 0.5)), at_most(0, 2.0)],
            vec![at_most(0, 2.0), open(above(0, 0.5)), open(at_most(1, 0.5))],
        ];
        let found = rules_with_distinct_rows(&frame, &paths, RunContext::silent()).unwrap();
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
        let found = rules_with_distinct_rows(&frame, &paths, RunContext::silent()).unwrap();
        assert_eq!(found.iter().map(rows).collect::<Vec<_>>(), [vec![0, 1, 2, 3], vec![2, 3]]);
    }

    #[test]
    fn rules_of_few_features_are_widened_to_all() {
        let columns: Vec<Vec<f64>> = (0..5).map(|feature| vec![f64::from(feature); 2]).collect();
        let codes = [0, 32];
        let mut all: Vec<Column<'_>> = columns.iter().map(|column| Column::from_numbers(column)).collect();
        all[1] = Column::Nominal { codes: &codes, levels: 40 };
        all[3] = Column::Nominal { codes: &codes, levels: 33 };
        let frame = Frame::new(all).unwrap();
        let one_of = PathTest { feature: 3, asks: TestCondition::OneOf(vec![0, 32]), or_missing: true };
        let original = [vec![above(4, 3.5), one_of], vec![at_most(2, 1.0)]];
        let mut paths = original.to_vec();
        let used = UsedFeatures::collect_and_renumber(&mut paths);
        let narrow = used.select_columns(&frame).unwrap();
        assert_eq!(narrow.n_columns(), 3);
        let (few, all) =
            (ThresholdConverter::new(&narrow, &paths), ThresholdConverter::new(&frame, &original));
        for (few_tests, tests) in paths.iter().zip(&original) {
            assert_eq!(used.to_full_space(&few.path_to_box(few_tests), &all.space), all.path_to_box(tests));
        }
        let none = UsedFeatures::collect_and_renumber(&mut []);
        assert_eq!(none.select_columns(&frame).unwrap().n_columns(), 1);
        assert_eq!(none.to_full_space(&few.space.unbounded_box(), &all.space), all.space.unbounded_box());
    }
}

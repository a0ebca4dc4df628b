//! Types of the features, and the bounds of one box.

use imbcore_core::{Column, Error, Feature, FeatureKind, Frame, Result};
use serde::{Deserialize, Serialize};

/// Type of one feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FeatureAxisType {
    /// Ordered numbers.
    Numeric,
    /// Unordered levels; the field is the number of levels.
    Nominal(u32),
}

/// Types of the features of a table, and the layout of the arrays that store a box.
///
/// A side is a direction in which a box can grow. A numeric feature has two sides, the lower and the upper
/// bound. A nominal feature has one side per level: the box grows if it allows the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureSpace {
    axes: Vec<FeatureAxisType>,
    first_word: Vec<usize>,
    first_side: Vec<usize>,
}

impl FeatureSpace {
    /// Builds a space from feature types.
    pub fn new(axes: Vec<FeatureAxisType>) -> Self {
        let (mut first_word, mut first_side) = (vec![0], vec![0]);
        let (mut words, mut sides) = (0, 0);
        for axis in &axes {
            match axis {
                FeatureAxisType::Numeric => sides += 2,
                FeatureAxisType::Nominal(levels) => {
                    words += n_words_for_levels(*levels);
                    sides += *levels as usize;
                }
            }
            first_word.push(words);
            first_side.push(sides);
        }
        Self { axes, first_word, first_side }
    }

    pub(crate) fn from_frame(frame: &Frame<'_>) -> Self {
        let axis = |column: &Column<'_>| match column {
            Column::Numeric(_) => FeatureAxisType::Numeric,
            Column::Nominal { levels, .. } => FeatureAxisType::Nominal(*levels),
        };
        Self::new(frame.columns().iter().map(axis).collect())
    }

    pub(crate) fn from_features(features: &[Feature]) -> Self {
        let axis = |feature: &Feature| match &feature.kind {
            FeatureKind::Numeric => FeatureAxisType::Numeric,
            FeatureKind::Nominal { levels } => FeatureAxisType::Nominal(levels.len() as u32),
        };
        Self::new(features.iter().map(axis).collect())
    }

    pub(crate) fn feature_axis_types(&self) -> &[FeatureAxisType] {
        &self.axes
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.axes.len()
    }

    pub(crate) fn n_level_words(&self) -> usize {
        self.first_word[self.axes.len()]
    }

    pub(crate) fn n_sides(&self) -> usize {
        self.first_side[self.axes.len()]
    }

    /// Range of the elements of [`BoxBounds::sets`] for a feature; empty for a numeric feature.
    pub(crate) fn level_word_range(&self, feature: usize) -> std::ops::Range<usize> {
        self.first_word[feature]..self.first_word[feature + 1]
    }

    pub(crate) fn first_side_index(&self, feature: usize) -> usize {
        self.first_side[feature]
    }

    pub(crate) fn unbounded_box(&self) -> BoxBounds {
        let n = self.n_features();
        let mut bounds = BoxBounds {
            lower: vec![f64::NEG_INFINITY; n],
            upper: vec![f64::INFINITY; n],
            sets: vec![0; self.n_level_words()],
            or_missing: vec![false; n],
        };
        for (feature, axis) in self.axes.iter().enumerate() {
            if let FeatureAxisType::Nominal(levels) = axis {
                allow_all_levels(&mut bounds.sets[self.level_word_range(feature)], *levels);
            }
        }
        bounds
    }

    pub(crate) fn has_all_levels(&self, feature: usize, set: &[u32]) -> bool {
        match self.axes[feature] {
            FeatureAxisType::Numeric => true,
            FeatureAxisType::Nominal(levels) => (0..levels).all(|level| has_level(set, level)),
        }
    }

    pub(crate) fn check_features_match(&self, frame: &Frame<'_>) -> Result<()> {
        if Self::from_frame(frame).axes == self.axes {
            return Ok(());
        }
        Err(Error::Data("the features of X differ from those of the training data".into()))
    }
}

/// One box: inclusive bounds in original units, and allowed levels of nominal features.
///
/// An infinite bound is no restriction. A nominal feature has infinite bounds. A numeric feature has no
/// elements in `sets`.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxBounds {
    /// Lower bound of every feature.
    pub lower: Vec<f64>,
    /// Upper bound of every feature.
    pub upper: Vec<f64>,
    /// Allowed levels of all nominal features, as bit sets in one contiguous array.
    pub sets: Vec<u32>,
    /// For each feature, whether a missing value satisfies the condition of the box.
    ///
    /// If the missing rule is `Inside`, missing values satisfy every condition.
    pub or_missing: Vec<bool>,
}

pub(crate) fn n_words_for_levels(levels: u32) -> usize {
    levels.div_ceil(32) as usize
}

pub(crate) fn has_level(set: &[u32], level: u32) -> bool {
    set.get(level as usize / 32).is_some_and(|word| word >> (level % 32) & 1 == 1)
}

pub(crate) fn add_level(set: &mut [u32], level: u32) {
    set[level as usize / 32] |= 1 << (level % 32);
}

pub(crate) fn remove_level(set: &mut [u32], level: u32) {
    set[level as usize / 32] &= !(1 << (level % 32));
}

pub(crate) fn allow_all_levels(set: &mut [u32], levels: u32) {
    set.fill(0);
    (0..levels).for_each(|level| add_level(set, level));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_sides_are_contiguous() {
        let space = FeatureSpace::new(vec![
            FeatureAxisType::Nominal(33),
            FeatureAxisType::Numeric,
            FeatureAxisType::Nominal(2),
        ]);
        assert_eq!((space.n_level_words(), space.n_sides()), (3, 37));
        assert_eq!(
            (space.level_word_range(0), space.level_word_range(1), space.level_word_range(2)),
            (0..2, 2..2, 2..3)
        );
        assert_eq!((space.first_side_index(1), space.first_side_index(2)), (33, 35));
        let whole = space.unbounded_box();
        assert_eq!(whole.sets, [u32::MAX, 1, 3]);
        assert!(space.has_all_levels(0, &whole.sets[0..2]) && !space.has_all_levels(0, &[u32::MAX, 0]));
    }

    #[test]
    fn levels_can_be_added_and_removed() {
        let mut set = [0; 2];
        add_level(&mut set, 40);
        assert!(has_level(&set, 40) && !has_level(&set, 8) && !has_level(&set, 64));
        remove_level(&mut set, 40);
        assert_eq!(set, [0; 2]);
    }
}

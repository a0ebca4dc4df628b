//! Training data of PRIM, with the masses and conditions that peeling uses.

use crate::box_drawing::MissingRule;
use crate::box_task::BoxTask;
use crate::feature_space::{BoxBounds, FeatureSpace, has_level};
use imbcore_core::{Column, Frame, MISSING, Result, RunContext};
use std::borrow::Cow;

pub(crate) enum PrimFeatureValues<'a> {
    Numbers(Cow<'a, [f64]>),
    Codes(&'a [u32], u32),
}

pub(crate) struct PrimData<'a> {
    pub(crate) space: FeatureSpace,
    pub(crate) cells: Vec<PrimFeatureValues<'a>>,
    pub(crate) task: &'a BoxTask,
    pub(crate) missing: MissingRule,
    pub(crate) with_missing: Vec<bool>,
    /// Flags of the held-out rows, which are used to choose boxes but not for peeling.
    pub(crate) held_out: Vec<bool>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TotalAndPositiveMass {
    pub(crate) all: f64,
    pub(crate) positive: f64,
}

impl TotalAndPositiveMass {
    pub(crate) fn positive_fraction(self) -> f64 {
        if self.all > 0.0 { self.positive / self.all } else { 0.0 }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        Self { all: self.all + other.all, positive: self.positive + other.positive }
    }

    pub(crate) fn subtract(self, other: Self) -> Self {
        Self { all: self.all - other.all, positive: self.positive - other.positive }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BoxCondition {
    Lower(usize),
    Upper(usize),
    Levels(usize),
}

impl BoxCondition {
    pub(crate) fn feature(self) -> usize {
        let (Self::Lower(feature) | Self::Upper(feature) | Self::Levels(feature)) = self;
        feature
    }
}

impl<'a> PrimData<'a> {
    pub(crate) fn new(
        frame: &'a Frame<'a>,
        task: &'a BoxTask,
        missing: MissingRule,
        judges: Vec<bool>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let numbers = frame.contiguous_numeric_columns(ctl)?;
        let cells = frame
            .columns()
            .iter()
            .zip(numbers)
            .map(|(column, numbers)| match column {
                Column::Numeric(_) => PrimFeatureValues::Numbers(numbers),
                Column::Nominal { codes, levels } => PrimFeatureValues::Codes(codes, *levels),
            })
            .collect();
        let holes = frame.columns().iter().map(|column| (0..column.len()).any(|row| column.is_missing(row)));
        Ok(Self {
            space: FeatureSpace::from_frame(frame),
            cells,
            task,
            missing,
            with_missing: holes.collect(),
            held_out: judges,
        })
    }

    pub(crate) fn row_mass(&self, row: u32) -> TotalAndPositiveMass {
        let weight = self.task.row_weight(row as usize);
        TotalAndPositiveMass {
            all: weight,
            positive: if self.task.positive[row as usize] { weight } else { 0.0 },
        }
    }

    pub(crate) fn total_mass(&self, rows: impl Iterator<Item = u32>) -> TotalAndPositiveMass {
        rows.fold(TotalAndPositiveMass::default(), |sum, row| sum.add(self.row_mass(row)))
    }

    pub(crate) fn restricts_feature(&self, bounds: &BoxBounds, feature: usize) -> bool {
        bounds.lower[feature] > f64::NEG_INFINITY
            || bounds.upper[feature] < f64::INFINITY
            || !self.space.has_all_levels(feature, &bounds.sets[self.space.level_word_range(feature)])
    }

    pub(crate) fn restricted_features(&self, bounds: &BoxBounds) -> Vec<usize> {
        (0..self.cells.len()).filter(|&feature| self.restricts_feature(bounds, feature)).collect()
    }

    /// Returns the condition that a row violates, or `Many` if it violates several conditions.
    ///
    /// A missing value that violates a condition also gives `Many`, because no change of a single bound
    /// includes the row.
    pub(crate) fn classify_violations(
        &self,
        bounds: &BoxBounds,
        limited: &[usize],
        row: u32,
    ) -> ViolatedConditions {
        let mut found = ViolatedConditions::None;
        for &feature in limited {
            let side = match &self.cells[feature] {
                PrimFeatureValues::Numbers(values) => {
                    let x = values[row as usize];
                    if x.is_nan() {
                        if self.missing == MissingRule::Inside {
                            continue;
                        }
                        return ViolatedConditions::Many;
                    }
                    if x < bounds.lower[feature] {
                        BoxCondition::Lower(feature)
                    } else if x > bounds.upper[feature] {
                        BoxCondition::Upper(feature)
                    } else {
                        continue;
                    }
                }
                PrimFeatureValues::Codes(codes, _) => {
                    let code = codes[row as usize];
                    if code == MISSING && self.missing == MissingRule::Inside {
                        continue;
                    }
                    if code == MISSING {
                        return ViolatedConditions::Many;
                    }
                    if has_level(&bounds.sets[self.space.level_word_range(feature)], code) {
                        continue;
                    }
                    BoxCondition::Levels(feature)
                }
            };
            if found != ViolatedConditions::None {
                return ViolatedConditions::Many;
            }
            found = ViolatedConditions::One(side);
        }
        found
    }

    pub(crate) fn rows_inside(&self, bounds: &BoxBounds, rows: &[u32]) -> Vec<u32> {
        let limited = self.restricted_features(bounds);
        rows.iter()
            .copied()
            .filter(|&row| self.classify_violations(bounds, &limited, row) == ViolatedConditions::None)
            .collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ViolatedConditions {
    None,
    One(BoxCondition),
    Many,
}

//! Result of PRIM: positive fractions of the boxes and their peeling trajectories.

use super::peeling::{BoxChange, PeelingStep};
use crate::box_drawing::NO_BOX;
use crate::feature_space::{FeatureAxisType, FeatureSpace};
use imbcore_core::{Error, Result};

const SAME: f64 = 1e-12;

/// Peeling trajectory: the sequence of ever smaller boxes from which one box was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct PeelingTrajectory {
    /// The boxes of the trajectory, starting with the box without bounds.
    pub steps: Vec<PeelingStep>,
    /// Index of the step whose box was chosen.
    pub chosen: usize,
}

/// Positive fractions of the boxes, in the order in which PRIM found them.
#[derive(Clone, Debug, PartialEq)]
pub struct PrimCovering {
    /// For each box, the positive fraction of the rows inside it and outside all earlier boxes.
    pub rates: Vec<f64>,
    /// Positive fraction of the rows in no box.
    pub rest: f64,
    /// Weight of a negative row, which turns positive fractions into probabilities.
    pub c: f64,
    /// Peeling trajectory of every box.
    pub trajectories: Vec<PeelingTrajectory>,
}

impl PrimCovering {
    /// Probability of the positive class for a row; `number` is the first box that contains it.
    ///
    /// It is `r / (r + c (1 - r))`, where r is the positive fraction of the box and c the weight of a
    /// negative row. A probability of one half is moved to agree with the prediction: slightly above one half
    /// inside a box, slightly below outside.
    pub(crate) fn box_probability(&self, number: u32) -> f64 {
        let outside = number == NO_BOX;
        let rate = if outside { self.rest } else { self.rates[number as usize] };
        let others = self.c * (1.0 - rate);
        let p = if rate + others > 0.0 { rate / (rate + others) } else { 0.0 };
        match (p - 0.5).abs() < SAME {
            true if outside => 0.5_f64.next_down(),
            true => 0.5_f64.next_up(),
            false => p,
        }
    }

    /// Validates data from an untrusted file.
    ///
    /// # Errors
    /// [`Error::Format`] describing the violation.
    pub(super) fn check(self, n_boxes: usize, space: &FeatureSpace) -> Result<Self> {
        let share = |rate: &f64| (0.0..=1.0).contains(rate);
        let rates = self.rates.len() == n_boxes
            && self.rates.iter().chain([&self.rest]).all(share)
            && self.c.is_finite()
            && self.c > 0.0;
        let is_valid = |step: &PeelingStep| match step.change {
            BoxChange::Start => true,
            BoxChange::Lower(feature, value) | BoxChange::Upper(feature, value) => {
                space.feature_axis_types().get(feature) == Some(&FeatureAxisType::Numeric)
                    && value.is_finite()
            }
            BoxChange::Without(feature, level) => {
                matches!(space.feature_axis_types().get(feature), Some(FeatureAxisType::Nominal(levels)) if level < *levels)
            }
        };
        let weight = |value: f64| value.is_finite() && value >= 0.0;
        let trajectory = |trajectory: &PeelingTrajectory| {
            trajectory.chosen < trajectory.steps.len()
                && trajectory.steps.iter().all(|s| is_valid(s) && weight(s.mass) && weight(s.positives))
        };
        if rates && self.trajectories.len() == n_boxes && self.trajectories.iter().all(trajectory) {
            Ok(self)
        } else {
            Err(Error::damaged("the rates or the trajectories of boxes are invalid"))
        }
    }
}

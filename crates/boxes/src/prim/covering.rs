//! What PRIM found: rates of boxes, and how each was peeled.

use super::peel::{Change, Step};
use crate::drawing::NO_BOX;
use crate::space::{Axis, Space};
use imbcore_base::{Error, Result};

/// Probabilities that differ by no more than sums of weights are rounded.
const SAME: f64 = 1e-12;

/// How one box was peeled.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// The boxes, from everything on.
    pub steps: Vec<Step>,
    /// Which of them was taken.
    pub chosen: usize,
}

/// Rates of boxes in the order in which they are asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Covering {
    /// Share of positive rows among those that a box was first to hold.
    pub rates: Vec<f64>,
    /// Share of positive rows among those in no box.
    pub rest: f64,
    /// Weight of a row of the other class.
    pub c: f64,
    /// How every box was peeled.
    pub trajectories: Vec<Trajectory>,
}

impl Covering {
    /// Probability of the positive class for a row whose first box is `number`: `r / (r + c (1 - r))` at the rate r.
    ///
    /// One half is on the side of the answer, more than half in a box and less outside: a box as dense as the data is
    /// answered like every other.
    pub fn score(&self, number: u32) -> f64 {
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

    /// Parts of a file of unknown origin, checked.
    ///
    /// # Errors
    /// [`Error::Format`] naming the broken rule.
    pub(super) fn check(self, n_boxes: usize, space: &Space) -> Result<Self> {
        let share = |rate: &f64| (0.0..=1.0).contains(rate);
        let rates = self.rates.len() == n_boxes
            && self.rates.iter().chain([&self.rest]).all(share)
            && self.c.is_finite()
            && self.c > 0.0;
        let known = |step: &Step| match step.change {
            Change::Start => true,
            Change::Lower(feature, value) | Change::Upper(feature, value) => {
                space.axes().get(feature) == Some(&Axis::Numeric) && value.is_finite()
            }
            Change::Without(feature, level) => {
                matches!(space.axes().get(feature), Some(Axis::Nominal(levels)) if level < *levels)
            }
        };
        let weight = |value: f64| value.is_finite() && value >= 0.0;
        let trajectory = |trajectory: &Trajectory| {
            trajectory.chosen < trajectory.steps.len()
                && trajectory.steps.iter().all(|s| known(s) && weight(s.mass) && weight(s.positives))
        };
        if rates && self.trajectories.len() == n_boxes && self.trajectories.iter().all(trajectory) {
            Ok(self)
        } else {
            Err(Error::damaged("the rates or the trajectories of boxes are impossible"))
        }
    }
}

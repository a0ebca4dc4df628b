//! What a fitted drawing of Exact Boxes knows of its optimum, and how it scores rows.

use crate::drawing::{BoxDrawing, NO_BOX, broken};
use crate::exact::budget::{Limits, Status};
use crate::exact::certificate::{Certificate, verify};
use crate::exact::ground::Ground;
use crate::exact::problem::{Goal, Rows, Walls, score};
use crate::rules::TrainingRange;
use crate::scale::Scaling;
use crate::task::Task;
use imbcore_base::{Frame, Result, RunCtl};

/// Value, bound and prices of a drawing, and the shares of positive rows by which it scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Why the search ended.
    pub status: Status,
    /// What was maximised.
    pub goal: Goal,
    /// How features were scaled.
    pub scaling: Scaling,
    /// What the drawing earns.
    pub objective: f64,
    /// No drawing earns more.
    pub bound: f64,
    /// Positive rows covered by the margin, other rows not kept out by it, and boxes that cover a row.
    pub counts: [u32; 3],
    /// The boxes with their margins, on the scaled features that are not constant, in the order of the drawing.
    pub walls: Vec<Walls>,
    /// Prices that prove bounds.
    pub certificates: Vec<Certificate>,
    /// Share of positive rows in every box, the others weighing c.
    pub rates: Vec<f64>,
    /// The same of the rows in no box.
    pub rest: f64,
}

/// What a checker found on rows that claim to be those of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Value of the boxes by its definition.
    pub objective: f64,
    /// The bound that each certificate proves; none where the checker ran out of time.
    pub bounds: Vec<Option<f64>>,
}

impl Proof {
    /// Probability of the positive class for a row whose first box is `number`: more than half in a box, less outside.
    pub(crate) fn score(&self, number: u32) -> f64 {
        if number == NO_BOX {
            self.rest.min(0.5_f64.next_down())
        } else {
            self.rates[number as usize].max(0.5_f64.next_up())
        }
    }

    /// What may still be missing.
    pub fn gap(&self) -> f64 {
        (self.bound - self.objective).max(0.0)
    }

    /// Parts of a file of unknown origin, checked.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Format`] naming the broken rule.
    pub fn check(self, drawing: &BoxDrawing, range: &TrainingRange) -> Result<Self> {
        let n_boxes = drawing.n_boxes();
        let n_features = drawing.space().n_features();
        if self.goal.check().is_err() || range.low.len() != n_features || range.high.len() != n_features {
            return broken("the problem that boxes solve is impossible");
        }
        let n_active = Ground::new(self.scaling, range).n_active();
        let number = |walls: &[f64]| walls.len() == n_active && walls.iter().all(|wall| wall.is_finite());
        let share = |rate: &f64| (0.0..=1.0).contains(rate);
        let boxes = self.walls.len() == n_boxes
            && self.rates.len() == n_boxes
            && self.walls.iter().all(|walls| number(&walls.lower) && number(&walls.upper))
            && self.rates.iter().chain([&self.rest]).all(share);
        let value = self.objective.is_finite() && self.bound.is_finite() && self.bound >= self.objective;
        let priced = |one: &Certificate| {
            one.n_boxes >= 1
                && one.bound.is_finite()
                && one.sigma.is_finite()
                && one.reward.iter().all(|reward| reward.is_finite())
        };
        if boxes && value && self.certificates.iter().all(priced) {
            Ok(self)
        } else {
            broken("the proof of boxes is impossible")
        }
    }

    /// Values the boxes and the certificates on the rows of `task` by the plain checker.
    pub(crate) fn verify(
        &self,
        frame: &Frame<'_>,
        task: &Task,
        range: &TrainingRange,
        seconds: f64,
        ctl: RunCtl<'_>,
    ) -> Result<Verification> {
        let columns = Ground::new(self.scaling, range).columns(frame)?;
        let rows = Rows::new(&columns, &task.positive)?;
        let rows = task.weights.as_deref().map_or(Ok(rows), |weights| rows.weighted(weights))?;
        let limits = Limits { seconds, ..Limits::default() };
        let bound = |one: &Certificate| Ok(verify(&rows, &self.goal, &self.walls, one, limits, ctl)?.bound);
        Ok(Verification {
            objective: score(&rows, &self.goal, &self.walls).objective,
            bounds: self.certificates.iter().map(bound).collect::<Result<_>>()?,
        })
    }
}

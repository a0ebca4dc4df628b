//! What a fitted drawing of Exact Boxes knows of its optimum, and how it scores rows.

use crate::drawing::{BoxDrawing, NO_BOX};
use crate::exact::certificate::{Certificate, verify};
use crate::exact::ground::Ground;
use crate::exact::problem::{Goal, Rows, Walls, score};
use crate::exact::recheck::{recheck, rounding};
use crate::exact::stated::{Drawn, StatedDrawing};
use crate::rules::TrainingRange;
use crate::scale::{Scaling, training_range};
use crate::task::Task;
use imbcore_base::budget::{Limits, Status};
use imbcore_base::{Error, Frame, Result, RunCtl, Schema};
use serde_json::{Value, json};

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

/// How far a checker goes.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Time for each certificate, and for the whole proof.
    pub seconds: f64,
    /// Whether the whole proof is checked, what the certificates leave open too.
    pub whole: bool,
}

/// What a checker found on rows that claim to be those of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Value of the boxes by its definition.
    pub objective: f64,
    /// The bound that each certificate proves; none where the checker ran out of time.
    pub bounds: Vec<Option<f64>>,
    /// Whether the boxes are worth what is claimed.
    pub objective_holds: bool,
    /// Whether every certificate proves the bound that is claimed of it; none if that is not known.
    pub bounds_hold: Option<bool>,
    /// Whether no drawing is worth more than the bound of the whole proof; none if that was not asked, or is not known.
    pub proof_holds: Option<bool>,
    /// Whether this shows that no drawing is better; none if that is not known.
    pub proves_optimal: Option<bool>,
    /// Why something does not hold, or is not known.
    pub reason: Option<String>,
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

    /// Everything that another program needs to check the proof on the training rows.
    pub(crate) fn json(&self, range: &TrainingRange, schema: &Schema) -> Value {
        let ground = Ground::new(self.scaling, range);
        let price = |one: &Certificate| {
            json!({"n_boxes": one.n_boxes, "sigma": one.sigma, "bound": one.bound, "reward": one.reward,
                "price": one.price, "pairs": one.pairs.iter().map(|of| json!([of.hit, of.covered, of.price])).collect::<Vec<_>>()})
        };
        let goal = &self.goal;
        json!({
            "status": self.status,
            "objective": self.objective,
            "bound": self.bound,
            "gap": self.gap(),
            "proven_optimal": self.status == Status::Optimal,
            "covered": self.counts[0],
            "hit": self.counts[1],
            "used": self.counts[2],
            "goal": {
                "n_boxes": goal.n_boxes, "negative_weight": goal.majority_weight, "box_cost": goal.box_cost, "expand": goal.expand,
                "margin": goal.margin, "strictness": goal.strictness, "low": goal.low, "high": goal.high,
            },
            "scale": ground.json(schema),
            "lower": self.walls.iter().map(|walls| &walls.lower).collect::<Vec<_>>(),
            "upper": self.walls.iter().map(|walls| &walls.upper).collect::<Vec<_>>(),
            "prices": self.certificates.iter().map(price).collect::<Vec<_>>(),
        })
    }

    /// What may still be missing.
    pub fn gap(&self) -> f64 {
        (self.bound - self.objective).max(0.0)
    }

    /// Parts of a file of unknown origin, checked.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Format`] naming the broken rule.
    pub(crate) fn check(self, drawing: &BoxDrawing, range: &TrainingRange) -> Result<Self> {
        let n_boxes = drawing.n_boxes();
        let n_features = drawing.space().n_features();
        if self.goal.check().is_err() || range.low.len() != n_features || range.high.len() != n_features {
            return Err(Error::damaged("the problem that boxes solve is impossible"));
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
                && one.reward.iter().chain(&one.price).all(|of| of.is_finite())
                && one.pairs.iter().all(|of| of.price.is_finite())
        };
        if boxes && value && self.certificates.iter().all(priced) {
            Ok(self)
        } else {
            Err(Error::damaged("the proof of boxes is impossible"))
        }
    }

    /// Values the boxes and the certificates on the rows of `task` by the plain checker; prices and bound are those of `given`, if
    /// there is one. Scale and limits of the problem are those of the rows.
    pub(crate) fn verify(
        &self,
        frame: &Frame<'_>,
        task: &Task,
        (given, schema): (Option<&StatedDrawing>, &Schema),
        check: Check,
        ctl: RunCtl<'_>,
    ) -> Result<Verification> {
        let ground = Ground::new(self.scaling, &training_range(frame, ctl)?);
        let columns = ground.columns(frame)?;
        let rows = Rows::new(&columns, &task.positive)?;
        let rows = task.weights.as_deref().map_or(Ok(rows), |weights| rows.weighted(weights))?;
        let (low, high) = Ground::limits(&columns);
        let goal = Goal { low, high, ..self.goal };
        let fits = self.walls.iter().all(|walls| walls.lower.len() == columns.len());
        let boxes = if fits { &self.walls[..] } else { &[] };
        let (score, rounding) = (score(&rows, &goal, boxes), rounding(&rows, &goal));
        let mut found = Verification {
            objective: score.objective,
            bounds: Vec::new(),
            objective_holds: fits && (score.objective - self.objective).abs() <= rounding,
            bounds_hold: None,
            proof_holds: None,
            proves_optimal: Some(false),
            reason: None,
        };
        if !found.objective_holds {
            found.reason = Some(format!(
                "the boxes are worth {} on these rows, not {}: these are not the rows of the fit",
                score.objective, self.objective
            ));
        }
        let scale = ground.json(schema);
        let drawn = Drawn { goal: &goal, scale: &scale, walls: boxes, score, rounding };
        if let Some(reason) = given.and_then(|of| of.misfit(&drawn)) {
            (found.objective_holds, found.bounds_hold) = (false, Some(false));
            found.reason.get_or_insert_with(|| reason.into());
            return Ok(found);
        }
        let stated = given.map(|of| of.prices(rows.n_rows()));
        let Some(certificates) = stated.unwrap_or_else(|| Some(self.certificates.clone())) else {
            found.bounds_hold = Some(false);
            found
                .reason
                .get_or_insert_with(|| "the prices of the certificate are not prices of these rows".into());
            return Ok(found);
        };
        if goal.expand > 0.0 && !certificates.is_empty() {
            found.bounds_hold = Some(false);
            found.reason.get_or_insert_with(|| "with expand above 0 no prices prove a bound".into());
            return Ok(found);
        }
        let limits = Limits { seconds: check.seconds, ..Limits::default() };
        for one in &certificates {
            found.bounds.push(verify(&rows, &goal, boxes, one, limits, ctl)?.bound);
        }
        let claimed = given.map_or(self.bound, StatedDrawing::bound);
        if check.whole {
            found.proof_holds = recheck(&rows, &goal, &certificates, claimed, limits, ctl)?;
        }
        let holds =
            |(one, bound): (&Certificate, &Option<f64>)| bound.map(|bound| bound <= one.bound + rounding);
        let each: Option<Vec<bool>> = certificates.iter().zip(&found.bounds).map(holds).collect();
        found.bounds_hold =
            each.filter(|each| !each.is_empty()).map(|each| each.into_iter().all(|holds| holds));
        // Prices for fewer boxes bound drawings of fewer boxes.
        let enough = certificates.iter().zip(&found.bounds).filter(|(one, _)| one.n_boxes >= goal.n_boxes);
        let least = enough.filter_map(|(_, bound)| *bound).fold(f64::INFINITY, f64::min);
        let meets = |bound: f64| bound <= score.objective + rounding;
        let (proves, reason) = if !found.objective_holds {
            (Some(false), "")
        } else if certificates.is_empty() && found.proof_holds.is_none() {
            (None, "there are no prices to check")
        } else if found.bounds_hold == Some(false) {
            (Some(false), "prices prove a bound that is larger than the one stated for them")
        } else if found.proof_holds == Some(false) {
            (Some(false), "some drawing is worth more than the stated bound")
        } else if meets(least) || (found.proof_holds == Some(true) && meets(claimed)) {
            (Some(true), "")
        } else if !meets(claimed) {
            (Some(false), "the stated bound leaves room for a better drawing")
        } else if found.bounds.contains(&None) || check.whole {
            (None, "the time ran out")
        } else {
            (None, "the prices leave room for a better drawing; whole=True checks what they leave")
        };
        found.proves_optimal = proves;
        if !reason.is_empty() {
            found.reason.get_or_insert_with(|| reason.into());
        }
        Ok(found)
    }
}

//! Optimality proof of a fitted set of boxes, and the scores that its boxes give to rows.

use crate::box_drawing::{BoxDrawing, NO_BOX};
use crate::box_task::BoxTask;
use crate::drawing_rules::TrainingRange;
use crate::exact::certificate::{BoxCertificate, verify};
use crate::exact::certificate_document::{BoxCertificateDocument, CertifiedDrawing};
use crate::exact::problem::{BoxObjective, ScaledBox, ScaledRows, score_boxes};
use crate::exact::problem_scaling::ProblemScaling;
use crate::exact::proof_verifier::{rounding_allowance, verify_bound};
use crate::feature_scale::{Scaling, training_range};
use imbcore_core::budget::{SearchStatus, StoppingLimits};
use imbcore_core::{Error, Frame, Result, RunContext, Schema};
use serde_json::{Value, json};

/// Value, upper bound and dual values of a set of boxes, and the scores of its boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxProof {
    /// Why the search ended.
    pub status: SearchStatus,
    /// The objective that the boxes maximize.
    pub goal: BoxObjective,
    /// Scaling of the features.
    pub scaling: Scaling,
    /// Value of the set of boxes.
    pub objective: f64,
    /// Upper bound on the value of any set of boxes.
    pub bound: f64,
    /// Numbers of covered positive rows, of hit negative rows, and of boxes that cover a row.
    pub counts: [u32; 3],
    /// The boxes with their margins, in the order of the box drawing.
    ///
    /// The features are the scaled ones that are not constant.
    pub walls: Vec<ScaledBox>,
    /// Dual values that prove upper bounds.
    pub certificates: Vec<BoxCertificate>,
    /// Positive fraction inside each box, with the weights of rows in the objective.
    ///
    /// The objective multiplies the weight of a negative row by the negative weight `c`.
    pub rates: Vec<f64>,
    /// Positive fraction outside all boxes, with the weights of rows in the objective.
    pub rest: f64,
}

/// Extent and time limit of a verification.
#[derive(Clone, Copy, Debug)]
pub struct VerificationOptions {
    /// Time limit in seconds, for each certificate and for the full proof.
    pub seconds: f64,
    /// Whether to verify the full proof of the stated bound.
    ///
    /// Otherwise only the bounds of the certificates are verified, which may be larger.
    pub whole: bool,
}

/// Result of a verification on the training rows.
#[derive(Clone, Debug, PartialEq)]
pub struct VerificationResult {
    /// Value of the boxes on the given rows, by the definition of the objective.
    pub objective: f64,
    /// The bound that each certificate proves; `None` if the time limit was reached.
    pub bounds: Vec<Option<f64>>,
    /// Whether the boxes have the value that the proof states.
    pub objective_holds: bool,
    /// Whether every certificate proves the bound that it states.
    ///
    /// `None` if this is unknown.
    pub bounds_hold: Option<bool>,
    /// Whether no set of boxes has a value above the stated bound.
    ///
    /// `None` if this is unknown or was not requested.
    pub proof_holds: Option<bool>,
    /// Whether the verification shows that no set of boxes is better; `None` if it is undecided.
    pub proves_optimal: Option<bool>,
    /// Reason why a result of this verification is false or unknown, if there is a known reason.
    pub reason: Option<String>,
}

impl BoxProof {
    /// Probability of the positive class for a row; `number` is the first box that contains it.
    ///
    /// It is above one half inside a box, and below one half outside all boxes.
    pub(crate) fn box_probability(&self, number: u32) -> f64 {
        if number == NO_BOX {
            self.rest.min(0.5_f64.next_down())
        } else {
            self.rates[number as usize].max(0.5_f64.next_up())
        }
    }

    pub(crate) fn json(&self, range: &TrainingRange, schema: &Schema) -> Value {
        let ground = ProblemScaling::new(self.scaling, range);
        let price = |one: &BoxCertificate| {
            json!({"n_boxes": one.n_boxes, "sigma": one.sigma, "bound": one.bound, "reward": one.reward,
                "price": one.price, "pairs": one.pairs.iter().map(|pair| json!([pair.hit, pair.covered, pair.price])).collect::<Vec<_>>()})
        };
        let goal = &self.goal;
        json!({
            "status": self.status,
            "objective": self.objective,
            "bound": self.bound,
            "gap": self.optimality_gap(),
            "proven_optimal": self.status == SearchStatus::Optimal,
            "covered": self.counts[0],
            "hit": self.counts[1],
            "used": self.counts[2],
            "goal": {
                "n_boxes": goal.n_boxes, "negative_weight": goal.majority_weight, "box_cost": goal.box_cost, "expand": goal.expand,
                "margin": goal.margin, "epsilon": goal.epsilon, "low": goal.min_bound, "high": goal.max_bound,
            },
            "scale": ground.scaling_to_json(schema),
            "lower": self.walls.iter().map(|walls| &walls.lower).collect::<Vec<_>>(),
            "upper": self.walls.iter().map(|walls| &walls.upper).collect::<Vec<_>>(),
            "prices": self.certificates.iter().map(price).collect::<Vec<_>>(),
        })
    }

    /// Difference between the upper bound and the value, at least 0.
    pub fn optimality_gap(&self) -> f64 {
        (self.bound - self.objective).max(0.0)
    }

    /// Validates data from an untrusted file.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Format`] describing the violation.
    pub(crate) fn check(self, drawing: &BoxDrawing, range: &TrainingRange) -> Result<Self> {
        let n_boxes = drawing.n_boxes();
        let n_features = drawing.feature_space().n_features();
        if self.goal.check().is_err() || range.low.len() != n_features || range.high.len() != n_features {
            return Err(Error::damaged("the optimization problem of the boxes is invalid"));
        }
        let n_active = ProblemScaling::new(self.scaling, range).n_problem_features();
        let number = |walls: &[f64]| walls.len() == n_active && walls.iter().all(|wall| wall.is_finite());
        let share = |rate: &f64| (0.0..=1.0).contains(rate);
        let boxes = self.walls.len() == n_boxes
            && self.rates.len() == n_boxes
            && self.walls.iter().all(|walls| number(&walls.lower) && number(&walls.upper))
            && self.rates.iter().chain([&self.rest]).all(share);
        let value = self.objective.is_finite() && self.bound.is_finite() && self.bound >= self.objective;
        let priced = |one: &BoxCertificate| {
            one.n_boxes >= 1
                && one.bound.is_finite()
                && one.sigma.is_finite()
                && one.reward.iter().chain(&one.price).all(|value| value.is_finite())
                && one.pairs.iter().all(|pair| pair.price.is_finite())
        };
        if boxes && value && self.certificates.iter().all(priced) {
            Ok(self)
        } else {
            Err(Error::damaged("the proof of the boxes is invalid"))
        }
    }

    /// Verifies the values of the boxes and the certificates on the rows of `task`.
    ///
    /// The value of the boxes is computed from the rows by the definition of the objective. If `given` is
    /// present, its dual values and its bound are verified instead of those of the model. Scaling and limits
    /// of the problem are computed from the rows.
    pub(crate) fn verify(
        &self,
        frame: &Frame<'_>,
        task: &BoxTask,
        (given, schema): (Option<&BoxCertificateDocument>, &Schema),
        check: VerificationOptions,
        ctl: RunContext<'_>,
    ) -> Result<VerificationResult> {
        let ground = ProblemScaling::new(self.scaling, &training_range(frame, ctl)?);
        let columns = ground.scaled_columns(frame, ctl)?;
        let rows = ScaledRows::new(&columns, &task.positive)?;
        let rows = task.weights.as_deref().map_or(Ok(rows), |weights| rows.with_weights(weights))?;
        let (low, high) = ProblemScaling::bound_limits(&columns);
        let goal = BoxObjective { min_bound: low, max_bound: high, ..self.goal };
        let fits = self.walls.iter().all(|walls| walls.lower.len() == columns.len());
        let boxes = if fits { &self.walls[..] } else { &[] };
        let (score, rounding) = (score_boxes(&rows, &goal, boxes), rounding_allowance(&rows, &goal));
        let mut found = VerificationResult {
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
                "the boxes have value {} on these rows, not {}: these are not the rows of the fit",
                score.objective, self.objective
            ));
        }
        let scale = ground.scaling_to_json(schema);
        let drawn = CertifiedDrawing { goal: &goal, scale: &scale, walls: boxes, score, rounding };
        if let Some(reason) = given.and_then(|document| document.find_mismatch(&drawn)) {
            (found.objective_holds, found.bounds_hold) = (false, Some(false));
            found.reason.get_or_insert_with(|| reason.into());
            return Ok(found);
        }
        let stated = given.map(|document| document.dual_values(rows.n_rows()));
        let Some(certificates) = stated.unwrap_or_else(|| Some(self.certificates.clone())) else {
            found.bounds_hold = Some(false);
            found.reason.get_or_insert_with(|| "the prices of the certificate do not fit these rows".into());
            return Ok(found);
        };
        if goal.expand > 0.0 && !certificates.is_empty() {
            found.bounds_hold = Some(false);
            found.reason.get_or_insert_with(|| "prices prove no bound if expand is above 0".into());
            return Ok(found);
        }
        let limits = StoppingLimits { seconds: check.seconds, ..StoppingLimits::default() };
        for one in &certificates {
            found.bounds.push(verify(&rows, &goal, boxes, one, limits, ctl)?.bound);
        }
        let claimed = given.map_or(self.bound, BoxCertificateDocument::stated_bound);
        if check.whole {
            found.proof_holds = verify_bound(&rows, &goal, &certificates, claimed, limits, ctl)?;
        }
        let holds =
            |(one, bound): (&BoxCertificate, &Option<f64>)| bound.map(|bound| bound <= one.bound + rounding);
        let each: Option<Vec<bool>> = certificates.iter().zip(&found.bounds).map(holds).collect();
        found.bounds_hold =
            each.filter(|each| !each.is_empty()).map(|each| each.into_iter().all(|holds| holds));
        // A certificate for fewer than `goal.n_boxes` boxes bounds only smaller sets, so it is not used.
        let enough = certificates.iter().zip(&found.bounds).filter(|(one, _)| one.n_boxes >= goal.n_boxes);
        let least = enough.filter_map(|(_, bound)| *bound).fold(f64::INFINITY, f64::min);
        let meets = |bound: f64| bound <= score.objective + rounding;
        let (proves, reason) = if !found.objective_holds {
            (Some(false), "")
        } else if certificates.is_empty() && found.proof_holds.is_none() {
            (None, "there are no prices to verify")
        } else if found.bounds_hold == Some(false) {
            (Some(false), "the prices prove only a larger bound than the stated one")
        } else if found.proof_holds == Some(false) {
            (Some(false), "a drawing has a larger value than the stated bound")
        } else if meets(least) || (found.proof_holds == Some(true) && meets(claimed)) {
            (Some(true), "")
        } else if !meets(claimed) {
            (Some(false), "the stated bound does not exclude a better drawing")
        } else if found.bounds.contains(&None) || check.whole {
            (None, "the time limit was reached")
        } else {
            (None, "the prices do not exclude a better drawing; whole=True verifies the remaining gap")
        };
        found.proves_optimal = proves;
        if !reason.is_empty() {
            found.reason.get_or_insert_with(|| reason.into());
        }
        Ok(found)
    }
}

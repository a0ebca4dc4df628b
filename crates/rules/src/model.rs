//! A fitted box drawing as a classifier: prediction, probabilities and explanations.

use crate::box_drawing::{BoxDrawing, MissingRule, NO_BOX};
use crate::box_task::BoxTask;
use crate::drawing_rules::{BoxNoun, BoxStats, DrawingRules, TrainingRange};
use crate::exact::{BoxCertificateDocument, BoxProof, VerificationOptions, VerificationResult};
use crate::explanations::{BoxExplainer, BoxExplanations};
use crate::fast::NestedBoxes;
use crate::list::RuleSetResult;
use crate::prim::PrimCovering;
use crate::row_source::RowSource;
use imbcore_core::{Classifier, Dataset, Decision, Error, Frame, Result, RunContext, Schema, memory};
use serde_json::Value;

/// Scoring of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum BoxScoring {
    /// Score of a row (Fast Boxes): the largest weight c at which the boxes contain the row.
    ///
    /// c is the weight of a negative row in the fit, and boxes shrink as c grows.
    Nested {
        /// The sets of boxes of all weights c, each contained in the previous set.
        nested: Box<NestedBoxes>,
        /// Index of the weight whose set of boxes predicts the classes.
        own: usize,
    },
    /// Score of a row (PRIM): the positive fraction in the first box that contains the row.
    ///
    /// Negative rows count with the weight c of the fit.
    Covering(PrimCovering),
    /// Score of a row (Exact Boxes): the positive fraction in the first box that contains it.
    ///
    /// Negative rows count with the weight c of the objective.
    Proven(Box<BoxProof>),
    /// Score of a row: the smoothed positive fraction of the first rule that matches the row.
    Chosen(Box<RuleSetResult>),
}

/// Training statistics kept by the model.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxTrainingStats {
    /// Range of every feature.
    pub range: TrainingRange,
    /// Statistics of each box, in the order of the boxes.
    pub boxes: Vec<BoxStats>,
    /// Weight of all rows.
    pub total: f64,
    /// Weight of the positive rows.
    pub positives: f64,
}

impl BoxTrainingStats {
    pub(crate) fn compute(
        drawing: &BoxDrawing,
        table: &dyn RowSource,
        task: &BoxTask,
        missing: MissingRule,
        range: TrainingRange,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let positive_rows: Vec<usize> = (0..task.positive.len()).filter(|&row| task.positive[row]).collect();
        let rows = (task.weights.as_deref(), positive_rows.as_slice());
        Self::from_totals(drawing, table, rows, (missing, task.total_and_positive_weight(), range), ctl)
    }

    pub(crate) fn from_totals(
        drawing: &BoxDrawing,
        table: &dyn RowSource,
        rows: (Option<&[f64]>, &[usize]),
        (missing, (total, positives), range): (MissingRule, (f64, f64), TrainingRange),
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let boxes = drawing.support_weights(table, missing, rows, ctl)?;
        let boxes = boxes.into_iter().map(|(support, positives)| BoxStats { support, positives }).collect();
        Ok(Self { range, boxes, total, positives })
    }

    /// Validates statistics read from an untrusted file.
    ///
    /// # Errors
    /// [`Error::Format`] describing the violation.
    pub(crate) fn check(self, n_features: usize, n_boxes: usize) -> Result<Self> {
        let weight = |value: f64| value.is_finite() && value >= 0.0;
        let lengths = self.range.low.len() == n_features
            && self.range.high.len() == n_features
            && self.boxes.len() == n_boxes;
        let numbers = weight(self.total)
            && weight(self.positives)
            && self.boxes.iter().all(|facts| weight(facts.support) && weight(facts.positives))
            && self.range.low.iter().chain(&self.range.high).all(|value| !value.is_nan());
        if lengths && numbers {
            Ok(self)
        } else {
            Err(Error::damaged("the training statistics of the boxes are invalid"))
        }
    }
}

/// Box drawing with the scoring of rows and training statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxModel {
    drawing: BoxDrawing,
    scores: BoxScoring,
    positive: u32,
    missing: MissingRule,
    facts: BoxTrainingStats,
}

impl BoxModel {
    pub(crate) fn new(
        drawing: BoxDrawing,
        scores: BoxScoring,
        positive: u32,
        missing: MissingRule,
        facts: BoxTrainingStats,
    ) -> Self {
        Self { drawing, scores, positive, missing, facts }
    }

    /// The boxes.
    pub fn drawing(&self) -> &BoxDrawing {
        &self.drawing
    }

    /// Scoring of rows.
    pub fn scoring(&self) -> &BoxScoring {
        &self.scores
    }

    /// Code of the class that the boxes describe.
    pub fn positive_class(&self) -> u32 {
        self.positive
    }

    pub(crate) fn missing_rule(&self) -> MissingRule {
        self.missing
    }

    /// Training statistics.
    pub fn training_stats(&self) -> &BoxTrainingStats {
        &self.facts
    }

    /// The boxes as human-readable rules.
    pub fn drawing_rules<'a>(&'a self, schema: &'a Schema, all_bounds: bool) -> DrawingRules<'a> {
        DrawingRules {
            drawing: &self.drawing,
            schema,
            range: &self.facts.range,
            facts: &self.facts.boxes,
            totals: BoxStats { support: self.facts.total, positives: self.facts.positives },
            positive: self.positive,
            missing: self.missing,
            all_bounds,
            called: if matches!(self.scores, BoxScoring::Chosen(_)) { BoxNoun::Rule } else { BoxNoun::Box },
        }
    }

    /// For each box, the probability of the positive class for the rows inside it.
    ///
    /// A row belongs to the first box that contains it. The last entry is for rows outside all boxes. The
    /// result is `None` for nested boxes, in which probabilities vary within a box.
    pub(crate) fn probability_by_box(&self) -> Option<Vec<f64>> {
        let numbers = (0..self.drawing.n_boxes() as u32).chain([NO_BOX]);
        match self.scores {
            BoxScoring::Nested { .. } => None,
            BoxScoring::Covering(_) | BoxScoring::Proven(_) | BoxScoring::Chosen(_) => {
                Some(numbers.map(|number| self.box_probability(number)).collect())
            }
        }
    }

    /// Returns, for each row, the number of the first box that contains the row.
    ///
    /// If no box contains the row, the number is [`NO_BOX`].
    ///
    /// # Errors
    /// [`Error::Data`] if the features of the table are not those of the boxes, [`Error::Column`] for an
    /// infinite value, and [`Error::Cancelled`].
    pub fn first_containing_box(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        frame.check_finite()?;
        self.drawing.first_containing_box(frame, self.missing, ctl)
    }

    /// Explains the prediction of each row.
    ///
    /// A row inside a box is explained by the boxes that contain it. A row outside all boxes is explained by
    /// the failed conditions of the nearest box.
    ///
    /// # Errors
    /// Same errors as [`Self::first_containing_box`], and [`Error::Memory`].
    pub fn explain(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<BoxExplanations> {
        self.drawing.feature_space().check_features_match(frame)?;
        frame.check_finite()?;
        let cells = self.drawing.feature_space().n_features() + self.drawing.n_boxes();
        memory::check_values_fit_in_memory::<u8>(2 * frame.n_rows() * cells, "explanations")?;
        BoxExplainer { drawing: &self.drawing, missing: self.missing, range: &self.facts.range }
            .explain_rows(frame, ctl)
    }

    /// For each box, the weight of the rows of class 0 and of class 1 inside it.
    ///
    /// A row counts in every box that contains it. The last two numbers are for rows outside all boxes.
    ///
    /// # Errors
    /// Same errors as [`Self::first_containing_box`].
    pub fn class_weights_by_box(&self, data: &Dataset<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let first = self.first_containing_box(data.frame(), ctl)?;
        let positive = |row: &usize| data.class_codes()[*row] == self.positive;
        let positives: Vec<usize> = (0..data.n_rows()).filter(positive).collect();
        let rows = (data.weights(), positives.as_slice());
        let held = self.drawing.support_weights(data.frame(), self.missing, rows, ctl)?;
        let mut none = (0.0, 0.0);
        for (row, _) in first.iter().enumerate().filter(|(_, first)| **first == NO_BOX) {
            let weight = data.weight(row);
            none.0 += weight;
            none.1 += if positive(&row) { weight } else { 0.0 };
        }
        let both = |(all, positive): (f64, f64)| {
            if self.positive == 1 { [all - positive, positive] } else { [positive, all - positive] }
        };
        Ok(held.into_iter().chain([none]).flat_map(both).collect())
    }

    /// Largest weight c of negative rows at which each row is predicted positive, in [0, inf].
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the boxes are not nested. The other errors are those of
    /// [`Self::first_containing_box`].
    pub fn critical_weights(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let BoxScoring::Nested { nested, .. } = &self.scores else {
            return Err(Error::Unsupported("only Fast Boxes are nested boxes that grow as c falls".into()));
        };
        frame.check_finite()?;
        let logs = nested.log_scores(frame, self.missing, ctl)?;
        Ok(logs.into_iter().map(f64::exp).collect())
    }

    /// Optimality proof of the boxes, available for Exact Boxes only.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless the boxes are Exact Boxes.
    pub fn proof(&self) -> Result<&BoxProof> {
        match &self.scores {
            BoxScoring::Proven(proof) => Ok(proof),
            _ => Err(Error::Unsupported("only Exact Boxes have dual values that prove a bound".into())),
        }
    }

    /// Optimality proof of Exact Boxes, or result of choosing the rules of a rule list, as JSON.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for Fast Boxes and PRIM.
    pub fn proof_json(&self, schema: &Schema) -> Result<Value> {
        match &self.scores {
            BoxScoring::Chosen(chosen) => Ok(chosen.json()),
            _ => Ok(self.proof()?.json(&self.facts.range, schema)),
        }
    }

    /// Verifies the boxes and their optimality certificates on the training rows.
    ///
    /// The verifier shares no code with the search that found the boxes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if another method fitted the boxes, and for a full proof with a reward
    /// for width. [`Error::Data`] if the features are not those of the training rows. [`Error::Parameter`]
    /// for an invalid time limit, and [`Error::Cancelled`].
    pub fn verify(
        &self,
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        (given, schema): (Option<&BoxCertificateDocument>, &Schema),
        check: VerificationOptions,
        ctl: RunContext<'_>,
    ) -> Result<VerificationResult> {
        let proof = self.proof()?;
        let task =
            BoxTask::new("exact_boxes", data, class_weight, Some(self.positive), MissingRule::Error, ctl)?;
        let kept = task.frame_without_zero_weights()?;
        let frame = kept.as_ref().unwrap_or(data.frame());
        self.drawing.feature_space().check_features_match(frame)?;
        frame.check_finite()?;
        proof.verify(frame, &task, (given, schema), check, ctl)
    }

    fn positive_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        match &self.scores {
            BoxScoring::Nested { nested, own } => {
                frame.check_finite()?;
                let own = nested.weights[*own].ln();
                let logs = nested.log_scores(frame, self.missing, ctl)?;
                Ok(logs.into_iter().map(|log| score_to_probability(log, own)).collect())
            }
            BoxScoring::Covering(_) | BoxScoring::Proven(_) | BoxScoring::Chosen(_) => {
                let first = self.first_containing_box(frame, ctl)?;
                Ok(first.into_iter().map(|number| self.box_probability(number)).collect())
            }
        }
    }

    /// Probability of the positive class for a row; `number` is the first box that contains it.
    ///
    /// Rows of a nested box have different probabilities. For nested boxes the result is therefore a bound:
    /// the infimum of the probabilities inside the boxes, or the supremum of those outside.
    fn box_probability(&self, number: u32) -> f64 {
        match &self.scores {
            BoxScoring::Nested { .. } if number == NO_BOX => 0.5_f64.next_down(),
            BoxScoring::Nested { .. } => 0.5_f64.next_up(),
            BoxScoring::Covering(covering) => covering.box_probability(number),
            BoxScoring::Proven(proof) => proof.box_probability(number),
            BoxScoring::Chosen(chosen) => chosen.box_probability(number),
        }
    }

    /// Whether `decision` predicts the positive class exactly for the rows inside the boxes.
    ///
    /// # Errors
    /// [`Error::Data`] if the decision is for a number of classes other than 2.
    pub fn is_decision_by_boxes(&self, decision: &Decision) -> Result<bool> {
        if *decision == Decision::Argmax {
            return Ok(true);
        }
        if decision.has_row_dependent_costs() {
            return Ok(false);
        }
        let numbers = (0..self.drawing.n_boxes() as u32).chain([NO_BOX]);
        let proba: Vec<f64> =
            numbers.flat_map(|number| self.class_probabilities(self.box_probability(number))).collect();
        let (outside, inside) = {
            let mut classes = decision.decide(&proba, 2)?;
            (classes.pop(), classes)
        };
        Ok(outside != Some(self.positive) && inside.iter().all(|&class| class == self.positive))
    }

    fn class_probabilities(&self, positive: f64) -> [f64; 2] {
        if self.positive == 1 { [1.0 - positive, positive] } else { [positive, 1.0 - positive] }
    }
}

/// Probability `s / (s + c)` of the positive class for a row with the score `s`.
///
/// `c` is the weight of a negative row in the fit. The row is predicted positive if and only if `s >= c`. The
/// probability is strictly above 0.5 inside the boxes and strictly below 0.5 outside, even if rounding would
/// give 0.5.
fn score_to_probability(log_s: f64, log_c: f64) -> f64 {
    let p = 1.0 / (1.0 + (log_c - log_s).exp());
    if log_s >= log_c { p.max(0.5_f64.next_up()) } else { p.min(0.5_f64.next_down()) }
}

impl Classifier for BoxModel {
    fn n_classes(&self) -> usize {
        2
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        memory::check_values_fit_in_memory::<f64>(4 * frame.n_rows(), "predictions")?;
        Ok(self.positive_proba(frame, ctl)?.into_iter().flat_map(|p| self.class_probabilities(p)).collect())
    }

    /// Predicts the positive class for the rows inside the boxes, without using probabilities.
    fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        let first = self.first_containing_box(frame, ctl)?;
        let class = |number| if number == NO_BOX { 1 - self.positive } else { self.positive };
        Ok(first.into_iter().map(class).collect())
    }

    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        Ok((self.predict(frame, ctl)?, self.proba(frame, ctl)?))
    }
}

#[cfg(test)]
mod tests {
    use super::score_to_probability;

    #[test]
    fn odds_equal_to_the_weight_are_inside() {
        assert!(score_to_probability(0.3, 0.3) > 0.5 && score_to_probability(0.3_f64.next_down(), 0.3) < 0.5);
        assert_eq!(score_to_probability(f64::INFINITY, 0.0), 1.0);
        assert_eq!(score_to_probability(f64::NEG_INFINITY, -1.0), 0.0);
        assert!((score_to_probability(3.0_f64.ln(), 0.0) - 0.75).abs() < 1e-15);
    }
}

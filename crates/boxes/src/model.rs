//! A fitted box drawing that answers questions.

use crate::blocks::Pieces;
use crate::drawing::{BoxDrawing, MissingRule, NO_BOX};
use crate::exact::{Check, Proof, StatedDrawing, Verification};
use crate::fast::Nested;
use crate::list::Chosen;
use crate::prim::Covering;
use crate::reasons::{Judge, Reasons};
use crate::rules::{BoxFacts, Called, Rules, TrainingRange};
use crate::task::Task;
use imbcore_base::{Classifier, Dataset, Decision, Error, Frame, Result, RunCtl, Schema, memory};
use serde_json::Value;

/// How rows are scored.
#[derive(Clone, Debug, PartialEq)]
pub enum Scores {
    /// By the weight c up to which a row is in the boxes.
    Nested {
        /// The boxes of all weights.
        nested: Box<Nested>,
        /// Which of its drawings answers.
        own: usize,
    },
    /// By the rate of positive rows in the first box that holds a row.
    Covering(Covering),
    /// By the share of positive rows in the first box that holds a row; a row is positive in a box.
    Proven(Box<Proof>),
    /// By the smoothed share of positive rows in the first rule that holds a row; a row is positive in a rule.
    Chosen(Box<Chosen>),
}

/// What is known from training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingFacts {
    /// Range of every feature.
    pub range: TrainingRange,
    /// One entry a box of the drawing.
    pub boxes: Vec<BoxFacts>,
    /// Weight of all rows.
    pub total: f64,
    /// Weight of the positive rows.
    pub positives: f64,
}

impl TrainingFacts {
    pub(crate) fn of(
        drawing: &BoxDrawing,
        table: &dyn Pieces,
        task: &Task,
        missing: MissingRule,
        range: TrainingRange,
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let of: Vec<usize> = (0..task.positive.len()).filter(|&row| task.positive[row]).collect();
        let rows = (task.weights.as_deref(), of.as_slice());
        Self::known(drawing, table, rows, (missing, task.totals(), range), ctl)
    }

    /// The same, where the weight of all rows and of the positive ones is known, and the numbers of these.
    pub(crate) fn known(
        drawing: &BoxDrawing,
        table: &dyn Pieces,
        rows: (Option<&[f64]>, &[usize]),
        (missing, (total, positives), range): (MissingRule, (f64, f64), TrainingRange),
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let boxes = drawing.support(table, missing, rows, ctl)?;
        let boxes = boxes.into_iter().map(|(support, positives)| BoxFacts { support, positives }).collect();
        Ok(Self { range, boxes, total, positives })
    }

    /// Facts from a file of unknown origin.
    ///
    /// # Errors
    /// [`Error::Format`] naming the broken rule.
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
            Err(Error::damaged("what is known of the training of boxes is impossible"))
        }
    }
}

/// A box drawing with what it takes to answer and to explain.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxModel {
    drawing: BoxDrawing,
    scores: Scores,
    positive: u32,
    missing: MissingRule,
    facts: TrainingFacts,
}

impl BoxModel {
    pub(crate) fn new(
        drawing: BoxDrawing,
        scores: Scores,
        positive: u32,
        missing: MissingRule,
        facts: TrainingFacts,
    ) -> Self {
        Self { drawing, scores, positive, missing, facts }
    }

    /// The boxes.
    pub fn drawing(&self) -> &BoxDrawing {
        &self.drawing
    }

    /// How rows are scored.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// Class code that the boxes describe.
    pub fn positive(&self) -> u32 {
        self.positive
    }

    /// What a missing value means to a bound.
    pub fn missing(&self) -> MissingRule {
        self.missing
    }

    /// What is known from training.
    pub fn facts(&self) -> &TrainingFacts {
        &self.facts
    }

    /// The boxes for people.
    pub fn rules<'a>(&'a self, schema: &'a Schema, all_bounds: bool) -> Rules<'a> {
        Rules {
            drawing: &self.drawing,
            schema,
            range: &self.facts.range,
            facts: &self.facts.boxes,
            totals: BoxFacts { support: self.facts.total, positives: self.facts.positives },
            positive: self.positive,
            missing: self.missing,
            all_bounds,
            called: if matches!(self.scores, Scores::Chosen(_)) { Called::Rule } else { Called::Box },
        }
    }

    /// Probability of the positive class of a row by the first box that holds it, and last of one that none holds; none for nested
    /// boxes, whose rows differ.
    pub(crate) fn box_scores(&self) -> Option<Vec<f64>> {
        let numbers = (0..self.drawing.n_boxes() as u32).chain([NO_BOX]);
        match self.scores {
            Scores::Nested { .. } => None,
            Scores::Covering(_) | Scores::Proven(_) | Scores::Chosen(_) => {
                Some(numbers.map(|number| self.score(number)).collect())
            }
        }
    }

    /// Number of the first box that holds each row, [`NO_BOX`] for none.
    ///
    /// # Errors
    /// [`Error::Data`] for a table with other features, [`Error::Column`] for an infinity, [`Error::Cancelled`].
    pub fn first_box(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        frame.check_finite()?;
        self.drawing.first_box(frame, self.missing, ctl)
    }

    /// Why rows are answered as they are: the boxes that hold them, or what keeps them out of the nearest.
    ///
    /// # Errors
    /// As [`Self::first_box`], and [`Error::Memory`].
    pub fn reasons(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Reasons> {
        self.drawing.space().check(frame)?;
        frame.check_finite()?;
        let cells = self.drawing.space().n_features() + self.drawing.n_boxes();
        memory::room_for::<u8>(2 * frame.n_rows() * cells, "reasons")?;
        Judge { drawing: &self.drawing, missing: self.missing, range: &self.facts.range }.reasons(frame, ctl)
    }

    /// Weight of both classes among the given rows in every box and, last, in none, row-major.
    ///
    /// # Errors
    /// As [`Self::first_box`].
    pub fn masses(&self, data: &Dataset<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let first = self.first_box(data.frame(), ctl)?;
        let positive = |row: &usize| data.classes()[*row] == self.positive;
        let positives: Vec<usize> = (0..data.n_rows()).filter(positive).collect();
        let rows = (data.weights(), positives.as_slice());
        let held = self.drawing.support(data.frame(), self.missing, rows, ctl)?;
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

    /// Largest weight c at which each row is positive, from 0 to infinity.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for boxes that are not nested; otherwise as [`Self::first_box`].
    pub fn critical_weights(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let Scores::Nested { nested, .. } = &self.scores else {
            return Err(Error::Unsupported("only Fast Boxes have boxes that grow as c falls".into()));
        };
        frame.check_finite()?;
        let logs = nested.log_scores(frame, self.missing, ctl)?;
        Ok(logs.into_iter().map(f64::exp).collect())
    }

    /// What is proven of the boxes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for boxes of another method.
    pub fn proof(&self) -> Result<&Proof> {
        match &self.scores {
            Scores::Proven(proof) => Ok(proof),
            _ => Err(Error::Unsupported("only Exact Boxes have prices that prove a bound".into())),
        }
    }

    /// What is proven of the boxes, for people and other programs.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for boxes of another method.
    pub fn proof_json(&self, schema: &Schema) -> Result<Value> {
        match &self.scores {
            Scores::Chosen(chosen) => Ok(chosen.json()),
            _ => Ok(self.proof()?.json(&self.facts.range, schema)),
        }
    }

    /// Values boxes and certificates anew on the training rows, with a checker that shares no code with the search.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for boxes of another method and for a whole proof with a reward for width, [`Error::Data`] for other rows than those of the training,
    /// [`Error::Parameter`] for the time, [`Error::Cancelled`].
    pub fn verify(
        &self,
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        (given, schema): (Option<&StatedDrawing>, &Schema),
        check: Check,
        ctl: RunCtl<'_>,
    ) -> Result<Verification> {
        let proof = self.proof()?;
        let task =
            Task::new("exact_boxes", data, class_weight, Some(self.positive), MissingRule::Error, ctl)?;
        let kept = task.frame()?;
        let frame = kept.as_ref().unwrap_or(data.frame());
        self.drawing.space().check(frame)?;
        frame.check_finite()?;
        proof.verify(frame, &task, (given, schema), check, ctl)
    }

    /// Probability of the positive class of every row.
    fn positive_proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        match &self.scores {
            Scores::Nested { nested, own } => {
                frame.check_finite()?;
                let own = nested.weights[*own].ln();
                let logs = nested.log_scores(frame, self.missing, ctl)?;
                Ok(logs.into_iter().map(|log| odds_against(log, own)).collect())
            }
            Scores::Covering(_) | Scores::Proven(_) | Scores::Chosen(_) => {
                let first = self.first_box(frame, ctl)?;
                Ok(first.into_iter().map(|number| self.score(number)).collect())
            }
        }
    }

    /// Probability of the positive class of a row whose first box is `number`.
    ///
    /// Of nested boxes, whose rows differ, the least of those in the boxes and the largest of those outside.
    fn score(&self, number: u32) -> f64 {
        match &self.scores {
            Scores::Nested { .. } if number == NO_BOX => 0.5_f64.next_down(),
            Scores::Nested { .. } => 0.5_f64.next_up(),
            Scores::Covering(covering) => covering.score(number),
            Scores::Proven(proof) => proof.score(number),
            Scores::Chosen(chosen) => chosen.score(number),
        }
    }

    /// Whether answers by `decision` are those of the boxes: the positive class in every box and only there.
    ///
    /// # Errors
    /// [`Error::Data`] when the decision is for another number of classes.
    pub fn follows(&self, decision: &Decision) -> Result<bool> {
        if *decision == Decision::Argmax {
            return Ok(true);
        }
        if decision.is_of_rows() {
            return Ok(false);
        }
        let numbers = (0..self.drawing.n_boxes() as u32).chain([NO_BOX]);
        let proba: Vec<f64> = numbers.flat_map(|number| self.pair(self.score(number))).collect();
        let (outside, inside) = {
            let mut answers = decision.decide(&proba, 2)?;
            (answers.pop(), answers)
        };
        Ok(outside != Some(self.positive) && inside.iter().all(|&answer| answer == self.positive))
    }

    /// Both probabilities in the order of the classes.
    fn pair(&self, positive: f64) -> [f64; 2] {
        if self.positive == 1 { [1.0 - positive, positive] } else { [positive, 1.0 - positive] }
    }
}

/// `s / (s + c)`: a row is positive at weight c where its odds are at least c to 1, so s stands for its odds.
///
/// More than half for every row in the boxes and less than half for every other, however close they are.
fn odds_against(log_s: f64, log_c: f64) -> f64 {
    let p = 1.0 / (1.0 + (log_c - log_s).exp());
    if log_s >= log_c { p.max(0.5_f64.next_up()) } else { p.min(0.5_f64.next_down()) }
}

impl Classifier for BoxModel {
    fn n_classes(&self) -> usize {
        2
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        memory::room_for::<f64>(4 * frame.n_rows(), "answers")?;
        Ok(self.positive_proba(frame, ctl)?.into_iter().flat_map(|p| self.pair(p)).collect())
    }

    /// The positive class in the boxes and the other one outside, whatever the probabilities are.
    fn predict(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        let first = self.first_box(frame, ctl)?;
        let class = |number| if number == NO_BOX { 1 - self.positive } else { self.positive };
        Ok(first.into_iter().map(class).collect())
    }

    fn answers(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        Ok((self.predict(frame, ctl)?, self.proba(frame, ctl)?))
    }
}

#[cfg(test)]
mod tests {
    use super::odds_against;

    #[test]
    fn odds_at_the_weight_itself_are_inside() {
        assert!(odds_against(0.3, 0.3) > 0.5 && odds_against(0.3_f64.next_down(), 0.3) < 0.5);
        assert_eq!(odds_against(f64::INFINITY, 0.0), 1.0);
        assert_eq!(odds_against(f64::NEG_INFINITY, -1.0), 0.0);
        assert!((odds_against(3.0_f64.ln(), 0.0) - 0.75).abs() < 1e-15);
    }
}

//! Learner of PRIM, which finds one box after the other.
//!
//! Each round peels a box from the remaining rows. Depending on the parameters, it then expands the box by
//! pasting and drops conditions that are not needed. Then the rows inside the box are removed. The rounds end
//! at the maximum number of boxes, or if no rows remain. They also end at a box without conditions, or at a
//! box whose positive fraction is below the minimum. Rows held out for validation are never used for peeling
//! and pasting.

use super::covering::{PeelingTrajectory, PrimCovering};
use super::params::PrimParams;
use super::pasting::{drop_unneeded_conditions, paste_slices};
use super::peeling::{PeelingStep, SortedRows, apply_change, peel_trajectory};
use super::prim_data::PrimData;
use crate::box_drawing::BoxDrawing;
use crate::box_task::BoxTask;
use crate::feature_scale::training_range;
use crate::feature_space::BoxBounds;
use crate::model::{BoxModel, BoxScoring, BoxTrainingStats};
use imbcore_core::{Dataset, Error, Frame, Learner, Params, Result, RunContext, SeedKey, tags};
use imbcore_metrics::HeldOutSplit;

const FEWEST_ROWS: f64 = 10.0;

impl PrimParams {
    /// Validates the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<PrimLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: f64| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        require(self.peel_alpha > 0.0 && self.peel_alpha < 1.0, "peel_alpha", self.peel_alpha)?;
        require((0.0..1.0).contains(&self.paste_alpha), "paste_alpha", self.paste_alpha)?;
        let mass = self.min_mass.unwrap_or(1.0);
        require(mass > 0.0 && mass <= 1.0, "min_mass", mass)?;
        let mean = self.min_mean.unwrap_or(0.0);
        require((0.0..=1.0).contains(&mean), "min_mean", mean)?;
        require(self.max_boxes != Some(0), "max_boxes", 0.0)?;
        require((0.0..1.0).contains(&self.validation), "validation", self.validation)?;
        let c = self.negative_weight.unwrap_or(1.0);
        require(c.is_finite() && c > 0.0, "negative_weight", c)?;
        Ok(PrimLearner { method, params: self, class_weight: None, positive: None })
    }
}

/// Learner of PRIM with checked parameters.
#[derive(Clone, Debug)]
pub struct PrimLearner {
    method: &'static str,
    params: PrimParams,
    class_weight: Option<Vec<f64>>,
    positive: Option<u32>,
}

impl PrimLearner {
    /// Multiplies row weights by class weights.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Sets the class to describe; the default is the rarer class.
    #[must_use]
    pub fn with_positive_class(self, positive: Option<u32>) -> Self {
        Self { positive, ..self }
    }

    /// Draws the held-out rows: a fraction `validation`, stratified by class.
    ///
    /// If the rows have groups, whole groups are held out. No rows are held out if `validation` is 0.
    fn draw_held_out_mask(&self, task: &BoxTask, key: SeedKey) -> Result<Vec<bool>> {
        let mut judges = vec![false; task.positive.len()];
        if self.params.validation > 0.0 {
            let codes: Vec<u32> = task.positive.iter().map(|&positive| u32::from(positive)).collect();
            let (dependence, key) = (task.dependence.borrow(), key.child(tags::boxes::JUDGES, 0));
            if dependence.times().is_some() {
                let expected = "0 with time, because the held-out rows are drawn at random";
                return Err(Error::parameter(self.method, "validation", expected, self.params.validation));
            }
            for row in HeldOutSplit::new(&codes, 1, dependence, self.params.validation, key)?.test {
                judges[row as usize] = true;
            }
        }
        Ok(judges)
    }

    fn find_box(
        &self,
        field: &PrimData<'_>,
        orders: &SortedRows,
        left: &[u32],
        least: f64,
        ctl: RunContext<'_>,
    ) -> Result<(BoxBounds, PeelingTrajectory)> {
        let judging = |row: &&u32| field.held_out[**row as usize];
        let rows: Vec<u32> = left.iter().filter(|row| !judging(row)).copied().collect();
        let judges: Vec<u32> = left.iter().filter(judging).copied().collect();
        // Only the fraction `1 - validation` of the rows is used for peeling, so the minimum weight of a box
        // is multiplied by this fraction.
        let least = least * (1.0 - self.params.validation);
        let steps = peel_trajectory(field, orders, &rows, self.params.peel_alpha, least, ctl)?;
        let deciding = if judges.is_empty() { &rows } else { &judges };
        let (chosen, mut bounds) = choose_box(field, &steps, deciding);
        if self.params.paste_alpha > 0.0 {
            paste_slices(field, &rows, &mut bounds, self.params.paste_alpha, ctl)?;
        }
        if self.params.drop {
            drop_unneeded_conditions(field, &rows, deciding, &mut bounds, ctl)?;
        }
        Ok((bounds, PeelingTrajectory { steps, chosen }))
    }

    fn fit_boxes(&self, field: &PrimData<'_>, ctl: RunContext<'_>) -> Result<(Vec<BoxBounds>, PrimCovering)> {
        let params = &self.params;
        let (total, positives) = field.task.total_and_positive_weight();
        let rate = if total > 0.0 { positives / total } else { 0.0 };
        let share = params.min_mass.unwrap_or_else(|| 0.05_f64.min(rate / 2.0));
        let fewest = if params.min_mass.is_none() { FEWEST_ROWS } else { 0.0 };
        let least = (share * total).max(fewest);
        let min_mean = params.min_mean.unwrap_or(rate);
        let most = params.max_boxes.map_or(usize::MAX, |most| most as usize);
        let mut left: Vec<u32> = (0..field.task.positive.len() as u32).collect();
        let mut orders = SortedRows::new(field, &left, ctl)?;
        let even = positives / (total - positives);
        // `even` is 0, infinite or not a number if a class has no weight.
        let c = params.negative_weight.unwrap_or(if even.is_finite() && even > 0.0 { even } else { 1.0 });
        let mut boxes = Vec::new();
        let mut covering = PrimCovering { rates: vec![], rest: rate, c, trajectories: vec![] };
        while boxes.len() < most && !left.is_empty() {
            let (bounds, trajectory) = self.find_box(field, &orders, &left, least, ctl)?;
            let inside = field.rows_inside(&bounds, &left);
            let mean = field.total_mass(inside.iter().copied()).positive_fraction();
            // A box without bounds contains all remaining rows. It would have the same positive fraction as
            // the rows outside all boxes.
            if mean < min_mean || field.restricted_features(&bounds).is_empty() {
                break;
            }
            let mut gone = vec![false; field.task.positive.len()];
            for &row in &inside {
                gone[row as usize] = true;
            }
            left.retain(|&row| !gone[row as usize]);
            orders.retain_rows(&|row| !gone[row as usize]);
            boxes.push(bounds);
            covering.rates.push(mean);
            covering.trajectories.push(trajectory);
            ctl.report_progress("boxes", boxes.len() as u64, most.min(boxes.len() + 1) as u64);
        }
        if !left.is_empty() {
            covering.rest = field.total_mass(left.into_iter()).positive_fraction();
        }
        Ok((boxes, covering))
    }
}

/// Chooses the box of a trajectory in which the positive fraction of `rows` is largest.
///
/// On ties the largest of these boxes is chosen.
fn choose_box(field: &PrimData<'_>, steps: &[PeelingStep], rows: &[u32]) -> (usize, BoxBounds) {
    let mut bounds = field.space.unbounded_box();
    let mut inside = rows.to_vec();
    let mut best = (0, bounds.clone(), f64::NEG_INFINITY);
    for (number, step) in steps.iter().enumerate() {
        apply_change(&mut bounds, field, step.change);
        inside = field.rows_inside(&bounds, &inside);
        let mean = field.total_mass(inside.iter().copied()).positive_fraction();
        // Boxes shrink along the trajectory, so on ties the earlier box is the larger one.
        if mean > best.2 {
            best = (number, bounds.clone(), mean);
        }
    }
    (best.0, best.1)
}

impl Learner for PrimLearner {
    type Model = BoxModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<BoxModel> {
        let params = &self.params;
        let task = BoxTask::new(
            self.method,
            data,
            self.class_weight.as_deref(),
            self.positive,
            params.missing,
            ctl,
        )?;
        let kept = task.frame_without_zero_weights()?;
        let frame: &Frame<'_> = kept.as_ref().unwrap_or(data.frame());
        let field = PrimData::new(frame, &task, params.missing, self.draw_held_out_mask(&task, key)?, ctl)?;
        let (boxes, covering) = self.fit_boxes(&field, ctl)?;
        let drawing = BoxDrawing::new(field.space.clone(), &boxes)?;
        let range = training_range(frame, ctl)?;
        let facts = BoxTrainingStats::compute(&drawing, frame, &task, params.missing, range, ctl)?;
        Ok(BoxModel::new(drawing, BoxScoring::Covering(covering), task.class, params.missing, facts))
    }
}

//! Validation scores of many settings of Fast Boxes.
//!
//! All settings with the same number of boxes share one clustering.

use super::first_pass::TableAfterFirstPass;
use super::learner::FastBoxesLearner;
use super::sweep::LossParams;
use crate::box_drawing::{BoxDrawing, NO_BOX};
use imbcore_core::{Dataset, Frame, Result, RunContext, SeedKey};
use imbcore_metrics::Hull;

/// Grid of settings to validate.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingGrid {
    /// Numbers of boxes.
    pub n_boxes: Vec<u32>,
    /// Values of the expansion parameter.
    pub betas: Vec<f64>,
    /// Weights of negative rows; the classifiers of all weights form one ROC hull.
    pub weights: Vec<f64>,
}

/// Held-out rows.
#[derive(Clone, Copy, Debug)]
pub struct ValidationRows<'a> {
    /// The rows.
    pub frame: &'a Frame<'a>,
    /// Class codes of the rows.
    pub classes: &'a [u32],
    /// Weights of the rows; if absent, every weight is 1.
    pub weights: Option<&'a [f64]>,
}

/// Area under the ROC convex hull of the classifiers of all weights on held-out rows.
///
/// This is the selection criterion of Goh and Rudin (2014). The result has one area for each pair of a number
/// of boxes and a beta, in row-major order.
///
/// # Errors
/// Same errors as the fit, and [`imbcore_core::Error::Cancelled`].
pub fn validation_roc_hull_areas(
    learner: &FastBoxesLearner<'_>,
    candidates: &SettingGrid,
    train: &Dataset<'_>,
    test: ValidationRows<'_>,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let task = learner.training_task(train, ctl)?;
    let kept = task.frame_without_zero_weights()?;
    let frame = kept.as_ref().unwrap_or(train.frame());
    let look = TableAfterFirstPass::new(frame, &task.positive, ctl)?;
    // Boxes shrink as the weight grows. A row outside one set of boxes is therefore outside the sets of all
    // larger weights.
    let mut weights = candidates.weights.clone();
    weights.sort_by(f64::total_cmp);
    let settings: Vec<LossParams> = candidates
        .betas
        .iter()
        .flat_map(|&beta| weights.iter().map(move |&c| LossParams { c, beta }))
        .collect();
    let mut scores = Vec::with_capacity(candidates.n_boxes.len() * candidates.betas.len());
    for &n_boxes in &candidates.n_boxes {
        let learner = learner.with_n_boxes(n_boxes);
        let drawings = learner.fit_each_setting(&look, &task, &settings, key, ctl.without_observer())?;
        for drawings in drawings.chunks(weights.len().max(1)) {
            scores.push(roc_hull_area(&learner, drawings, test, task.class, ctl)?);
        }
    }
    Ok(scores)
}

/// Area under the ROC convex hull of sets of boxes; each set contains the next one.
fn roc_hull_area(
    learner: &FastBoxesLearner<'_>,
    drawings: &[BoxDrawing],
    test: ValidationRows<'_>,
    positive: u32,
    ctl: RunContext<'_>,
) -> Result<f64> {
    let weight = |row: usize| test.weights.map_or(1.0, |weights| weights[row]);
    let mut totals = [0.0; 2];
    for (row, &class) in test.classes.iter().enumerate() {
        totals[usize::from(class == positive)] += weight(row);
    }
    let (mut fpr, mut tpr) = (Vec::new(), Vec::new());
    let mut left: Option<Vec<usize>> = None;
    for drawing in drawings {
        ctl.check()?;
        let rows = if let Some(mut rows) = left.take() {
            rows.retain(|&row| drawing.contains_row(test.frame, row, learner.missing_rule()));
            rows
        } else {
            let first = drawing.first_containing_box(test.frame, learner.missing_rule(), ctl)?;
            (0..first.len()).filter(|&row| first[row] != NO_BOX).collect()
        };
        let mut hits = [0.0; 2];
        for &row in &rows {
            hits[usize::from(test.classes[row] == positive)] += weight(row);
        }
        left = Some(rows);
        let rate = |side: usize| if totals[side] > 0.0 { hits[side] / totals[side] } else { 0.0 };
        fpr.push(rate(0));
        tpr.push(rate(1));
    }
    Ok(Hull::from_points(&fpr, &tpr)?.area())
}

//! Selection of the parameters of Fast Boxes by their performance on held-out rows.

use crate::fit_context::parse_given_params;
use crate::resolved_costs::{class_weights_with_costs, with_normalized_weights};
use imbcore_core::{ClassWeights, Dataset, Frame, Result, RunContext, SeedKey, parse_params};
use imbcore_rules::fast::{SettingGrid, ValidationRows, validation_roc_hull_areas};
use imbcore_rules::{Clusterer, FastBoxesParams};

/// Candidate parameter values of Fast Boxes, and the held-out rows that evaluate them.
#[derive(Debug)]
pub struct FastBoxesGridSearch<'a> {
    /// JSON object of the parameters of Fast Boxes that are the same for all candidates.
    pub params: &'a str,
    /// Weights of the classes.
    pub class_weight: Option<&'a ClassWeights>,
    /// Code of the positive class, which the boxes describe.
    pub positive: u32,
    /// Candidate numbers of boxes.
    pub n_boxes: Vec<u32>,
    /// Candidate expansions.
    pub expansions: Vec<f64>,
    /// Held-out rows.
    pub test_frame: &'a Frame<'a>,
    /// Class codes of the held-out rows.
    pub test_classes: &'a [u32],
    /// Weights of the held-out rows; None if all weights are 1.
    pub test_weights: Option<&'a [f64]>,
    /// Key of all random choices.
    pub key: SeedKey,
    /// Number by which the row weights of all folds are divided.
    ///
    /// See [`crate::weight_counted_as_one_row`].
    pub unit: f64,
    /// Clustering algorithm that replaces the default one of Fast Boxes.
    pub clusterer: Option<&'a dyn Clusterer>,
}

/// Area under the ROC convex hull on the held-out rows, for each pair of parameter values.
///
/// The pairs are all combinations of `n_boxes` and `expansions`. Each pair has ten fits, in which negative
/// rows have the weight 0.1, 0.2, ..., 1 (Goh and Rudin 2014, section 6). The hull is that of the ten
/// classifiers. The area is NaN if the training rows have a single class.
///
/// # Errors
/// [`imbcore_core::Error::Parameter`] for an invalid setting; otherwise the same errors as a fit.
pub fn candidate_hull_aucs(
    selection: &FastBoxesGridSearch<'_>,
    data: &Dataset<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let method = "fast_boxes";
    let params = parse_params(method, &FastBoxesParams::default(), &parse_given_params(selection.params)?)?;
    for &n_boxes in &selection.n_boxes {
        FastBoxesParams { n_boxes, ..params.clone() }.check(method)?;
    }
    for &expansion in &selection.expansions {
        FastBoxesParams { expansion, ..params.clone() }.check(method)?;
    }
    let candidates = SettingGrid {
        n_boxes: selection.n_boxes.clone(),
        betas: selection.expansions.clone(),
        weights: (1..=10).map(|tenth| f64::from(tenth) / 10.0).collect(),
    };
    let test = ValidationRows {
        frame: selection.test_frame,
        classes: selection.test_classes,
        weights: selection.test_weights,
    };
    with_normalized_weights(
        Some(selection.unit),
        (selection.class_weight, None),
        data,
        |class_weight, data| {
            let class_weight = class_weights_with_costs(class_weight, None, data)?;
            if data.present_classes(class_weight.as_deref()).len() < 2 {
                return Ok(vec![f64::NAN; candidates.n_boxes.len() * candidates.betas.len()]);
            }
            let learner = params
                .clone()
                .check(method)?
                .with_class_weight(class_weight)
                .with_positive_class(Some(selection.positive));
            let learner = learner.with_clusterer(selection.clusterer);
            validation_roc_hull_areas(&learner, &candidates, data, test, selection.key, ctl)
        },
    )
}

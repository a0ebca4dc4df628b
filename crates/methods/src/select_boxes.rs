//! Selection of Fast Boxes settings on held-out rows.

use crate::fit_context::given;
use crate::settle::{class_weights, with_normalized_weights};
use imbcore_core::{ClassWeights, Dataset, Frame, Result, RunContext, SeedKey, parse_params};
use imbcore_rules::fast::{SettingGrid, ValidationRows, selection_scores};
use imbcore_rules::{Clusterer, FastBoxesParams};

/// Candidate settings, and the rows to evaluate them on.
#[derive(Debug)]
pub struct BoxSelection<'a> {
    /// JSON object of the other parameters of Fast Boxes.
    pub params: &'a str,
    /// Weights of the classes.
    pub class_weight: Option<&'a ClassWeights>,
    /// Code of the class that the boxes describe.
    pub positive: u32,
    /// Candidate numbers of boxes.
    pub n_boxes: Vec<u32>,
    /// Candidate expansions.
    pub expansions: Vec<f64>,
    /// Held-out rows.
    pub test_frame: &'a Frame<'a>,
    /// Class codes of the held-out rows.
    pub test_classes: &'a [u32],
    /// Weights of the held-out rows; 1 if absent.
    pub test_weights: Option<&'a [f64]>,
    /// Key of all random choices.
    pub key: SeedKey,
    /// Unit weight over all folds; see [`crate::row_unit`].
    pub unit: f64,
    /// Clustering that replaces the method's own algorithm.
    pub clusterer: Option<&'a dyn Clusterer>,
}

/// Area under the convex hull of the classifiers with weights 0.1, 0.2, ..., 1.
/// The area is computed on the held-out rows, for each of `n_boxes x expansions` (Goh and Rudin 2014, section
/// 6); NaN if the training rows have a single class.
///
/// # Errors
/// [`imbcore_core::Error::Parameter`] for a setting outside its domain; otherwise as fitting.
pub fn box_selection(
    selection: &BoxSelection<'_>,
    data: &Dataset<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let method = "fast_boxes";
    let params = parse_params(method, &FastBoxesParams::default(), &given(selection.params)?)?;
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
            let class_weight = class_weights(class_weight, None, data)?;
            if data.present(class_weight.as_deref()).len() < 2 {
                return Ok(vec![f64::NAN; candidates.n_boxes.len() * candidates.betas.len()]);
            }
            let learner =
                params.clone().check(method)?.class_weight(class_weight).positive(Some(selection.positive));
            let learner = learner.clusterer(selection.clusterer);
            selection_scores(&learner, &candidates, data, test, selection.key, ctl)
        },
    )
}

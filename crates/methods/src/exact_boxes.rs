//! Exact Boxes: fits for several weights of the negative rows, and checks of certificates.

use crate::class_priors::ClassPriors;
use crate::fit_context::{FitTask, with_normalized_task};
use crate::fitted::FittedEstimator;
use crate::model::Model;
use crate::resolved_costs::{
    ResolvedCosts, class_weights_with_costs, resolve_costs, resolve_positive_class, with_normalized_weights,
};
use imbcore_core::{ClassWeights, Dataset, DecisionPlan, Result, RunContext, Schema, parse_params};
use imbcore_rules::exact::{BoxCertificateDocument, VerificationOptions, VerificationResult};
use imbcore_rules::{BoxModel, ExactBoxesParams};
use serde_json::json;

const METHOD: &str = "exact_boxes";

/// Fits one model for each weight of the negative rows in `weights`.
///
/// A fit reuses the solutions and bounds of the fits for other weights that ran before it.
///
/// # Errors
/// Same errors as [`crate::fit`].
pub fn fit_exact_box_path(
    task: &FitTask<'_>,
    weights: &[f64],
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunContext<'_>,
) -> Result<Vec<Model>> {
    let params = parse_params(METHOD, &ExactBoxesParams::default(), &task.resolve_params(schema)?)?;
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    with_normalized_task(task, data, |task, data| {
        let ResolvedCosts { class_weight, decision, .. } =
            resolve_costs(task.class_weight, task.costs, data, positive)?;
        if data.present_classes(class_weight.as_deref()).len() < 2 {
            return Err(data.too_few_classes_error());
        }
        let learner = params
            .clone()
            .check(METHOD)?
            .with_class_weight(class_weight.clone())
            .with_positive_class(Some(positive));
        let model = |(fitted, &c): (BoxModel, &f64)| {
            let params = json!(ExactBoxesParams { negative_weight: c, ..params.clone() });
            let fitted = FittedEstimator::Boxes(fitted);
            let shares = ClassPriors::from_fit(&fitted, data, class_weight.as_deref())?;
            let model = Model::new(METHOD, params, schema.clone(), fitted, decision.clone(), positive)?;
            model.with_class_priors(shares)
        };
        learner
            .fit_for_each_weight(data, weights, task.key, ctl)?
            .into_iter()
            .zip(weights)
            .map(model)
            .collect()
    })
}

/// Verifies the boxes of a model and a certificate of their optimality on the training data.
///
/// If `certificate` is None, the certificate in the model is verified.
///
/// # Errors
/// Same errors as [`BoxModel::verify`] and [`BoxCertificateDocument::parse`], and
/// [`imbcore_core::Error::Unsupported`] for a model of another family.
pub fn verify_exact_boxes(
    model: &Model,
    certificate: Option<&str>,
    data: &Dataset<'_>,
    (class_weight, costs): (Option<&ClassWeights>, Option<&DecisionPlan>),
    check: VerificationOptions,
    ctl: RunContext<'_>,
) -> Result<VerificationResult> {
    let boxes =
        model.fitted_estimator().boxes().ok_or_else(|| model.unsupported_error("is not a box drawing"))?;
    model.check_frame(data.frame())?;
    let given = certificate.map(BoxCertificateDocument::parse).transpose()?;
    with_normalized_weights(None, (class_weight, costs), data, |class_weight, data| {
        let class_weight = class_weights_with_costs(class_weight, costs, data)?;
        boxes.verify(data, class_weight.as_deref(), (given.as_ref(), model.schema()), check, ctl)
    })
}

//! `MetaCost` with models trained by a caller-supplied learner.
//!
//! `MetaCost` gives each training row the class of least expected cost as its new label, and then fits a
//! final model.

use crate::decomposed::row_weights;
use crate::fit_context::{FitTask, with_normalized_task};
use crate::metacost::{MetaCostParams, require_cost_matrix};
use crate::method::Method;
use crate::registry::FullRegistry;
use crate::resolved_costs::{resolve_positive_class, resolve_relabeling_costs};
use imbcore_core::{Dataset, Decision, Result, RunContext, Schema, parse_params, tags};
use imbcore_ensembles::generic::{Bag, BaseLearner, TrainingContext, finalize_bag_and_seed};
use imbcore_ensembles::relabel::relabel_with_learner;

/// New labels by `MetaCost`, and the settings with which the caller fits the final model.
#[derive(Clone, Debug)]
pub struct MetaCostRelabeling {
    /// New label of every row: the class of least expected cost.
    pub classes: Vec<u32>,
    /// Rows and row weights with which the caller fits the final model.
    pub bag: Bag,
    /// Seed for the fit of the final model.
    pub seed: u32,
    /// Rule that turns the probabilities of the final model into classes.
    pub decision: Decision,
    /// Code of the positive class.
    pub positive: u32,
}

/// Relabels every row with the class of minimum expected cost (`MetaCost`).
/// Bagged models of a caller-supplied learner estimate the probabilities for the expected costs. The bags are
/// those of the native method `metacost`.
///
/// # Errors
/// Same errors as [`crate::fit`], and errors of the learner.
pub fn relabel_with_external_learner<T: BaseLearner>(
    task: &FitTask<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    base_learner: &T,
    ctl: RunContext<'_>,
) -> Result<MetaCostRelabeling> {
    let (method, labels) = ("metacost", &schema.classes[..]);
    let params = parse_params(method, &MetaCostParams::default(), &task.resolve_params(schema)?)?;
    let params = params.with_base_method_defaults(method, &FullRegistry)?;
    let positive = resolve_positive_class(task.positive, labels, data)?;
    with_normalized_task(task, data, |task, data| {
        let (key, plan) = (task.key, task.costs.cloned().unwrap_or_default());
        let settled = resolve_relabeling_costs((method, task.class_weight), &plan, data, positive)?;
        let class_weight = settled.class_weight.as_deref();
        let weights = row_weights(data, class_weight);
        let weighed = weights.as_deref().map(|weights| data.reweighed(weights));
        let learned = weighed.as_ref().unwrap_or(data);
        let classes = match learned.present_classes(None)[..] {
            [] => return Err(learned.too_few_classes_error()),
            // If all rows have the same class, the labels are not changed, as in the native method.
            [_] => data.class_codes().to_vec(),
            _ => {
                let training = TrainingContext { data: learned, labels, positive, key, ctl };
                let costs = require_cost_matrix(method, settled.costs.as_ref())?;
                relabel_with_learner(
                    base_learner,
                    &training,
                    costs,
                    params.relabel_ensemble_settings(learned),
                )?
            }
        };
        // The weight of a row in the final fit includes the class weight of its new label.
        let frame = data.frame().clone();
        let relabelled =
            Dataset::with_single_class_allowed(frame, &classes, data.n_classes(), data.weights())?;
        let relabelled = relabelled.with_dependence(data.dependence());
        let weights = row_weights(&relabelled, class_weight);
        let rows = (0..data.n_rows() as u32).collect();
        let bag = Bag { weights, ..Bag::from_rows(rows) };
        let (bag, seed) =
            finalize_bag_and_seed(base_learner, &relabelled, bag, key.child(tags::wrapped::FINAL, 0));
        Ok(MetaCostRelabeling { classes, bag, seed, decision: settled.decision, positive })
    })
}

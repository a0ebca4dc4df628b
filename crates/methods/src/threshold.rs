//! Thresholds that follow from the data: those of best F1 on rows that a model did not see.

use crate::door::Task;
use crate::folds::{Evaluation, Fit, Plan, cross_validate};
use imbcore_base::{CostPlan, Dataset, Decision, Error, Result, RunCtl, Schema, tags};
use imbcore_eval::{BinaryScore, Sweep};

/// Inner folds.
const FOLDS: u32 = 5;

/// The threshold of best F1 of the positive class over five stratified inner folds, whose rows the model that judges them
/// did not see; on ties the one in the widest gap between scores. The folds follow from the task's seed.
///
/// # Errors
/// [`Error::Data`] for other than two classes; otherwise as [`cross_validate`].
pub(crate) fn best_f1(
    task: &Task<'_>,
    plan: &CostPlan,
    (data, schema): (&Dataset<'_>, &Schema),
    fit: Fit,
    ctl: RunCtl<'_>,
) -> Result<Decision> {
    if data.n_classes() != 2 {
        return Err(Error::Data(format!(
            "threshold=\"f1\" needs two classes, but there are {}; \"prior\" or cost_matrix=\"balanced\" serve any number",
            data.n_classes()
        )));
    }
    let costs = CostPlan { threshold: None, ..plan.clone() };
    let task = Task { costs: Some(&costs), key: task.key.child(tags::wrapped::TUNE, 0), ..*task };
    let folds = Plan { folds: FOLDS.min(data.n_rows() as u32), repeats: 1 };
    let found = cross_validate(&task, (data, schema), folds, fit, ctl.quiet());
    let Evaluation { proba, positive, .. } = found.map_err(|error| match error {
        Error::Data(message) => Error::Data(format!("threshold=\"f1\", inner folds: {message}")),
        other => other,
    })?;
    let scores: Vec<f64> = proba.chunks_exact(2).map(|row| row[positive as usize]).collect();
    let sweep = Sweep::new(data.classes(), positive, &scores, data.weights())?;
    let at = sweep.best_threshold(BinaryScore::parse("f1", 1.0)?).0.clamp(0.0, 1.0);
    Ok(Decision::Threshold { at, positive })
}

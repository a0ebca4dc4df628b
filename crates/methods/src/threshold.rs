//! Thresholds that follow from the data: those of best F1 on rows that a model did not see.

use crate::evaluate::{Evaluation, Plan, evaluate};
use crate::registry::Task;
use imbcore_base::{CostPlan, Dataset, Decision, Error, Result, RunCtl, Schema};
use imbcore_eval::{BinaryScore, Sweep, minority_class};

/// Seed tag of the inner folds.
const TUNE: u32 = 60;
/// Inner folds.
const FOLDS: u32 = 5;

/// The threshold of best F1 of the rarer class over five stratified inner folds, whose rows the model that judges them
/// did not see; on ties the one in the widest gap between scores. The folds follow from the task's seed.
///
/// # Errors
/// [`Error::Data`] for other than two classes; otherwise as [`evaluate`].
pub(crate) fn best_f1(
    task: &Task<'_>,
    plan: &CostPlan,
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunCtl<'_>,
) -> Result<Decision> {
    if data.n_classes() != 2 {
        return Err(Error::Data(format!(
            "threshold=\"f1\" needs two classes, but there are {}; \"prior\" or cost_matrix=\"balanced\" serve any number",
            data.n_classes()
        )));
    }
    let mut counts = vec![0.0; 2];
    for (row, &class) in data.classes().iter().enumerate() {
        counts[class as usize] += data.weight(row);
    }
    let rarer = minority_class(&counts);
    let costs = CostPlan { threshold: None, ..plan.clone() };
    let task = Task { costs: Some(&costs), key: task.key.child(TUNE, 0), ..*task };
    let folds = Plan { folds: FOLDS.min(data.n_rows() as u32), repeats: 1, positive: rarer };
    let Evaluation { proba, .. } =
        evaluate(&task, data, schema, folds, ctl.quiet()).map_err(|error| match error {
            Error::Data(message) => Error::Data(format!("threshold=\"f1\", inner folds: {message}")),
            other => other,
        })?;
    let scores: Vec<f64> = proba.chunks_exact(2).map(|row| row[rarer as usize]).collect();
    let sweep = Sweep::new(data.classes(), rarer, &scores, data.weights())?;
    let cut = sweep.best_threshold(BinaryScore::parse("f1", 1.0)?).0.clamp(0.0, 1.0);
    // The rule is about class 1: class 0 is answered from `cut` on where class 1 stays at or below the rest.
    Ok(Decision::Threshold(if rarer == 1 { cut } else { (1.0 - cut).next_up().min(1.0) }))
}

//! Repeated stratified cross-validation of one method.

use crate::door::enter;
use crate::registry::{Task, fit_inside, positive_of};
use crate::remarks;
use imbcore_base::{Dataset, Error, Result, RunCtl, Schema, SeedKey};
use imbcore_eval::{Answers, SCORE_NAMES, check_folds, scores, stratified_folds};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// Seed tags of an evaluation.
const FOLDS: u32 = 10;
const FIT: u32 = 11;

/// How to cross-validate.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Folds of each repeat, at least 2.
    pub folds: u32,
    /// Repeats with other folds, at least 1.
    pub repeats: u32,
}

/// Scores of every test fold, NaN where they are undefined, and the out-of-fold probabilities of the first repeat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Names of the scores.
    pub names: Vec<&'static str>,
    /// Code of the positive class, in every fold that of all rows.
    pub positive: u32,
    /// One list a score, one value a fold, repeat by repeat.
    pub values: Vec<Vec<f64>>,
    /// Test fold of each row in the first repeat.
    pub fold: Vec<u32>,
    /// Class probabilities of each row when it was tested in the first repeat, row-major.
    pub proba: Vec<f64>,
    /// Class answered for each row then.
    pub predicted: Vec<u32>,
}

struct Tested {
    rows: Vec<u32>,
    proba: Vec<f64>,
    predicted: Vec<u32>,
    values: Vec<f64>,
}

/// Cross-validates a method; the folds depend on the labels and the seed only, so all methods share them.
///
/// # Errors
/// As [`fit`]; [`Error::Data`] for impossible folds, or a training part with a single class.
pub fn evaluate(
    task: &Task<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    plan: Plan,
    ctl: RunCtl<'_>,
) -> Result<Evaluation> {
    let positive = positive_of(task.positive, &schema.classes, data)?;
    remarks::on_columns(data, schema, ctl);
    remarks::on_folds(data, schema, positive, plan.folds, ctl);
    let task = &Task { positive: Some(positive), ..*task };
    let found = enter(task, data, |task, data| evaluate_inside(task, data, schema, plan, ctl))?;
    remarks::on_answers(&found, data, ctl);
    Ok(found)
}

/// The same behind the door.
pub(crate) fn evaluate_inside(
    task: &Task<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    plan: Plan,
    ctl: RunCtl<'_>,
) -> Result<Evaluation> {
    check_folds(plan.folds, data.n_rows())?;
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let task = &Task { positive: Some(positive), ..*task };
    if plan.repeats == 0 {
        return Err(Error::parameter("evaluate", "repeats", "at least 1", 0));
    }
    let folds = (0..plan.repeats)
        .map(|repeat| stratified_folds(data.classes(), plan.folds, repeat, task.key.child(FOLDS, 0)))
        .collect::<Result<Vec<_>>>()?;
    let jobs: Vec<(usize, u32)> =
        (0..folds.len()).flat_map(|repeat| (0..plan.folds).map(move |fold| (repeat, fold))).collect();
    let done = AtomicU64::new(0);
    let tested = jobs
        .par_iter()
        .map(|&(repeat, fold)| {
            let part = task.key.child(FIT, repeat as u32).child(FIT, fold);
            let tested = test_fold(task, data, schema, &folds[repeat], fold, part, ctl.quiet())?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            ctl.tick("folds", done, jobs.len() as u64);
            Ok(tested)
        })
        .collect::<Result<Vec<_>>>()?;
    let n_classes = data.n_classes();
    let mut proba = vec![0.0; data.n_rows() * n_classes];
    let mut predicted = vec![0; data.n_rows()];
    for part in &tested[..plan.folds as usize] {
        for (&row, cells) in part.rows.iter().zip(part.proba.chunks_exact(n_classes)) {
            proba[row as usize * n_classes..][..n_classes].copy_from_slice(cells);
        }
        for (&row, &class) in part.rows.iter().zip(&part.predicted) {
            predicted[row as usize] = class;
        }
    }
    let values =
        (0..SCORE_NAMES.len()).map(|score| tested.iter().map(|part| part.values[score]).collect()).collect();
    let fold = folds.into_iter().next().unwrap_or_default();
    Ok(Evaluation { names: SCORE_NAMES.to_vec(), positive, values, fold, proba, predicted })
}

#[allow(clippy::too_many_arguments)]
fn test_fold(
    task: &Task<'_>,
    data: &Dataset<'_>,
    schema: &Schema,
    folds: &[u32],
    fold: u32,
    key: SeedKey,
    ctl: RunCtl<'_>,
) -> Result<Tested> {
    let (test, train): (Vec<u32>, Vec<u32>) =
        (0..data.n_rows() as u32).partition(|&row| folds[row as usize] == fold);
    let pick =
        |values: &[u32], rows: &[u32]| rows.iter().map(|&row| values[row as usize]).collect::<Vec<_>>();
    let weights_of = |rows: &[u32]| {
        data.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect::<Vec<_>>())
    };
    let n_classes = data.n_classes();
    let (train_frame, test_frame) = (data.frame().take(&train, ctl)?, data.frame().take(&test, ctl)?);
    let (train_classes, truth) = (pick(data.classes(), &train), pick(data.classes(), &test));
    let train_weights = weights_of(&train);
    let train_frame = train_frame.borrow()?;
    let train_data =
        Dataset::of_any_classes(train_frame, &train_classes, n_classes, train_weights.as_deref())?;
    let task = Task { key, ..*task };
    let model = match train_data.present(None)[..] {
        [] | [_] if !task.door.constant => Err(train_data.too_few_classes()),
        _ => fit_inside(&task, &train_data, schema.clone(), ctl),
    };
    let model = model.map_err(|error| match error {
        Error::Data(message) => Error::Data(format!("training part of fold {fold}: {message}")),
        other => other,
    })?;
    let frame = test_frame.borrow()?;
    let (predicted, proba) = (model.predict(&frame, ctl)?, model.proba(&frame, ctl)?);
    let weights = weights_of(&test);
    let answers = Answers {
        truth: &truth,
        predicted: &predicted,
        proba: &proba,
        n_classes,
        weights: weights.as_deref(),
    };
    let values = scores(&answers, model.positive())?.into_iter().map(|(_, value)| value).collect();
    Ok(Tested { rows: test, proba, predicted, values })
}

//! Thresholds that follow from the data: those that meet a goal on rows that a model did not see.
//!
//! Where a method draws bags, its out-of-bag answers are such rows and nothing is fitted twice; else inner folds give them. A
//! goal that is to hold with a stated confidence takes rows that are held out of the fit.

use crate::chosen::{Chosen, Source};
use crate::door::{Task, given};
use crate::folds::{Evaluation, Fit, Part, Plan, cross_validate};
use crate::model::Model;
use crate::registry::complete;
use crate::settle::positive_of;
use imbcore_base::{Aim, Dataset, Decision, Error, Goal, Guarantee, Result, RunCtl, Schema, tags};
use imbcore_eval::{HeldOut, meet, stratified_split};
use serde_json::Value;

/// Inner folds.
const FOLDS: u32 = 5;
/// Parameter of the methods that can answer out of bag.
const OUT_OF_BAG: &str = "oob_score";

/// Answers about rows that a model did not see.
struct Unseen {
    truth: Vec<u32>,
    scores: Vec<f64>,
    weights: Option<Vec<f64>>,
    source: Source,
}

/// Fits the task with the threshold that meets `goal`. Folds and rows held out follow from the task's seed.
///
/// # Errors
/// [`Error::Data`] for other than two classes, or a goal that nothing meets; otherwise as `fit`.
pub(crate) fn fit_to_goal(
    task: &Task<'_>,
    goal: &Goal,
    (data, schema): (&Dataset<'_>, Schema),
    fit: Fit,
    ctl: RunCtl<'_>,
) -> Result<Model> {
    if data.n_classes() != 2 {
        return Err(Error::Data(format!(
            "threshold={goal} needs two classes, but there are {}; \"prior\" or cost_matrix=\"balanced\" serve any number",
            data.n_classes()
        )));
    }
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let task = &Task { positive: Some(positive), ..*task };
    let (model, unseen) = match goal.guarantee {
        Some(guarantee) => held_out(task, (&goal.aim, guarantee), (data, &schema), fit, ctl)?,
        None => {
            if let Some(found) = out_of_bag(task, (data, &schema), fit, ctl)? {
                found
            } else {
                let unseen = out_of_fold(task, goal, (data, &schema), fit, ctl)?;
                (fit(task, data, schema, ctl)?, unseen)
            }
        }
    };
    let (at, chosen) = unseen.choose(goal, positive)?;
    Ok(model.answering(Decision::Threshold { at, positive })?.chosen_by(Some(chosen)))
}

impl Unseen {
    /// The threshold that meets a goal, and what to expect of it.
    fn choose(self, goal: &Goal, positive: u32) -> Result<(f64, Chosen)> {
        let Self { truth, scores, weights, source } = self;
        let (at, expected) = meet(goal, &truth, positive, &scores, weights.as_deref())?;
        let confidence = goal.guarantee.map(|guarantee| guarantee.confidence);
        let n_positives = truth.iter().filter(|&&class| class == positive).count();
        Ok((
            at,
            Chosen {
                goal: goal.asked.clone(),
                source,
                n_rows: truth.len(),
                n_positives,
                confidence,
                expected,
            },
        ))
    }
}

/// A model of some of the rows, and its answers about the others.
fn held_out(
    task: &Task<'_>,
    (aim, Guarantee { confidence, rows }): (&Aim, Guarantee),
    (data, schema): (&Dataset<'_>, &Schema),
    fit: Fit,
    ctl: RunCtl<'_>,
) -> Result<(Model, Unseen)> {
    if data.weights().is_some() {
        return Err(Error::Data(
            "a guarantee counts rows, so sample_weight cannot be given beside it; leave it out, or the guarantee".into(),
        ));
    }
    let key = task.key.child(tags::wrapped::TUNE, 1);
    let apart = stratified_split(data.classes(), rows, key)?;
    let mut is_apart = vec![false; data.n_rows()];
    for &row in &apart {
        is_apart[row as usize] = true;
    }
    let kept: Vec<u32> = (0..data.n_rows() as u32).filter(|&row| !is_apart[row as usize]).collect();
    let (kept, apart) = (Part::new(data, &kept, ctl)?, Part::new(data, &apart, ctl)?);
    let positive = task.positive.unwrap_or_default();
    if matches!(aim, Aim::Recall(_) | Aim::Fpr(_) | Aim::AlertRate(_) | Aim::Alerts { .. }) {
        // Whether there are rows enough does not hang on the model: say so before it is fitted.
        let blank = vec![0.0; apart.classes.len()];
        HeldOut { truth: &apart.classes, positive, scores: &blank }.threshold_for(aim, confidence)?;
    }
    let model = fit(task, &kept.dataset(data.n_classes())?, schema.clone(), ctl)?;
    let proba = model.proba(&apart.frame.borrow()?, ctl)?;
    let scores = proba.chunks_exact(2).map(|row| row[positive as usize]).collect();
    Ok((model, Unseen { truth: apart.classes, scores, weights: None, source: Source::HeldOut }))
}

/// A model and its out-of-bag answers, where it has some about at least half of the rows of each class.
fn out_of_bag(
    task: &Task<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    fit: Fit,
    ctl: RunCtl<'_>,
) -> Result<Option<(Model, Unseen)>> {
    let mut params = given(task.params)?;
    let all = complete(task.method, &task.given(schema)?)?.0;
    let asked = match all.get(OUT_OF_BAG) {
        None => return Ok(None),
        Some(Value::Bool(false)) => false,
        Some(_) => true,
    };
    if !asked {
        params.insert(OUT_OF_BAG.into(), Value::Bool(true));
    }
    let params = Value::Object(params).to_string();
    let model = match fit(&Task { params: &params, ..*task }, data, schema.clone(), ctl) {
        // Some ways of drawing bags leave no rows out.
        Err(Error::Parameter { name, .. }) if name == OUT_OF_BAG && !asked => return Ok(None),
        model => model?,
    };
    let Some(answers) = model.fitted().out_of_bag() else { return Ok(None) };
    let positive = task.positive.unwrap_or_default() as usize;
    let scores: Vec<f64> = answers.decision.chunks_exact(2).map(|row| row[positive]).collect();
    let known: Vec<usize> = (0..scores.len()).filter(|&row| !scores[row].is_nan()).collect();
    let share = |class: u32| {
        let all = data.classes().iter().filter(|&&code| code == class).count();
        known.iter().filter(|&&row| data.classes()[row] == class).count() * 2 >= all
    };
    if !share(0) || !share(1) {
        return Ok(None);
    }
    let unseen = Unseen {
        truth: known.iter().map(|&row| data.classes()[row]).collect(),
        scores: known.iter().map(|&row| scores[row]).collect(),
        weights: data.weights().map(|weights| known.iter().map(|&row| weights[row]).collect()),
        source: Source::OutOfBag,
    };
    Ok(Some((if asked { model } else { model.without_out_of_bag(OUT_OF_BAG) }, unseen)))
}

/// Answers of models of the other inner folds.
fn out_of_fold(
    task: &Task<'_>,
    goal: &Goal,
    (data, schema): (&Dataset<'_>, &Schema),
    fit: Fit,
    ctl: RunCtl<'_>,
) -> Result<Unseen> {
    let task = Task { key: task.key.child(tags::wrapped::TUNE, 0), ..*task };
    let folds = Plan { folds: FOLDS.min(data.n_rows() as u32), repeats: 1 };
    let found = cross_validate(&task, (data, schema), folds, fit, ctl.quiet());
    let Evaluation { proba, positive, .. } = found.map_err(|error| match error {
        Error::Data(message) => Error::Data(format!("threshold={goal}, inner folds: {message}")),
        other => other,
    })?;
    Ok(Unseen {
        truth: data.classes().to_vec(),
        scores: proba.chunks_exact(2).map(|row| row[positive as usize]).collect(),
        weights: data.weights().map(<[f64]>::to_vec),
        source: Source::OutOfFold,
    })
}

//! Cross-validation of any method.
//!
//! The positive class and the folds depend only on the rows and the seed, so that every method gets the same
//! folds. The random key of a fit depends on the numbers of its repeat and its fold. Folds run in parallel,
//! but their results are combined in order. The results therefore do not depend on the number of threads. A
//! score that is undefined in a fold is NaN.

use crate::fit_context::FitTask;
use crate::fold_warnings::{FoldWarnings, warn_merged};
use crate::model::Model;
use crate::resolved_costs::resolve_positive_class;
use imbcore_core::{
    Dataset, Error, FrameBuf, OwnedRowDependence, Result, RunContext, Schema, SeedKey, parallel, tags,
};
use imbcore_metrics::{ClassifierOutput, CvSplits, EvaluatedPredictions, Evaluator, ScoreScaleMap};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) type FitFn = fn(&FitTask<'_>, &Dataset<'_>, Schema, RunContext<'_>) -> Result<Model>;

/// Scores of every test fold, and out-of-fold probabilities of the first repeat.
/// Undefined scores are NaN. Rows that are never tested have NaN probabilities and class 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// For each test fold, the value of every score; the folds of the first repeat come first.
    ///
    /// The inner lists are empty if no scores were requested.
    pub values: Vec<Vec<f64>>,
    /// Class probabilities of each row, row-major, from the test folds of the first repeat.
    pub proba: Vec<f64>,
    /// Predicted class of each row, from the test folds of the first repeat.
    pub predicted: Vec<u32>,
}

/// Random key for the fit to the training rows of one fold; folds are numbered per repeat.
#[must_use]
pub fn fold_seed_key(key: SeedKey, (repeat, fold): (u32, u32)) -> SeedKey {
    key.child(tags::evaluation::FIT, repeat).child(tags::evaluation::FIT, fold)
}

struct FoldResult {
    rows: Vec<u32>,
    proba: Vec<f64>,
    predicted: Vec<u32>,
    values: Vec<f64>,
    warnings: BTreeSet<String>,
}

/// Scores of a cross-validation, and the name of the method in warnings.
#[derive(Clone, Copy)]
pub(crate) struct ScoredMethod<'a> {
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) name: &'a str,
}

/// Cross-validates a task whose weights are normalized; `fit` fits each model.
///
/// If scores are requested, the warnings of all fits are merged and shown. Without scores, the
/// cross-validation is a part of a fit, which warns by itself.
pub(crate) fn cross_validate(
    task: &FitTask<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    (deal, scored): (&CvSplits, Option<ScoredMethod<'_>>),
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<Evaluation> {
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    let task = &FitTask { positive: Some(positive), ..*task };
    let jobs = deal.tested_folds();
    let done = AtomicU64::new(0);
    let tested = parallel::try_map(&jobs, |&(repeat, fold)| {
        let task = FitTask {
            key: fold_seed_key(task.key, (repeat, fold)),
            context: task.context.without_warm_start(),
            ..*task
        };
        let warnings = FoldWarnings::default();
        let inner = ctl.with_observer(&warnings);
        let evaluator = scored.map(|scored| scored.evaluator);
        let mut tested =
            fit_and_test_fold(&task, (data, schema), (deal, repeat, fold), evaluator, fit, inner)?;
        tested.warnings = warnings.into_texts();
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        ctl.report_progress("folds", done, jobs.len() as u64);
        Ok(tested)
    })?;
    if let Some(scored) = scored {
        warn_merged(scored.name, tested.iter().map(|part| &part.warnings), ctl);
    }
    let n_classes = data.n_classes();
    let mut proba = vec![f64::NAN; data.n_rows() * n_classes];
    let mut predicted = vec![0; data.n_rows()];
    for (_, part) in jobs.iter().zip(&tested).filter(|((repeat, _), _)| *repeat == 0) {
        for (&row, cells) in part.rows.iter().zip(part.proba.chunks_exact(n_classes)) {
            proba[row as usize * n_classes..][..n_classes].copy_from_slice(cells);
        }
        for (&row, &class) in part.rows.iter().zip(&part.predicted) {
            predicted[row as usize] = class;
        }
    }
    Ok(Evaluation { values: tested.into_iter().map(|part| part.values).collect(), proba, predicted })
}

/// Fits a model to the training rows `train` of a fold, without rows of weight 0.
fn fit_fold(
    task: &FitTask<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    (deal, fold, train): (&CvSplits, u32, &[u32]),
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<Model> {
    let train: Vec<u32> = train.iter().copied().filter(|&row| data.weight(row as usize) > 0.0).collect();
    let train = DataSubset::new(data, &train, ctl)?;
    let train = train.dataset(data.n_classes())?;
    let model = match train.present_classes(None)[..] {
        [] | [_] if !task.context.constant => Err(match train.too_few_classes_error() {
            Error::Data(message) => Error::Data(format!("{message}{}", deal.advice_for_single_class_error())),
            other => other,
        }),
        _ => fit(task, &train, schema.clone(), ctl),
    };
    model.map_err(|error| match error {
        Error::Data(message) => Error::Data(format!("training part of fold {fold}: {message}")),
        other => other,
    })
}

/// Out-of-fold probabilities on the scale of `model`, row-major with two classes.
///
/// Each fold model is compared with `model`, which was fitted to all rows, on the negative training rows of
/// the fold. Both models were fitted to these rows (see [`ScoreScaleMap`]). Only rows of the first repeat are
/// predicted; all others are NaN.
pub(crate) fn predict_out_of_fold_on_scale_of(
    (model, positive): (&Model, u32),
    task: &FitTask<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    deal: &CvSplits,
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let of_positive = |proba: Vec<f64>| -> Vec<f64> {
        proba.chunks_exact(data.n_classes()).map(|row| row[positive as usize]).collect()
    };
    let of_model = of_positive(model.predict_with_proba(data.frame(), ctl)?.1);
    let jobs = deal.tested_folds();
    let tested = parallel::try_map(&jobs, |&(repeat, fold)| {
        let task = FitTask {
            key: fold_seed_key(task.key, (repeat, fold)),
            context: task.context.without_warm_start(),
            ..*task
        };
        let ctl = ctl.without_observer();
        let (train, test) = deal.train_and_test_rows(repeat, fold);
        let of_fold = fit_fold(&task, (data, schema), (deal, fold, &train), fit, ctl)?;
        let predict = |rows: &[u32]| -> Result<Vec<f64>> {
            let asked = DataSubset::new(data, rows, ctl)?;
            Ok(of_positive(of_fold.predict_with_proba(&asked.frame.borrow()?, ctl)?.1))
        };
        let negative: Vec<u32> =
            train.into_iter().filter(|&row| data.class_codes()[row as usize] != positive).collect();
        let expected: Vec<f64> = negative.iter().map(|&row| of_model[row as usize]).collect();
        let map = ScoreScaleMap::new(&predict(&negative)?, &expected);
        let mut scores = predict(&test)?;
        if let Some(map) = map {
            for score in &mut scores {
                *score = map.apply(*score);
            }
        }
        Ok((test, scores))
    })?;
    let mut proba = vec![f64::NAN; 2 * data.n_rows()];
    for (test, scores) in tested {
        for (row, score) in test.into_iter().zip(scores) {
            let row = row as usize;
            proba[2 * row + positive as usize] = score;
            proba[2 * row + 1 - positive as usize] = 1.0 - score;
        }
    }
    Ok(proba)
}

fn fit_and_test_fold(
    task: &FitTask<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    (deal, repeat, fold): (&CvSplits, u32, u32),
    judge: Option<&Evaluator>,
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<FoldResult> {
    let (train, test) = deal.train_and_test_rows(repeat, fold);
    let model = fit_fold(task, (data, schema), (deal, fold, &train), fit, ctl)?;
    let asked = DataSubset::new(data, &test, ctl)?;
    let frame = asked.frame.borrow()?;
    let (predicted, proba) = model.predict_with_proba(&frame, ctl)?;
    let answers = EvaluatedPredictions {
        truth: &asked.classes,
        predicted: &predicted,
        belief: ClassifierOutput::Proba(&proba),
        n_classes: data.n_classes(),
        weights: asked.weights.as_deref(),
    };
    let values = judge.map_or(Ok(Vec::new()), |judge| judge.score_values(&answers, &test))?;
    Ok(FoldResult { rows: test, proba, predicted, values, warnings: BTreeSet::new() })
}

pub(crate) struct DataSubset {
    pub(crate) frame: FrameBuf,
    pub(crate) classes: Vec<u32>,
    weights: Option<Vec<f64>>,
    dependence: OwnedRowDependence,
}

impl DataSubset {
    pub(crate) fn new(data: &Dataset<'_>, rows: &[u32], ctl: RunContext<'_>) -> Result<Self> {
        let weights = data.weights();
        Ok(Self {
            frame: data.frame().take(rows, ctl)?,
            classes: rows.iter().map(|&row| data.class_codes()[row as usize]).collect(),
            weights: weights.map(|weights| rows.iter().map(|&row| weights[row as usize]).collect()),
            dependence: data.dependence().take(rows.iter().copied()),
        })
    }

    /// The rows as a data set of `n_classes` classes, some of which may have no rows.
    pub(crate) fn dataset(&self, n_classes: usize) -> Result<Dataset<'_>> {
        let frame = self.frame.borrow()?;
        let data =
            Dataset::with_single_class_allowed(frame, &self.classes, n_classes, self.weights.as_deref())?;
        Ok(data.with_dependence(self.dependence.borrow()))
    }
}

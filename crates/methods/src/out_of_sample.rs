//! Predictions on rows to which a model was not fitted, for calibration and tuning.
//!
//! If a method draws bags and rows have no times, out-of-bag predictions are used, and no other fit is
//! needed. Inner cross-validation is used for other methods, and if too many rows have no out-of-bag
//! prediction.

use crate::fit_context::{FitTask, parse_given_params};
use crate::folds::{FitFn, cross_validate, predict_out_of_fold_on_scale_of};
use crate::method::MethodRole;
use crate::model::Model;
use crate::registry::full_params_and_role;
use crate::tuned_threshold::PredictionSource;
use imbcore_core::{
    CalibrationMethod, Dataset, DecisionPlan, Error, Result, RunContext, Schema, SeedKey, tags,
};
use imbcore_ensembles::ForestModel;
use imbcore_metrics::{Calibration, CvSplits, LatestFolds, LossDifferences, SignalEvidence};
use serde_json::Value;

const FOLDS: u32 = 5;
/// Name of the parameter that requests out-of-bag predictions.
const OUT_OF_BAG: &str = "oob_score";

/// Request for predictions on rows to which a model was not fitted.
#[derive(Clone, Copy)]
pub(crate) struct PredictionRequest<'a> {
    /// Purpose of the predictions, for error messages.
    pub(crate) purpose: &'a str,
    /// Rows and periods that the latest inner folds must test if rows have times.
    pub(crate) latest: LatestFolds<'a>,
    /// Whether probabilities of folds in time are mapped to the scale of the model of all rows.
    pub(crate) maps_scale: bool,
}

/// Predictions on rows to which a model was not fitted, with their true classes and weights.
pub(crate) struct OutOfSamplePredictions {
    pub(crate) truth: Vec<u32>,
    pub(crate) proba: Vec<f64>,
    pub(crate) n_classes: usize,
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) source: PredictionSource,
    /// Index in the table of each predicted row.
    pub(crate) rows: Vec<u32>,
    pub(crate) groups: Option<Vec<u32>>,
    /// Assumption that a guarantee makes about groups or times of rows; `None` without them.
    pub(crate) assumes: Option<String>,
}

impl OutOfSamplePredictions {
    /// Keeps only the rows that were predicted; rows without a prediction have NaN probabilities.
    fn from_predictions(data: &Dataset<'_>, mut proba: Vec<f64>, source: PredictionSource) -> Self {
        let n_classes = data.n_classes();
        let known: Vec<usize> = (0..data.n_rows()).filter(|&row| !proba[row * n_classes].is_nan()).collect();
        let truth = known.iter().map(|&row| data.class_codes()[row]).collect();
        let weights = data.weights().map(|weights| known.iter().map(|&row| weights[row]).collect());
        let groups = data.dependence().groups();
        let groups = groups.map(|groups| known.iter().map(|&row| groups[row]).collect());
        proba.retain(|p| !p.is_nan());
        // Because of rounding errors, a mean of probabilities may be slightly above 1.
        for p in &mut proba {
            *p = p.min(1.0);
        }
        let rows = known.into_iter().map(|row| row as u32).collect();
        Self { truth, proba, n_classes, weights, source, rows, groups, assumes: None }
    }

    fn require_all_classes(&self, wanted: &str, (data, schema): (&Dataset<'_>, &Schema)) -> Result<()> {
        let missing = |class: &u32| data.class_codes().contains(class) && !self.truth.contains(class);
        match (0..data.n_classes() as u32).find(missing) {
            None => Ok(()),
            Some(class) => Err(Error::Data(format!(
                "{wanted}: no test fold of the inner folds has a row of class {}; provide more groups or more times with rows of \
                 this class",
                schema.class_text(class)
            ))),
        }
    }

    /// Warns if these predictions contain no signal.
    ///
    /// There is a signal if the log loss is better than that of the class proportions by at least a standard
    /// error. The predictions are first calibrated by logistic curves, because a miscalibrated model may also
    /// have a signal.
    ///
    /// The curves are fitted to the same rows, which rarely suggests a false signal. Without a signal, the
    /// log loss improves by a standard error only if a coefficient differs from 0 by two standard errors.
    pub(crate) fn warn_about_no_signal(&self, ctl: RunContext<'_>) -> Result<()> {
        let c = self.n_classes;
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let weights: Vec<f64> = (0..self.truth.len()).map(weight).collect();
        let total: f64 = weights.iter().sum();
        let (mut prior, mut mean) = (vec![0.0; c], vec![0.0; c]);
        for ((proba, &class), weight) in self.proba.chunks_exact(c).zip(&self.truth).zip(&weights) {
            prior[class as usize] += weight / total;
            mean.iter_mut().zip(proba).for_each(|(mean, p)| *mean += weight * p / total);
        }
        if prior.iter().filter(|&&p| p > 0.0).count() < 2 {
            return Ok(());
        }
        let curves =
            Calibration::fit(CalibrationMethod::Sigmoid, &self.truth, &self.proba, c, Some(&weights))?;
        let calibrated = curves.apply(&self.proba)?;
        let mut differences = LossDifferences::new(1);
        differences.add_predictions((&self.truth, &calibrated), &prior, &weights, self.groups.as_deref());
        // If a model ranks the rows in the wrong order, the calibration curve is almost constant, and the log
        // loss is close to that of the class proportions. By chance, it may be lower. So a signal also
        // requires a positive correlation of uncalibrated probabilities and true classes.
        let rows = self.proba.chunks_exact(c).zip(&self.truth).zip(&weights);
        let covariance: f64 =
            rows.map(|((p, &class), w)| w * (p[class as usize] - mean[class as usize])).sum();
        if let Some(evidence) = differences.evidence_for_model(0) {
            let beats_prior = evidence.beats_prior && covariance > 0.0;
            SignalEvidence { beats_prior, ..evidence }.warn_if_no_signal(ctl);
        }
        Ok(())
    }

    pub(crate) fn scores(&self, class: u32) -> Vec<f64> {
        self.proba.chunks_exact(self.n_classes).map(|row| row[class as usize]).collect()
    }
}

/// Fits a model to all rows; also returns out-of-bag or out-of-fold predictions of the rows.
///
/// If rows have times, the model of the latest inner fold was fitted to other times than the model of all
/// rows, so its probabilities may be on another scale.
pub(crate) fn fit_and_predict(
    task: &FitTask<'_>,
    request: PredictionRequest<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<(Model, OutOfSamplePredictions)> {
    let PredictionRequest { purpose: wanted, latest, maps_scale } = request;
    let (model, unseen) = if let Some(found) = fit_with_out_of_bag(task, latest, (data, schema), fit, ctl)? {
        found
    } else {
        // If there are too few rows for inner folds, the error must come before the slow fit to all rows.
        let splits = inner_splits(task, (wanted, latest), data, ctl)?;
        let model = fit(task, data, schema.clone(), ctl)?;
        let params = params_with_chosen_shrinkage(task, &model)?;
        let task = &FitTask { params: &params, ..*task };
        let scale = (maps_scale && data.dependence().times().is_some()).then_some(&model);
        let unseen = predict_out_of_fold((task, wanted, scale), (data, schema, &splits), fit, ctl)?;
        (model, unseen)
    };
    unseen.require_all_classes(wanted, (data, schema))?;
    Ok((model, unseen))
}

/// Fits a model to all rows, with out-of-bag predictions.
///
/// Returns `None` if the method has no such predictions, or if they are unsuitable: because they depend on
/// later rows, or because more than half of the rows of a class have none.
fn fit_with_out_of_bag(
    task: &FitTask<'_>,
    latest: LatestFolds<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<Option<(Model, OutOfSamplePredictions)>> {
    let mut params = parse_given_params(task.params)?;
    let (all, role) = full_params_and_role(task.method, &task.resolve_params(schema)?)?;
    let source = if role == MethodRole::Selection {
        PredictionSource::OutOfFold
    } else if data.dependence().times().is_some() {
        // With times, out-of-bag predictions are not used: the members that predict a row were also fitted to
        // later rows.
        return Ok(None);
    } else {
        PredictionSource::OutOfBag
    };
    let asked = match all.get(OUT_OF_BAG) {
        None => return Ok(None),
        Some(Value::Bool(false)) => false,
        Some(_) => true,
    };
    if !asked {
        params.insert(OUT_OF_BAG.into(), Value::Bool(true));
    }
    let params = Value::Object(params).to_string();
    let model = match fit(&FitTask { params: &params, ..*task }, data, schema.clone(), ctl) {
        // The method rejects `oob_score` if its bags contain all rows. This is no error unless the user
        // requested `oob_score`.
        Err(Error::Parameter { name, .. }) if name == OUT_OF_BAG && !asked => return Ok(None),
        model => model?,
    };
    let Some(answers) = model.fitted_estimator().out_of_bag() else { return Ok(None) };
    let n_classes = data.n_classes();
    let answer = |row: usize| &answers.decision[row * n_classes..][..n_classes];
    let mut rows = vec![(0, 0); n_classes];
    for (row, &class) in data.class_codes().iter().enumerate() {
        rows[class as usize].0 += 1;
        rows[class as usize].1 += usize::from(!answer(row)[0].is_nan());
    }
    if source == PredictionSource::OutOfBag && rows.iter().any(|&(all, known)| 2 * known < all) {
        return Ok(None);
    }
    let mut decision = answers.decision.clone();
    if data.dependence().times().is_some() {
        mask_all_but_latest_folds(&mut decision, data, latest, ctl)?;
    }
    let unseen = OutOfSamplePredictions::from_predictions(data, decision, source);
    Ok(Some((if asked { model } else { model.without_out_of_bag(OUT_OF_BAG) }, unseen)))
}

/// Sets the probabilities of rows to NaN, except in the latest inner folds.
fn mask_all_but_latest_folds(
    proba: &mut [f64],
    data: &Dataset<'_>,
    latest: LatestFolds<'_>,
    ctl: RunContext<'_>,
) -> Result<()> {
    // If rows have times, folds do not depend on the random key, so any key gives the folds of the fit.
    let splits = CvSplits::inner_folds(data.class_codes(), data.dependence(), FOLDS, SeedKey::root(0), ctl)?;
    let splits = splits.keep_latest_folds(data.class_codes(), latest);
    let mut is_kept = vec![false; data.n_rows()];
    for (repeat, fold) in splits.tested_folds() {
        for row in splits.train_and_test_rows(repeat, fold).1 {
            is_kept[row as usize] = true;
        }
    }
    for (row, proba) in proba.chunks_exact_mut(data.n_classes()).enumerate() {
        if !is_kept[row] {
            proba.fill(f64::NAN);
        }
    }
    Ok(())
}

/// Random key of the inner folds, and of the models fitted to them.
fn fold_key(task: &FitTask<'_>) -> SeedKey {
    task.key.child(tags::wrapped::TUNE, 0)
}

fn add_purpose_to_error(error: Error, wanted: &str) -> Error {
    match error {
        Error::Data(message) => Error::Data(format!("{wanted}, inner folds: {message}")),
        other => other,
    }
}

/// Inner folds for out-of-fold predictions; if rows have times, only the latest folds.
fn inner_splits(
    task: &FitTask<'_>,
    (wanted, latest): (&str, LatestFolds<'_>),
    data: &Dataset<'_>,
    ctl: RunContext<'_>,
) -> Result<CvSplits> {
    let key = fold_key(task).child(tags::evaluation::FOLDS, 0);
    let splits = CvSplits::inner_folds(data.class_codes(), data.dependence(), FOLDS, key, ctl);
    let splits = splits.map_err(|error| add_purpose_to_error(error, wanted))?;
    Ok(splits.keep_latest_folds(data.class_codes(), latest))
}

/// Parameters for the models of the inner folds, with the shrinkage that `model` chose.
///
/// `model` was fitted to all rows. If each fold model chose its own amount of hierarchical shrinkage, the
/// probabilities of the fold models and of `model` would be on different scales.
fn params_with_chosen_shrinkage(task: &FitTask<'_>, model: &Model) -> Result<String> {
    let mut params = parse_given_params(task.params)?;
    let choice = model.fitted_estimator().forest().and_then(ForestModel::shrinkage);
    // A forest without signal also scales the deviations of its probabilities from the class proportions. No
    // parameter sets this scale. In this case, the fold models choose their own shrinkage.
    if let Some(choice) = choice.filter(|choice| choice.scale == 1.0) {
        params.insert("hierarchical_shrinkage".into(), choice.amount.into());
    }
    Ok(Value::Object(params).to_string())
}

/// Out-of-fold probabilities; on the scale of a model fitted to all rows, if it is given.
fn predict_out_of_fold(
    (task, wanted, scale): (&FitTask<'_>, &str, Option<&Model>),
    (data, schema, splits): (&Dataset<'_>, &Schema, &CvSplits),
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<OutOfSamplePredictions> {
    // Costs that were passed per row do not fit the rows of a fold. They affect only decisions, and only
    // probabilities are needed here, so they are omitted.
    let plan = task.costs.map(DecisionPlan::without_row_costs);
    let task = FitTask { key: fold_key(task), costs: plan.as_ref(), ..*task };
    let found = match (scale, task.positive) {
        (Some(model), Some(positive)) => {
            predict_out_of_fold_on_scale_of((model, positive), &task, (data, schema), splits, fit, ctl)
        }
        _ => cross_validate(&task, (data, schema), (splits, None), fit, ctl.without_observer())
            .map(|found| found.proba),
    };
    let proba = found.map_err(|error| add_purpose_to_error(error, wanted))?;
    Ok(OutOfSamplePredictions::from_predictions(data, proba, PredictionSource::OutOfFold))
}

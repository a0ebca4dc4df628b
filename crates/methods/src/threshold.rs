//! Tuning of thresholds and calibration of probabilities, by predictions on held-out rows.
//!
//! A threshold with a guarantee is chosen on rows that neither the fit nor the calibration uses.

use crate::class_priors::ClassPriors;
use crate::fit_context::FitTask;
use crate::folds::{DataSubset, FitFn};
use crate::model::Model;
use crate::out_of_sample::{OutOfSamplePredictions, PredictionRequest, fit_and_predict};
use crate::resolved_costs::resolve_positive_class;
use crate::tuned_threshold::{
    CalibrationRecord, FittedCalibration, PredictionSource, TunedThreshold, TuningPerformance,
};
use imbcore_core::{
    CalibrationMethod, Dataset, Decision, DecisionPlan, Error, Guarantee, Result, RowDependence, RowGroups,
    RunContext, Schema, SeedKey, Threshold, ThresholdGoal, ThresholdTarget, tags,
};
use imbcore_metrics::{
    Calibration, HeldOutGroups, HeldOutRows, HeldOutSplit, LatestFolds, RowTimesAndGroups, check_group_sizes,
    class_thresholds, confusion_of_prior_ratio_rule, find_threshold, guarantee_assumption_text,
};

/// A budget per period causes a warning if fewer complete periods were held out.
const FEW_PERIODS: usize = 3;

/// A threshold for a precision causes a warning if it gives fewer alerts than this.
const FEW_ALERTS: usize = 5;

/// Minimum number of rows per class for a calibration, or for one threshold per class.
///
/// With two rows of a class, a model fitted to one of them can predict the other.
const FEWEST: usize = 2;

/// Requested steps that need predictions on rows to which the model was not fitted.
#[derive(Clone, Copy)]
pub(crate) struct TuningTasks<'a> {
    pub(crate) calibration: Option<CalibrationMethod>,
    /// Goal of a tuned threshold; the threshold refers to probabilities after calibration.
    pub(crate) goal: Option<&'a ThresholdGoal>,
}

impl<'a> TuningTasks<'a> {
    pub(crate) fn from_plan(plan: &'a DecisionPlan) -> Self {
        let goal = match &plan.threshold {
            Some(Threshold::Goal(goal)) => Some(&**goal),
            _ => None,
        };
        Self { calibration: plan.calibration, goal }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.calibration.is_none() && self.goal.is_none()
    }
}

impl std::fmt::Display for TuningTasks<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.goal, self.calibration) {
            (Some(goal), _) => write!(out, "threshold={goal}"),
            (None, Some(method)) => write!(out, "calibrate=\"{}\"", method.name()),
            (None, None) => Ok(()),
        }
    }
}

pub(crate) fn chunked_tuning_error() -> Error {
    Error::Unsupported(
        "calibrate, and a threshold that is not a number, need rows that the model did not see, which a fit to rows read in \
         chunks does not keep; fit without them, and calibrate or choose the threshold on other rows"
            .into(),
    )
}

/// Fits a model, then calibrates its probabilities and tunes its threshold as requested.
///
/// `wanted` has the requested steps; the decision plan of `task` no longer contains them. Inner folds and
/// held-out rows depend on the seed of `task`.
pub(crate) fn fit_and_tune(
    task: &FitTask<'_>,
    wanted: TuningTasks<'_>,
    (data, schema): (&Dataset<'_>, Schema),
    fit: FitFn,
    ctl: RunContext<'_>,
) -> Result<Model> {
    let fits = |goal: &ThresholdGoal| {
        data.n_classes() == 2 || data.n_classes() > 2 && matches!(goal.aim, ThresholdTarget::Best(_))
    };
    if let Some(goal) = wanted.goal.filter(|goal| !fits(goal)) {
        return Err(Error::Data(format!(
            "threshold={goal} needs two classes, but there are {}; \"f1\", \"f2\", \"g_mean\", \"mcc\" and \"youden\" allow more, \"prior\" \
             and cost_matrix=\"balanced\" any number",
            data.n_classes()
        )));
    }
    if let Some(goal) = wanted.goal.filter(|goal| matches!(goal.aim, ThresholdTarget::AlertsPerPeriod { .. }))
        && data.dependence().times().is_none()
    {
        let expected = "a number of rows unless time is given";
        return Err(Error::parameter("fit", "threshold[\"per\"]", expected, goal));
    }
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    let key = task.key.child(tags::wrapped::TUNE, 1);
    let task = &FitTask { positive: Some(positive), ..*task };
    if let Some((goal, guarantee)) = wanted.goal.and_then(|goal| Some((goal, goal.guarantee?))) {
        // Calibration belongs to the fit to the training rows, so it does not use the rows that are held out
        // for the guarantee.
        let plan =
            DecisionPlan { calibration: wanted.calibration, ..task.costs.cloned().unwrap_or_default() };
        let task = &FitTask { costs: Some(&plan), ..*task };
        let (model, unseen) =
            fit_and_predict_held_out(task, (&goal.aim, guarantee), (data, &schema), (fit, key), ctl)?;
        unseen.warn_about_no_signal(ctl)?;
        return with_tuned_threshold(model, unseen, goal, (data, positive, key), ctl);
    }
    // For one threshold and two classes, no check is needed here: `fit_and_predict` already checks that rows
    // of both classes have predictions.
    if wanted.calibration.is_some() || data.n_classes() > 2 {
        check_enough_rows(wanted, data, &schema)?;
    }
    let purpose = wanted.to_string();
    let is_budget = |goal: &ThresholdGoal| {
        matches!(
            goal.aim,
            ThresholdTarget::Alerts { .. }
                | ThresholdTarget::AlertRate(_)
                | ThresholdTarget::AlertsPerPeriod { .. }
        )
    };
    let request = PredictionRequest {
        purpose: &purpose,
        latest: latest_folds(wanted, data),
        maps_scale: wanted.goal.is_some_and(is_budget),
    };
    let (mut model, mut unseen) = fit_and_predict(task, request, (data, &schema), fit, ctl)?;
    unseen.warn_about_no_signal(ctl)?;
    if let Some(method) = wanted.calibration {
        let calibrated = unseen.fit_calibration(method)?;
        unseen.proba = calibrated.curves.apply(&unseen.proba)?;
        // Calibrated probabilities are for the class proportions of the rows, even if the fit used class
        // weights.
        let known = data.class_proportions();
        let confused = confusion_of_prior_ratio_rule(
            &unseen.proba,
            Some(&unseen.truth),
            &known,
            unseen.weights.as_deref(),
        )?;
        let shares = ClassPriors { known, confused, adapted: None, ..model.class_priors().clone() };
        model = model.with_calibration(Some(calibrated))?.with_class_priors(shares)?;
    }
    match wanted.goal {
        Some(goal) => with_tuned_threshold(model, unseen, goal, (data, positive, key), ctl),
        None => Ok(model),
    }
}

/// Rows and periods that the latest inner folds must test.
fn latest_folds<'a>(wanted: TuningTasks<'_>, data: &Dataset<'a>) -> LatestFolds<'a> {
    let default = LatestFolds::default();
    let n_rows = wanted.calibration.map_or(0, CalibrationMethod::rows_needed).max(default.n_rows);
    let length = wanted.goal.and_then(|goal| match goal.aim {
        ThresholdTarget::AlertsPerPeriod { length, .. } => Some(length),
        _ => None,
    });
    let times = data.dependence().times().map(|times| times.values);
    LatestFolds { n_rows, periods: times.zip(length) }
}

/// Returns an error if a class has too few rows for a calibration or a threshold of its own.
///
/// The minimum is [`FEWEST`] rows. Classes without any row are allowed.
fn check_enough_rows(wanted: TuningTasks<'_>, data: &Dataset<'_>, schema: &Schema) -> Result<()> {
    let mut rows = vec![0; data.n_classes()];
    for row in (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0) {
        rows[data.class_codes()[row] as usize] += 1;
    }
    match (0..).zip(rows).find(|&(_, rows)| (1..FEWEST).contains(&rows)) {
        None => Ok(()),
        Some((class, rows)) => {
            let needed = |method: CalibrationMethod| format!(", and {} to be reliable", method.rows_needed());
            Err(Error::Data(format!(
                "{wanted} needs at least {FEWEST} rows of every class{}; class {} has {rows}",
                wanted.calibration.map(needed).unwrap_or_default(),
                schema.class_text(class),
            )))
        }
    }
}

/// Returns the model with a threshold, or one per class, that meets the goal.
///
/// The threshold is chosen on the predictions `unseen`. They come from models that were not fitted to the
/// predicted rows.
fn with_tuned_threshold(
    model: Model,
    unseen: OutOfSamplePredictions,
    goal: &ThresholdGoal,
    (data, positive, key): (&Dataset<'_>, u32, SeedKey),
    ctl: RunContext<'_>,
) -> Result<Model> {
    let is_positive = |&&row: &&u32| data.class_codes()[row as usize] == positive;
    let (positives, negatives): (Vec<&u32>, Vec<&u32>) = unseen.rows.iter().partition(is_positive);
    let rows_by_class = [positives, negatives].map(|rows| rows.into_iter().copied().collect::<Vec<u32>>());
    let (decision, chosen) = unseen.choose_threshold(goal, (data.dependence(), positive, key), ctl)?;
    // Two results cause a warning, because chance does not explain them. First, the recall of the final model
    // is below half the expected recall. Second, its false positive rate exceeds the expected rate by more
    // than twice the half width of the interval.
    if let (
        Decision::Threshold { at, .. },
        TuningPerformance::Positive(expected),
        PredictionSource::OutOfFold,
    ) = (&decision, &chosen.expected, chosen.source)
    {
        let alert_fraction = |rows: &[u32]| -> Result<f64> {
            let subset = DataSubset::new(data, rows, ctl)?;
            let proba = model.proba(&subset.frame.borrow()?, ctl)?;
            let scores = proba.iter().skip(positive as usize).step_by(data.n_classes());
            let (mut alerts, mut total) = (0.0, 0.0);
            for (&row, score) in rows.iter().zip(scores) {
                let weight = data.weight(row as usize);
                total += weight;
                alerts += if score >= at { weight } else { 0.0 };
            }
            Ok(alerts / total)
        };
        let [positives, negatives] = &rows_by_class;
        let (found, false_alarms) = (alert_fraction(positives)?, alert_fraction(negatives)?);
        let (recall, fpr) = (expected.recall.value, &expected.fpr);
        let problem = if recall * positives.len() as f64 >= 3.0 && 2.0 * found < recall {
            Some(("positive", recall, found))
        } else {
            (false_alarms > 2.0 * fpr.high - fpr.value).then_some(("negative", fpr.value, false_alarms))
        };
        if let Some((class, of_others, of_final)) = problem {
            warn_of_other_scale(goal, class, [of_others, of_final], ctl);
        }
    }
    Ok(model.with_decision(decision)?.with_tuning_record(Some(chosen)))
}

/// Warns that the threshold does not fit the scale of the final model's probabilities.
///
/// The threshold was chosen by models of inner folds. Their scale may differ from that of the final model, in
/// particular if there are few positives or few different probabilities. `alerts` has two fractions of the
/// rows of `class` with alerts: first for the models of the inner folds, then for the final model. The final
/// model was fitted to these rows. It should therefore alert on more of the positive rows, and on fewer of
/// the negative rows.
fn warn_of_other_scale(goal: &ThresholdGoal, class: &str, alerts: [f64; 2], ctl: RunContext<'_>) {
    let [of_others, of_final] = alerts.map(|fraction| 100.0 * fraction);
    ctl.warn(format!(
        "threshold={goal} does not fit the final model. It was chosen with models of inner folds, which alert on {of_others:.2} % of \
         the {class} rows held out from them; the final model alerts on {of_final:.2} % of the same rows although it was fitted \
         to them. Choose the threshold again on new labeled rows (for an alert budget, unlabeled rows are enough) with \
         imbcore.metrics.threshold_for, and set it with model.with_threshold; or use a method whose probabilities have \
         more distinct values"
    ));
}

impl OutOfSamplePredictions {
    fn fit_calibration(&self, method: CalibrationMethod) -> Result<FittedCalibration> {
        let weights = self.weights.as_deref();
        let curves = Calibration::fit(method, &self.truth, &self.proba, self.n_classes, weights)?;
        let mut rows_by_class = vec![0; self.n_classes];
        for (row, &class) in self.truth.iter().enumerate() {
            rows_by_class[class as usize] += usize::from(weights.is_none_or(|weights| weights[row] > 0.0));
        }
        let (source, n_rows) = (self.source, rows_by_class.iter().sum());
        Ok(FittedCalibration { curves, facts: CalibrationRecord { method, source, n_rows, rows_by_class } })
    }

    /// Chooses a threshold, or one per class, that meets the goal on these predictions.
    ///
    /// Returns the decision rule and the record of its expected performance.
    fn choose_threshold(
        self,
        goal: &ThresholdGoal,
        (dependence, positive, key): (RowDependence<'_>, u32, SeedKey),
        ctl: RunContext<'_>,
    ) -> Result<(Decision, TunedThreshold)> {
        let weights = self.weights.as_deref();
        let n_rows = self.truth.len();
        let (decision, n_positives, expected, expected_by_group) = match &goal.aim {
            ThresholdTarget::Best(measure) if self.n_classes > 2 => {
                let (thresholds, expected) =
                    class_thresholds(*measure, &self.truth, &self.proba, self.n_classes, weights, ctl)?;
                (Decision::Thresholds(thresholds), None, TuningPerformance::ByClass(expected), None)
            }
            _ => {
                let scores = self.scores(positive);
                let groups = self.groups.as_deref().map(|codes| HeldOutGroups { codes, key });
                let rows = HeldOutRows { truth: &self.truth, positive, scores: &scores, groups };
                let alert_rows = dependence.times().map(|times| RowTimesAndGroups {
                    times: times.values,
                    groups: dependence.alert_groups(),
                    predicted: &self.rows,
                });
                let found = find_threshold(goal, &rows, weights, alert_rows)?;
                let at = found.at;
                warn_about_trivial_threshold(goal, &scores, at, weights, ctl);
                if let Some(n_periods) = found.expected.alerts.map(|alerts| alerts.n_periods)
                    && n_periods < FEW_PERIODS
                {
                    let periods = if n_periods == 1 { "time span" } else { "time spans" };
                    ctl.warn(format!(
                        "the threshold chosen for threshold={goal} rests on {n_periods} whole {periods}, too few to know the \
                         mean number of alerts; give rows of a longer time, or a budget for a shorter time span, and check \
                         the number of alerts on later rows"
                    ));
                }
                let n_positives = self.truth.iter().filter(|&&class| class == positive).count();
                let decision = Decision::Threshold { at, positive };
                (decision, Some(n_positives), TuningPerformance::Positive(found.expected), found.by_group)
            }
        };
        let confidence = goal.guarantee.map(|guarantee| guarantee.confidence);
        let goal = goal.asked.clone();
        Ok((
            decision,
            TunedThreshold {
                goal,
                source: self.source,
                n_rows,
                n_positives,
                confidence,
                assumes: self.assumes,
                expected,
                expected_by_group,
            },
        ))
    }
}

/// Warns if the threshold gives alerts on all of its tuning rows, or on none of them.
///
/// For a precision, it also warns if there are fewer than [`FEW_ALERTS`] alerts.
fn warn_about_trivial_threshold(
    goal: &ThresholdGoal,
    scores: &[f64],
    at: f64,
    weights: Option<&[f64]>,
    ctl: RunContext<'_>,
) {
    let counts = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
    let rows = (0..scores.len()).filter(|&row| counts(row)).count();
    let alerts = (0..scores.len()).filter(|&row| counts(row) && scores[row] >= at).count();
    if alerts == rows && rows > 0 {
        let limited =
            matches!(goal.aim, ThresholdTarget::Alerts { .. } | ThresholdTarget::AlertsPerPeriod { .. });
        let remedy = if limited {
            "a lower budget (if the rows of the fit are only a part of all rows, such as those with known labels, choose the \
             threshold on all rows, by imbcore.metrics.threshold_for)"
        } else {
            "a lower target, or an alert budget such as threshold={\"alerts\": 100, \"per\": 10000}"
        };
        ctl.warn(format!(
            "the threshold chosen for threshold={goal} alerts on every row; give {remedy}, or a method whose probabilities separate \
             the classes"
        ));
    } else if alerts == 0 {
        ctl.warn(format!(
            "the threshold chosen for threshold={goal} alerts on no row; relax the goal, such as a lower precision or a \
             larger budget, or use a method whose probabilities separate the classes"
        ));
    } else if alerts < FEW_ALERTS && matches!(goal.aim, ThresholdTarget::Precision(_)) {
        ctl.warn(format!(
            "the threshold chosen for threshold={goal} alerts on only {alerts} of {rows} rows, too few to estimate the \
             precision; give a lower precision, or use a method whose probabilities separate the classes better"
        ));
    }
}

/// Holds out rows for a guarantee, and predicts them by a model fitted to the other rows.
fn fit_and_predict_held_out(
    task: &FitTask<'_>,
    (aim, guarantee): (&ThresholdTarget, Guarantee),
    (data, schema): (&Dataset<'_>, &Schema),
    (fit, key): (FitFn, SeedKey),
    ctl: RunContext<'_>,
) -> Result<(Model, OutOfSamplePredictions)> {
    if data.weights().is_some() {
        return Err(Error::Data(
            "a guarantee counts rows, so sample_weight cannot be combined with it; leave out one of them"
                .into(),
        ));
    }
    let dependence = data.dependence();
    match (dependence.groups(), guarantee.max_group_size) {
        (Some(groups), Some(largest)) => {
            check_group_sizes(&RowGroups::new(groups.iter().copied()), largest)?;
        }
        (None, Some(_)) => ctl.warn(
            "threshold[\"max_group_size\"] has no effect, because no two rows are of one group; give groups, or leave it out",
        ),
        _ => {}
    }
    let positive = task.positive.unwrap_or_default();
    let split = HeldOutSplit::new(data.class_codes(), positive, dependence, guarantee.rows, key)?;
    let groups: Option<Vec<u32>> =
        dependence.groups().map(|groups| split.test.iter().map(|&row| groups[row as usize]).collect());
    let (kept, apart) = (DataSubset::new(data, &split.train, ctl)?, DataSubset::new(data, &split.test, ctl)?);
    // Before the fit, only the number of rows is checked. The number does not depend on scores, so all scores
    // are 0 here.
    HeldOutRows {
        truth: &apart.classes,
        positive,
        scores: &vec![0.0; apart.classes.len()],
        groups: groups.as_deref().map(|codes| HeldOutGroups { codes, key }),
    }
    .check_enough_data(aim, guarantee)?;
    let model = fit(task, &kept.dataset(data.n_classes())?, schema.clone(), ctl)?;
    let proba = model.proba(&apart.frame.borrow()?, ctl)?;
    Ok((
        model,
        OutOfSamplePredictions {
            truth: apart.classes,
            proba,
            n_classes: 2,
            weights: None,
            source: PredictionSource::HeldOut,
            rows: split.test,
            groups,
            assumes: guarantee_assumption_text(aim, guarantee.max_group_size, dependence),
        },
    ))
}

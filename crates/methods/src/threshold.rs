//! Thresholds that follow from the data, and probabilities that are calibrated: both on rows that a model did not see.
//!
//! A goal that is to hold with a stated confidence takes rows that are held out of the fit, of the calibration too.

use crate::chosen::{Calibrated, CalibrationFacts, Chosen, Expectation, Source};
use crate::door::Task;
use crate::folds::{Fit, Part};
use crate::model::Model;
use crate::settle::positive_of;
use crate::shares::Shares;
use crate::unseen::{Unseen, fit_and_ask};
use imbcore_base::{
    Aim, CalibrationMethod, CostPlan, Dataset, Decision, Error, Goal, Guarantee, Result, RunCtl, Schema,
    Threshold, tags,
};
use imbcore_eval::{Calibration, HeldOut, answered_by_growth, class_thresholds, meet, stratified_split};

/// Rows of a class that a calibration, or a threshold of each class, takes: each is to be answered by a model that knows
/// another one.
const FEWEST: usize = 2;

/// What a fit is to do with answers about rows that it did not see.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Probabilities that are calibrated.
    pub(crate) calibration: Option<CalibrationMethod>,
    /// A threshold, on calibrated probabilities where both are wanted.
    pub(crate) goal: Option<&'a Goal>,
}

impl<'a> Wanted<'a> {
    /// What a plan asks for.
    pub(crate) fn of(plan: &'a CostPlan) -> Self {
        let goal = match &plan.threshold {
            Some(Threshold::Goal(goal)) => Some(&**goal),
            _ => None,
        };
        Self { calibration: plan.calibration, goal }
    }

    /// Whether that is nothing.
    pub(crate) fn is_none(&self) -> bool {
        self.calibration.is_none() && self.goal.is_none()
    }
}

impl std::fmt::Display for Wanted<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.goal, self.calibration) {
            (Some(goal), _) => write!(out, "threshold={goal}"),
            (None, Some(method)) => write!(out, "calibrate=\"{}\"", method.name()),
            (None, None) => Ok(()),
        }
    }
}

/// What is to be said of a calibration, or a threshold that follows from the data.
pub(crate) fn needs_unseen_rows() -> Error {
    Error::Unsupported(
        "calibrate, and a threshold that is no number, need rows that the model did not see, which a fit to rows read by \
         pieces does not keep; fit without them, and calibrate or choose the threshold on other rows"
            .into(),
    )
}

/// Fits the task, whose plan says nothing of what is wanted, and then does that. Folds and rows held out follow from the
/// task's seed.
///
/// # Errors
/// [`Error::Data`] for a goal with other than two classes, or that nothing meets, or too few rows to calibrate on; otherwise
/// as `fit`.
pub(crate) fn fit_wanted(
    task: &Task<'_>,
    wanted: Wanted<'_>,
    (data, schema): (&Dataset<'_>, Schema),
    fit: Fit,
    ctl: RunCtl<'_>,
) -> Result<Model> {
    let fits =
        |goal: &Goal| data.n_classes() == 2 || data.n_classes() > 2 && matches!(goal.aim, Aim::Best(_));
    if let Some(goal) = wanted.goal.filter(|goal| !fits(goal)) {
        return Err(Error::Data(format!(
            "threshold={goal} needs two classes, but there are {}; \"f1\", \"f2\", \"g_mean\", \"mcc\" and \"youden\" serve more, \"prior\" \
             or cost_matrix=\"balanced\" any number",
            data.n_classes()
        )));
    }
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let task = &Task { positive: Some(positive), ..*task };
    if let Some((goal, guarantee)) = wanted.goal.and_then(|goal| Some((goal, goal.guarantee?))) {
        // The rows that promise something are others than those that calibrate.
        let plan = CostPlan { calibration: wanted.calibration, ..task.costs.cloned().unwrap_or_default() };
        let task = &Task { costs: Some(&plan), ..*task };
        let (model, unseen) = held_out(task, (&goal.aim, guarantee), (data, &schema), fit, ctl)?;
        return chosen(model, unseen, goal, positive, ctl);
    }
    // Of two classes the folds ask for as many.
    if wanted.calibration.is_some() || data.n_classes() > 2 {
        enough_rows(wanted, data, &schema)?;
    }
    let (mut model, mut unseen) = fit_and_ask(task, &wanted.to_string(), (data, &schema), fit, ctl)?;
    if let Some(method) = wanted.calibration {
        let calibrated = unseen.calibrated(method)?;
        unseen.proba = calibrated.curves.apply(&unseen.proba)?;
        // Calibrated probabilities speak of the rows as they are, whatever the classes weighed in the fit.
        let known = data.class_shares();
        let confused =
            answered_by_growth(&unseen.proba, Some(&unseen.truth), &known, unseen.weights.as_deref())?;
        let shares = Shares { known, confused, adapted: None };
        model = model.calibrated_by(Some(calibrated))?.with_shares(shares);
    }
    match wanted.goal {
        Some(goal) => chosen(model, unseen, goal, positive, ctl),
        None => Ok(model),
    }
}

/// Refuses a calibration, or thresholds of several classes, with a class that has a row, but not enough.
fn enough_rows(wanted: Wanted<'_>, data: &Dataset<'_>, schema: &Schema) -> Result<()> {
    let mut rows = vec![0; data.n_classes()];
    for row in (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0) {
        rows[data.classes()[row] as usize] += 1;
    }
    match (0..).zip(rows).find(|&(_, rows)| (1..FEWEST).contains(&rows)) {
        None => Ok(()),
        Some((class, rows)) => {
            let needed = |method: CalibrationMethod| format!(", and {} to be trusted", method.rows_needed());
            Err(Error::Data(format!(
                "{wanted} takes at least {FEWEST} rows of every class{}; class {} has {rows}",
                wanted.calibration.map(needed).unwrap_or_default(),
                schema.class_text(class),
            )))
        }
    }
}

/// The model with the threshold, or those of several classes, that meet the goal on these rows.
fn chosen(model: Model, unseen: Unseen, goal: &Goal, positive: u32, ctl: RunCtl<'_>) -> Result<Model> {
    let (decision, chosen) = unseen.choose(goal, positive, ctl)?;
    Ok(model.answering(decision)?.chosen_by(Some(chosen)))
}

impl Unseen {
    /// Curves for these answers.
    fn calibrated(&self, method: CalibrationMethod) -> Result<Calibrated> {
        let weights = self.weights.as_deref();
        let curves = Calibration::fit(method, &self.truth, &self.proba, self.n_classes, weights)?;
        let mut rows_by_class = vec![0; self.n_classes];
        for (row, &class) in self.truth.iter().enumerate() {
            rows_by_class[class as usize] += usize::from(weights.is_none_or(|weights| weights[row] > 0.0));
        }
        let (source, n_rows) = (self.source, rows_by_class.iter().sum());
        Ok(Calibrated { curves, facts: CalibrationFacts { method, source, n_rows, rows_by_class } })
    }

    /// The decision that meets a goal, and what to expect of it.
    fn choose(self, goal: &Goal, positive: u32, ctl: RunCtl<'_>) -> Result<(Decision, Chosen)> {
        let weights = self.weights.as_deref();
        let n_rows = self.truth.len();
        let (decision, n_positives, expected) = match &goal.aim {
            Aim::Best(measure) if self.n_classes > 2 => {
                let (of, expected) =
                    class_thresholds(*measure, &self.truth, &self.proba, self.n_classes, weights, ctl)?;
                (Decision::Thresholds(of), None, Expectation::ByClass(expected))
            }
            _ => {
                let scores = self.scores(positive);
                let (at, expected) = meet(goal, &self.truth, positive, &scores, weights)?;
                note_one_sided(goal, &scores, at, weights, ctl);
                let n_positives = self.truth.iter().filter(|&&class| class == positive).count();
                let decision = Decision::Threshold { at, positive };
                (decision, Some(n_positives), Expectation::Positive(expected))
            }
        };
        let confidence = goal.guarantee.map(|guarantee| guarantee.confidence);
        let goal = goal.asked.clone();
        Ok((decision, Chosen { goal, source: self.source, n_rows, n_positives, confidence, expected }))
    }
}

/// Warns of a threshold that alerts on every row it was chosen on, or on none: it decides nothing.
fn note_one_sided(goal: &Goal, scores: &[f64], at: f64, weights: Option<&[f64]>, ctl: RunCtl<'_>) {
    let counts = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
    let rows = (0..scores.len()).filter(|&row| counts(row)).count();
    let alerts = (0..scores.len()).filter(|&row| counts(row) && scores[row] >= at).count();
    if alerts == rows && rows > 0 {
        ctl.note(format!(
            "the threshold chosen for threshold={goal} alerts on every row; give an alert budget such as \
             threshold={{\"alerts\": 100, \"per\": 10000}}, or a method whose probabilities separate the classes"
        ));
    } else if alerts == 0 {
        ctl.note(format!(
            "the threshold chosen for threshold={goal} alerts on no row; ask for less, such as a lower precision or a \
             larger budget, or take a method whose probabilities separate the classes"
        ));
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
    Ok((model, Unseen { truth: apart.classes, proba, n_classes: 2, weights: None, source: Source::HeldOut }))
}

//! Adaptation of models to new class proportions (label shift).
//!
//! Under label shift, class proportions change, but the distribution of the features within each class stays
//! the same. Probabilities are corrected to the new proportions, and the costs of errors are applied to the
//! corrected probabilities. If the proportions did not change, the adapted model predicts the same classes.
//! There is one exception: a tuned threshold whose goal depends on the proportions is chosen again on the new
//! rows.

use crate::class_priors::{ClassPriors, PriorAdaptation};
use crate::model::Model;
use crate::tuned_threshold::{PredictionSource, TunedThreshold, TuningPerformance};
use imbcore_core::{
    Dataset, Decision, Error, Frame, Result, RunContext, ThresholdGoal, ThresholdMeasure, ThresholdTarget,
};
use imbcore_metrics::{
    ExpectedPerformance, PriorEstimate, ProportionEstimate, choose_threshold_unlabeled,
    confusion_of_prior_ratio_rule, estimate_prior_bbse, estimate_prior_em, reweight_by_priors,
};

/// Source of the new class proportions: an estimation method, or the user.
#[derive(Clone, Copy, Debug)]
pub enum PriorEstimation<'a> {
    /// Estimated by the EM algorithm from the probabilities of the new rows.
    Em,
    /// Estimated by black-box shift estimation (BBSE).
    ///
    /// It compares predictions on the new rows with a confusion matrix. The matrix is computed on the given
    /// labeled rows; with None, on the out-of-bag predictions of the training rows.
    Bbse(Option<&'a Dataset<'a>>),
    /// Given by the user.
    Given(&'a [f64]),
}

impl Model {
    /// Returns the model adapted to new class proportions.
    ///
    /// `how` gives the proportions, or the method that estimates them from the rows in `frame`. A tuned
    /// threshold whose goal depends on the class proportions is chosen again on these rows. Without such a
    /// threshold, `frame` may be `None` if the user gives the proportions.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the model lacks the class proportions or the confusion matrix that `how`
    /// needs, or if its threshold cannot be adapted; [`Error::Data`] if rows are needed and not given, or if
    /// they do not determine the proportions.
    pub fn adapt_to_new_prior(
        &self,
        frame: Option<&Frame<'_>>,
        how: PriorEstimation<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let shares = self.class_priors();
        if !shares.is_known() || self.fitted_estimator().constant_class().is_some() {
            return Err(self.unsupported_error(
                "cannot be adapted: its file does not contain the class proportions of training; fit it again",
            ));
        }
        let known = &shares.known;
        if frame.is_none() && !matches!(how, PriorEstimation::Given(_)) {
            return Err(Error::Data(
                "correct_prior estimates the class proportions from new rows: give X_new, or known proportions as prior=".into(),
            ));
        }
        let mut proba = match frame {
            Some(frame) => {
                self.check_frame(frame)?;
                self.proba_before_adaptation(frame, ctl)?
            }
            None => Vec::new(),
        };
        let (method, now) = match how {
            PriorEstimation::Em => ("em", estimate_prior_em(&proba, known, shares.training_mass, ctl)?),
            PriorEstimation::Bbse(labelled) => {
                let confused = match labelled {
                    Some(rows) => {
                        self.check_frame(rows.frame())?;
                        let proba = self.proba_before_adaptation(rows.frame(), ctl)?;
                        confusion_of_prior_ratio_rule(
                            &proba,
                            Some(rows.class_codes()),
                            known,
                            rows.weights(),
                        )?
                    }
                    None if shares.confused.is_empty() => {
                        return Err(self.unsupported_error(
                            "has no out-of-bag predictions to estimate proportions by method=\"bbse\": fit with oob_score=True if bags are \
                             drawn, give labeled=(X, y) of rows that the fit did not see, or use method=\"em\"",
                        ));
                    }
                    None => shares.confused.clone(),
                };
                let n_classes = self.n_classes();
                let answered: Vec<f64> = confusion_of_prior_ratio_rule(&proba, None, known, None)?
                    .chunks_exact(n_classes)
                    .map(|row| row.iter().sum())
                    .collect();
                ("bbse", estimate_prior_bbse(&confused, &answered)?)
            }
            PriorEstimation::Given(prior) => ("given", check_given_prior(prior, self.n_classes())?),
        };
        let n_rows = frame.map_or(0, Frame::n_rows);
        if method != "given" {
            let has_labels = matches!(how, PriorEstimation::Bbse(Some(_)));
            self.check_estimated_priors(&now, (known, n_rows), has_labels, ctl)?;
        }
        reweight_by_priors(&mut proba, known, &now.prior);
        let (decision, chosen) = self.adapt_decision(&now, &proba)?;
        let adapted = PriorAdaptation { method: method.into(), n_rows, before: known.clone(), now };
        let shares = ClassPriors { adapted: Some(adapted), ..shares.clone() };
        self.clone().with_decision(decision)?.with_tuning_record(chosen).with_class_priors(shares)
    }

    /// Rejects estimated proportions of 0; warns if the estimated change may be due to chance.
    fn check_estimated_priors(
        &self,
        now: &PriorEstimate,
        (known, n_rows): (&[f64], usize),
        has_labels: bool,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let remedy = if has_labels {
            "give the proportions as prior="
        } else {
            "give the proportions as prior=, or labeled rows that the fit did not see, from any period, as labeled= with \
             method=\"bbse\""
        };
        // EM approaches an estimate of 0 without reaching it.
        let least = (0.1 / n_rows.max(1) as f64).min(1e-3);
        let removed =
            (0..).zip(now.prior.iter().zip(known)).find(|(_, (new, old))| **new < least && **old > 0.0);
        if let Some((class, _)) = removed {
            return Err(Error::Data(format!(
                "the estimated proportion of class {} is 0, so the corrected model would never predict it. Either the new rows are \
                 too few or the model separates the classes too weakly for an estimate: {remedy}. Or the columns have changed, \
                 too: fit the model again",
                self.schema().class_text(class)
            )));
        }
        let ends = now.low.iter().zip(&now.high);
        if known.iter().zip(ends).all(|(old, (low, high))| (low..=high).contains(&old)) {
            let class = self.positive_class() as usize;
            ctl.warn(format!(
                "the estimated proportion of class {} is {:.3}, with an interval from {:.3} to {:.3} that contains the proportion in \
                 training, {:.3}: the new rows do not show that the proportions changed. The correction was applied, but may make \
                 probabilities worse; use the uncorrected model, or {remedy}",
                self.schema().class_text(class as u32),
                now.prior[class],
                now.low[class],
                now.high[class],
                known[class]
            ));
        }
        Ok(())
    }

    /// Class proportions that the model was adapted to.
    pub fn prior_adaptation(&self) -> Option<&PriorAdaptation> {
        self.class_priors().prior_adaptation()
    }

    /// Decision rule of the model after its class proportions change to those of `now`.
    ///
    /// `proba` has the probabilities of the new rows, already corrected to the new proportions. Only a tuned
    /// threshold and the threshold "prior" change.
    fn adapt_decision(
        &self,
        now: &PriorEstimate,
        proba: &[f64],
    ) -> Result<(Decision, Option<TunedThreshold>)> {
        let new = &now.prior;
        let (at, positive, chosen) = match (self.decision(), self.tuned_threshold()) {
            (Decision::Prior(_), chosen) => return Ok((Decision::Prior(new.clone()), chosen.cloned())),
            (Decision::Thresholds(of), Some(chosen)) => return self.adapt_thresholds(new, of, chosen),
            (Decision::Threshold { at, positive }, Some(chosen)) => (*at, *positive, chosen),
            (decision, chosen) => return Ok((decision.clone(), chosen.cloned())),
        };
        let goal = ThresholdGoal::from_spec(chosen.goal.clone())?;
        let of_one_class = matches!(
            goal.aim,
            ThresholdTarget::Recall(_)
                | ThresholdTarget::Fpr(_)
                | ThresholdTarget::Best(ThresholdMeasure::Youden | ThresholdMeasure::GMean)
        );
        if goal.guarantee.is_some() && !of_one_class {
            return Err(Error::Unsupported(format!(
                "threshold={goal} was guaranteed at the class proportions of training only; fit without \
                 \"guarantee\", or guarantee a recall or false positive rate, which do not depend on the proportions"
            )));
        }
        if matches!(goal.aim, ThresholdTarget::AlertsPerPeriod { .. }) {
            return Err(Error::Unsupported(format!(
                "threshold={goal} needs the times of the new rows; call correct_prior on a model without a threshold, then choose \
                 the threshold with metrics.threshold_for(..., time=...)"
            )));
        }
        if let (true, TuningPerformance::Positive(expected)) = (of_one_class, &chosen.expected) {
            let old = self.class_priors().current_priors();
            let mut row = [at, 1.0 - at];
            let order = [positive as usize, 1 - positive as usize];
            reweight_by_priors(&mut row, &order.map(|class| old[class]), &order.map(|class| new[class]));
            let of_positive = |shares: &[f64]| shares[positive as usize];
            let prior = ProportionEstimate {
                value: of_positive(new),
                low: of_positive(&now.low),
                high: of_positive(&now.high),
            };
            let expected = TuningPerformance::Positive(performance_at_prior(expected, &prior));
            let by_group = chosen.expected_by_group.as_ref();
            let expected_by_group = by_group.map(|expected| {
                performance_at_prior(expected, &prior_of_groups(expected, of_positive(old), &prior))
            });
            let chosen = TunedThreshold { expected, expected_by_group, ..chosen.clone() };
            return Ok((Decision::Threshold { at: row[0], positive }, Some(chosen)));
        }
        if proba.is_empty() {
            return Err(Error::Data(format!(
                "threshold={goal} depends on the class proportions and is chosen again on new rows: give X_new"
            )));
        }
        let scores: Vec<f64> = proba.chunks_exact(2).map(|row| row[positive as usize]).collect();
        let (at, expected) = choose_threshold_unlabeled(&goal, positive, &scores)?;
        #[allow(clippy::cast_sign_loss)]
        let n_positives = (scores.len() as f64 * new[positive as usize]).round() as usize;
        let (source, n_rows) = (PredictionSource::Adapted, scores.len());
        let (n_positives, expected) = (Some(n_positives), TuningPerformance::Positive(expected));
        let expected_by_group = None;
        let chosen =
            TunedThreshold { source, n_rows, n_positives, expected, expected_by_group, ..chosen.clone() };
        Ok((Decision::Threshold { at, positive }, Some(chosen)))
    }

    /// Rescales the thresholds of all classes so that the predicted classes do not change.
    ///
    /// Thresholds for the goals `youden` and `g_mean` stay optimal, because these goals do not depend on the
    /// class proportions. Other goals return an error.
    fn adapt_thresholds(
        &self,
        new: &[f64],
        thresholds: &[f64],
        chosen: &TunedThreshold,
    ) -> Result<(Decision, Option<TunedThreshold>)> {
        let goal = ThresholdGoal::from_spec(chosen.goal.clone())?;
        if !matches!(goal.aim, ThresholdTarget::Best(ThresholdMeasure::Youden | ThresholdMeasure::GMean)) {
            return Err(Error::Unsupported(format!(
                "threshold={goal} of several classes is optimal at the proportions that it was chosen at, and rows without labels do not \
                 show which is optimal at others; fit with \"g_mean\" or \"youden\", which do not depend on proportions, or \"prior\""
            )));
        }
        let mut moved = thresholds.to_vec();
        reweight_by_priors(&mut moved, self.class_priors().current_priors(), new);
        Ok((Decision::Thresholds(moved), Some(chosen.clone())))
    }
}

/// New probability that a random row of a random group is positive.
///
/// The odds of this probability change by the same factor as the odds in all rows, from `old` to `new`.
fn prior_of_groups(known: &ExpectedPerformance, old: f64, new: &ProportionEstimate) -> ProportionEstimate {
    let (recall, fpr) = (known.recall.value, known.fpr.value);
    // The alert rate is the mean of recall and false positive rate, weighted by the proportion of each class.
    let before = (known.alert_rate.value - fpr) / (recall - fpr);
    if !(before > 0.0 && before < 1.0 && old > 0.0 && old < 1.0) {
        return *new;
    }
    let factor = before / (1.0 - before) * (1.0 - old) / old;
    let moved = |new: f64| factor * new / (factor * new + 1.0 - new);
    ProportionEstimate { value: moved(new.value), low: moved(new.low), high: moved(new.high) }
}

/// Performance of a threshold if the proportion of the positive class changes to `prior`.
///
/// Recall and false positive rate each concern one class only, so they do not change. Precision and alert
/// rate follow from these two rates and the proportion, by Bayes' theorem. The ends of their intervals are
/// the smallest and the largest value over the intervals of the two rates and of the proportion.
fn performance_at_prior(known: &ExpectedPerformance, prior: &ProportionEstimate) -> ExpectedPerformance {
    let alerts = |prior: f64, recall: f64, fpr: f64| prior * recall + (1.0 - prior) * fpr;
    let precision = |prior: f64, recall: f64, fpr: f64| {
        let all = alerts(prior, recall, fpr);
        if all > 0.0 { prior * recall / all } else { 0.0 }
    };
    let (recall, fpr) = (&known.recall, &known.fpr);
    let lowest = |prior: f64| alerts(prior, recall.low, fpr.low);
    let highest = |prior: f64| alerts(prior, recall.high, fpr.high);
    let mean_alerts = alerts(prior.value, recall.value, fpr.value);
    ExpectedPerformance {
        precision: (mean_alerts > 0.0).then(|| ProportionEstimate {
            value: precision(prior.value, recall.value, fpr.value),
            low: precision(prior.low, recall.low, fpr.high),
            high: precision(prior.high, recall.high, fpr.low),
        }),
        alert_rate: ProportionEstimate {
            value: mean_alerts,
            low: lowest(prior.low).min(lowest(prior.high)),
            high: highest(prior.low).max(highest(prior.high)),
        },
        ..known.clone()
    }
}

fn check_given_prior(prior: &[f64], n_classes: usize) -> Result<PriorEstimate> {
    let sum: f64 = prior.iter().sum();
    if prior.len() != n_classes
        || !prior.iter().all(|share| (0.0..=1.0).contains(share))
        || (sum - 1.0).abs() > 1e-6
    {
        return Err(Error::Data(format!(
            "prior must have a proportion in [0, 1] for each of {n_classes} classes, and they must sum to 1; got {prior:?}"
        )));
    }
    let prior = prior.to_vec();
    Ok(PriorEstimate { low: prior.clone(), high: prior.clone(), prior })
}

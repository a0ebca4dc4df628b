//! Early stopping: the number of rounds is chosen by cross-validation.
//! Held-out rows are evaluated after every round.

use crate::boosted::base_rate_correction::HeldOutProba;
use crate::boosted::booster::{Booster, BoostingTask};
use crate::boosted::calibration::InnerFoldModels;
use crate::boosted::params::StoppingScore;
use imbcore_core::{Error, Result, RowDependence, RunContext, SeedKey, parallel, tags};
use imbcore_metrics::{
    CvSplits, LossDifferences, SignalEvidence, ThresholdSweep, log_loss, min_groups_per_class,
};
use std::collections::BTreeSet;

/// Sufficient number of held-out rows (or groups) of the smallest class.
///
/// If rows have no times, only as many inner folds are used as are needed to hold out this number.
const ENOUGH: usize = 500;

#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyStopping {
    pub(crate) score: StoppingScore,
    pub(crate) positive: u32,
    pub(crate) folds: u32,
    pub(crate) of_order: bool,
    pub(crate) given: bool,
    /// Number of rounds without improvement after which training stops.
    /// `most` is the maximum number of rounds in total.
    pub(crate) patience: u32,
    pub(crate) most: u32,
    pub(crate) delta: f64,
}

impl EarlyStopping {
    /// Trains on inner folds and evaluates held-out rows after every round.
    ///
    /// `None` if a class has too few rows or groups for two folds, or if the groups or times allow no usable
    /// folds.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn run_inner_folds<'t>(
        &self,
        task: &'t BoostingTask<'t>,
        rows: &[u32],
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<(StoppingScorePath, InnerFoldModels<'t>)>> {
        let codes: Vec<u32> = rows.iter().map(|&row| task.classes[row as usize]).collect();
        let dependence = task.dependence.take(rows.iter().copied());
        let Some(splits) = self.inner_splits(&codes, dependence.borrow(), key, ctl)? else {
            return Ok(None);
        };
        let tests = splits.tested_folds();
        let of_table =
            |places: Vec<u32>| -> Vec<u32> { places.into_iter().map(|place| rows[place as usize]).collect() };
        let mut proportion = 0.0;
        let mut boosters = Vec::with_capacity(tests.len());
        for &(repeat, fold) in &tests {
            let (trained, others) = splits.train_and_test_rows(repeat, fold);
            proportion += trained.len() as f64 / rows.len() as f64 / tests.len() as f64;
            let (trained, others) = (of_table(trained), of_table(others));
            let matrix = task.encoder.inner_fold_matrix(task.matrix, &trained, ctl)?;
            boosters.push(Booster::new(task, matrix, trained, others)?);
        }
        if dependence.borrow().is_none() {
            proportion = 1.0 - f64::from(splits.n_folds()).recip();
        }
        let mut path = StoppingScorePath { scores: Vec::new(), rounds: 0, predictions: Vec::new() };
        while path.scores.len() < self.most as usize
            && (self.given || path.rounds_since_best() < self.patience)
        {
            let round = path.scores.len() as u32;
            let judged = parallel::try_map((0..).zip(&mut boosters), |(fold, booster)| {
                let key = key.child(tags::boosted::FOLD, fold).child(tags::boosted::ROUND, round);
                booster.train_round(key, ctl)?;
                let predictions = booster.predictions(false);
                Ok((self.held_out_score(&predictions)?, predictions))
            })?;
            if path.add_round(judged, self.given, self.delta) {
                boosters.iter_mut().for_each(Booster::save_scores);
            }
            ctl.report_progress("rounds on inner folds", path.scores.len() as u64, u64::from(self.most));
        }
        boosters.iter_mut().for_each(Booster::restore_best_scores);
        if !self.given
            && let Some(evidence) = self.compare_with_constant_proba(task, &boosters, &path.predictions)
        {
            evidence.warn_if_no_signal(ctl);
        }
        let predictions = HeldOutProba::concatenate(std::mem::take(&mut path.predictions));
        let is_later = dependence.borrow().times().is_some();
        Ok(Some((path, InnerFoldModels { predictions, boosters, share: proportion, is_later })))
    }

    /// Returns `None` if no usable folds exist.
    ///
    /// If rows have no times, only as many folds are used as are needed to hold out [`ENOUGH`] rows (or
    /// groups) of the smallest class.
    fn inner_splits(
        &self,
        codes: &[u32],
        dependence: RowDependence<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<CvSplits>> {
        let fewest = if let Some(groups) = dependence.groups() {
            min_groups_per_class(codes, groups)
        } else {
            let mut counts = Vec::new();
            for &code in codes {
                counts.resize(counts.len().max(code as usize + 1), 0);
                counts[code as usize] += 1;
            }
            counts.into_iter().filter(|&count| count > 0).min().unwrap_or(0)
        };
        let folds = self.folds.min(fewest as u32);
        if folds < 2 {
            return Ok(None);
        }
        let splits =
            match CvSplits::inner_folds(codes, dependence, folds, key.child(tags::boosted::FOLDS, 0), ctl) {
                Err(Error::Data(_)) if !dependence.is_none() => return Ok(None),
                splits => splits?,
            };
        let mut tests = splits.tested_folds();
        if dependence.times().is_none() {
            tests.truncate((ENOUGH * folds as usize).div_ceil(fewest));
            return Ok(Some(splits.with_tested_folds(tests)));
        }
        // If rows have times, a fold is used only if its training rows contain every class. There are no
        // inner folds unless the held-out rows of all used folds together contain every class.
        let all: BTreeSet<u32> = codes.iter().copied().collect();
        let classes =
            |rows: Vec<u32>| -> BTreeSet<u32> { rows.into_iter().map(|row| codes[row as usize]).collect() };
        tests.retain(|&(repeat, fold)| classes(splits.train_and_test_rows(repeat, fold).0) == all);
        let tested: BTreeSet<u32> = tests
            .iter()
            .flat_map(|&(repeat, fold)| classes(splits.train_and_test_rows(repeat, fold).1))
            .collect();
        Ok((tested == all).then(|| splits.with_tested_folds(tests)))
    }

    /// The constant prediction is the class proportions of the training rows of each fold.
    fn compare_with_constant_proba(
        &self,
        task: &BoostingTask<'_>,
        boosters: &[Booster<'_>],
        predictions: &[HeldOutProba],
    ) -> Option<SignalEvidence> {
        // One linear map from ranking scores to log-odds is fitted to the rows of all folds, as in the final
        // model.
        let line =
            self.of_order.then(|| HeldOutProba::concatenate(predictions.to_vec()).fit_calibration_line());
        let mut differences = LossDifferences::new(1);
        for (booster, predictions) in boosters.iter().zip(predictions) {
            let calibrated = line.map(|line| predictions.apply_calibration_line(line));
            let HeldOutProba { classes, weights, proba } = calibrated.as_ref().unwrap_or(predictions);
            let of_row = |groups: &[u32]| -> Vec<u32> {
                booster.held_out_rows().iter().map(|&row| groups[row as usize]).collect()
            };
            let groups = task.dependence.groups().map(of_row);
            let prior = booster.class_proportions();
            differences.add_predictions((classes, proba), &prior, weights, groups.as_deref());
        }
        differences.evidence_for_model(0)
    }

    fn held_out_score(&self, predictions: &HeldOutProba) -> Result<f64> {
        let lined = self.of_order && self.score == StoppingScore::LogLoss;
        let calibrated =
            lined.then(|| predictions.apply_calibration_line(predictions.fit_calibration_line()));
        let HeldOutProba { classes, weights, proba } = calibrated.as_ref().unwrap_or(predictions);
        let n_classes = proba.len() / classes.len().max(1);
        match self.score {
            StoppingScore::LogLoss => log_loss(classes, proba, n_classes, Some(weights), true),
            StoppingScore::AveragePrecision => {
                let scores: Vec<f64> =
                    proba.chunks_exact(n_classes).map(|row| row[self.positive as usize]).collect();
                Ok(-ThresholdSweep::new(classes, self.positive, &scores, Some(weights))?.average_precision())
            }
        }
    }
}

pub(crate) struct StoppingScorePath {
    /// Held-out score after every round, averaged over the folds; lower is better.
    pub(crate) scores: Vec<f64>,
    /// Number of rounds up to and including the best round so far.
    pub(crate) rounds: u32,
    predictions: Vec<HeldOutProba>,
}

impl StoppingScorePath {
    fn rounds_since_best(&self) -> u32 {
        self.scores.len() as u32 - self.rounds
    }

    /// Returns whether the round is the best so far.
    ///
    /// Its mean score must be lower than that of the best earlier round by more than `delta`. If the user
    /// gave the number of rounds, every round counts as the best.
    fn add_round(&mut self, judged: Vec<(f64, HeldOutProba)>, given: bool, delta: f64) -> bool {
        let (scores, predictions): (Vec<f64>, Vec<HeldOutProba>) = judged.into_iter().unzip();
        let score = scores.iter().sum::<f64>() / scores.len() as f64;
        self.scores.push(score);
        let is_better = |best: &f64| given || score < *best - delta;
        let before = &self.scores[..self.scores.len() - 1];
        let best = before.get((self.rounds as usize).wrapping_sub(1)).is_none_or(is_better);
        if best {
            self.rounds = self.scores.len() as u32;
            self.predictions = predictions;
        }
        best
    }
}

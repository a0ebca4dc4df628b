//! Number of rounds by cross-validation: held-out rows are evaluated after every round.

use crate::boosted::evidence::HeldOutFolds;
use crate::boosted::level::HeldOutProba;
use crate::boosted::params::StoppingScore;
use crate::boosted::rounds::{Booster, BoostingTask};
use imbcore_core::{Result, RunContext, SeedKey, share, tags};
use imbcore_metrics::{ThresholdSweep, log_loss, stratified_folds};

/// Number of held-out rows of the smallest class that suffices for early stopping.
const ENOUGH: usize = 500;

/// Settings of early stopping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyStopping {
    pub(crate) score: StoppingScore,
    pub(crate) positive: u32,
    pub(crate) folds: u32,
    /// Whether scores only rank rows and must be calibrated on held-out rows.
    pub(crate) of_order: bool,
    /// Whether the number of rounds is given, and held-out rows are only used for calibration.
    pub(crate) given: bool,
    /// Maximum numbers of rounds without improvement and in total.
    pub(crate) patience: u32,
    pub(crate) most: u32,
    /// Minimum improvement of the score.
    pub(crate) delta: f64,
}

impl EarlyStopping {
    /// Evaluates rounds on inner folds; `None` if a class has too few rows for two folds.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn path<'t>(
        &self,
        task: &'t BoostingTask<'t>,
        rows: &[u32],
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<(StoppingPath, HeldOutFolds<'t>)>> {
        let codes: Vec<u32> = rows.iter().map(|&row| task.classes[row as usize]).collect();
        let counts =
            (0..task.n_classes as u32).map(|class| codes.iter().filter(|&&code| code == class).count());
        let fewest = counts.filter(|&count| count > 0).min().unwrap_or(0);
        let folds = self.folds.min(fewest as u32);
        if folds < 2 {
            return Ok(None);
        }
        let dealt = stratified_folds(&codes, folds, 0, key.child(tags::boosted::FOLDS, 0))?;
        let used = (ENOUGH * folds as usize).div_ceil(fewest).min(folds as usize) as u32;
        let booster = |fold: u32| {
            let (others, trained): (Vec<_>, Vec<_>) =
                rows.iter().zip(&dealt).partition(|&(_, &of)| of == fold);
            let rows = |list: Vec<(&u32, &u32)>| list.into_iter().map(|(&row, _)| row).collect();
            Booster::new(task, rows(trained), rows(others))
        };
        let mut boosters = (0..used).map(booster).collect::<Result<Vec<_>>>()?;
        let mut path = StoppingPath { scores: Vec::new(), rounds: 0, predictions: Vec::new() };
        while path.scores.len() < self.most as usize
            && (self.given || path.rounds_since_best() < self.patience)
        {
            let round = path.scores.len() as u32;
            let judged = share::try_map((0..).zip(&mut boosters), |(fold, booster)| {
                let key = key.child(tags::boosted::FOLD, fold).child(tags::boosted::ROUND, round);
                booster.round(key, ctl)?;
                let predictions = booster.predictions(false);
                Ok((self.judge(&predictions)?, predictions))
            })?;
            if path.take(judged, self.given, self.delta) {
                boosters.iter_mut().for_each(Booster::keep);
            }
            ctl.tick("rounds on inner folds", path.scores.len() as u64, u64::from(self.most));
        }
        boosters.iter_mut().for_each(Booster::recall);
        let predictions = HeldOutProba::joined(std::mem::take(&mut path.predictions));
        Ok(Some((path, HeldOutFolds { predictions, boosters, share: 1.0 - f64::from(folds).recip() })))
    }

    fn judge(&self, predictions: &HeldOutProba) -> Result<f64> {
        let lined = self.of_order && self.score == StoppingScore::LogLoss;
        let calibrated = lined.then(|| predictions.on_line(predictions.line()));
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

/// Path of held-out scores.
pub(crate) struct StoppingPath {
    /// Score of held-out rows after every round; lower is better.
    pub(crate) scores: Vec<f64>,
    /// Best number of rounds.
    pub(crate) rounds: u32,
    /// Predictions for held-out rows after the best round.
    predictions: Vec<HeldOutProba>,
}

impl StoppingPath {
    /// Number of rounds since the best.
    fn rounds_since_best(&self) -> u32 {
        self.scores.len() as u32 - self.rounds
    }

    /// Adds the held-out scores of a round. Returns whether this round is the best so far; if the number of
    /// rounds is given, every round is.
    fn take(&mut self, judged: Vec<(f64, HeldOutProba)>, given: bool, delta: f64) -> bool {
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

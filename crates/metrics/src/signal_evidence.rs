//! Log loss of a model on held-out rows, compared with the log loss of the class proportions.

use imbcore_core::{RowGroups, RunContext};
use serde::{Deserialize, Serialize};

/// Minimum number of held-out rows for a warning; fewer rows are too little evidence.
const FEW: usize = 20;

/// Whether a model found a signal, by its mean log loss on held-out rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalEvidence {
    /// Mean log loss of the model.
    pub log_loss: f64,
    /// Mean log loss if the class proportions of the training rows are predicted for every row.
    pub prior_log_loss: f64,
    /// Number of held-out rows.
    pub n_rows: usize,
    /// Whether the model is better than the class proportions.
    ///
    /// Its log loss must be lower by more than one standard error.
    pub beats_prior: bool,
}

impl SignalEvidence {
    /// Whether the values, which may come from an untrusted file, are in their valid range.
    pub fn is_valid(&self) -> bool {
        [self.log_loss, self.prior_log_loss].iter().all(|value| value.is_finite() && *value >= 0.0)
    }

    /// Warns of a model that does not beat the class proportions.
    ///
    /// Equal warnings are shown only once per fit. The text contains neither numbers nor names, so that
    /// several comparisons give equal warnings.
    pub fn warn_if_no_signal(&self, ctl: RunContext<'_>) {
        if self.n_rows >= FEW && !self.beats_prior {
            ctl.warn(
                "no signal was found: the log loss on held-out rows is less than one standard error better than that of the \
                 class prior; collect more rows or better features",
            );
        }
    }
}

/// Differences between the log losses of models and of the class proportions, as sums.
///
/// The difference of a held-out row is the log loss of the model minus the log loss of the class proportions.
/// Means and standard errors of the differences are computed from these sums. The sums are over independent
/// units: a unit is a row or, if rows have groups, all rows of a group.
#[derive(Clone, Debug, Default)]
pub struct LossDifferences {
    n_rows: usize,
    weight: f64,
    /// Weighted sum of the rows' log losses if the class proportions are predicted.
    prior: f64,
    /// Sum over the units (rows or groups) of their squared weights.
    square: f64,
    /// For each model, the sums over the units of d, of w times d, and of d^2.
    ///
    /// w is the total weight of a unit, and d the sum of the weighted differences of its rows.
    differences: Vec<[f64; 3]>,
}

impl LossDifferences {
    /// Creates sums of 0 for `n_models` models.
    pub fn new(n_models: usize) -> Self {
        Self { differences: vec![[0.0; 3]; n_models], ..Self::default() }
    }

    /// Adds held-out rows.
    ///
    /// `losses` has the log losses of the models, `n_rows x n_models`, and is overwritten. `prior` has the
    /// log losses of the rows if the class proportions of the training rows are predicted. `groups` has the
    /// group of each row, if rows have groups.
    pub fn add_losses(&mut self, prior: &[f64], weights: &[f64], groups: Option<&[u32]>, losses: &mut [f64]) {
        let width = self.differences.len();
        self.n_rows += prior.len();
        for ((losses, prior), weight) in losses.chunks_exact_mut(width).zip(prior).zip(weights) {
            for loss in losses.iter_mut() {
                *loss = weight * (*loss - prior);
            }
            self.weight += weight;
            self.prior += weight * prior;
        }
        let Some(groups) = groups else {
            for (differences, &weight) in losses.chunks_exact(width).zip(weights) {
                self.add_group(weight, differences);
            }
            return;
        };
        let by_group = RowGroups::new(groups.iter().copied());
        for group in 0..by_group.n_groups() {
            let mut weight = 0.0;
            let mut sums = vec![0.0; width];
            for &row in by_group.rows(group) {
                weight += weights[row as usize];
                let row = &losses[row as usize * width..];
                sums.iter_mut().zip(row).for_each(|(sum, difference)| *sum += difference);
            }
            self.add_group(weight, &sums);
        }
    }

    /// Adds held-out predictions of a single model for a fold, `n_rows x n_classes`.
    ///
    /// `prior` has the class proportions of the training rows of the fold.
    pub fn add_predictions(
        &mut self,
        (classes, proba): (&[u32], &[f64]),
        prior: &[f64],
        weights: &[f64],
        groups: Option<&[u32]>,
    ) {
        let loss = |probability: f64| -probability.clamp(f64::EPSILON, 1.0).ln();
        let rows = classes.iter().zip(proba.chunks_exact(prior.len()));
        let mut losses: Vec<f64> = rows.map(|(&class, proba)| loss(proba[class as usize])).collect();
        let prior: Vec<f64> = classes.iter().map(|&class| loss(prior[class as usize])).collect();
        self.add_losses(&prior, weights, groups, &mut losses);
    }

    fn add_group(&mut self, weight: f64, differences: &[f64]) {
        self.square += weight * weight;
        for ([sum, product, square], difference) in self.differences.iter_mut().zip(differences) {
            *sum += difference;
            *product += weight * difference;
            *square += difference * difference;
        }
    }

    /// Mean difference for a model; `None` without rows of positive weight.
    pub fn mean_difference(&self, model: usize) -> Option<f64> {
        (self.weight > 0.0).then(|| self.differences[model][0] / self.weight)
    }

    /// Standard error of the mean difference for a model.
    pub fn standard_error(&self, model: usize) -> f64 {
        let [sum, product, square] = self.differences[model];
        let mean = sum / self.weight;
        let variance = square - 2.0 * mean * product + mean * mean * self.square;
        variance.max(0.0).sqrt() / self.weight
    }

    /// Comparison of a model with the class proportions; `None` without rows of positive weight.
    pub fn evidence_for_model(&self, model: usize) -> Option<SignalEvidence> {
        let mean = self.mean_difference(model)?;
        let prior_log_loss = self.prior / self.weight;
        Some(SignalEvidence {
            log_loss: (prior_log_loss + mean).max(0.0),
            prior_log_loss,
            n_rows: self.n_rows,
            beats_prior: mean + self.standard_error(model) < 0.0,
        })
    }
}

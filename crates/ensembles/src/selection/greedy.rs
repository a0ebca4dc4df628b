//! Greedy selection with replacement.
//!
//! After Caruana, Niculescu-Mizil, Crew and Ksikes 2004, section 2.1. One selection is made for each fold, on
//! the held-out predictions of the rows of all other folds. The final weights are the means of the weights of
//! these selections, so that no single fold determines them. Small weights are then set to 0, and weight is
//! added to the class prior.
//!
//! For the score of the ensemble, the rows of each fold are predicted with the weights selected on the other
//! folds. The added weight of the class prior and the calibration are determined on the rows of all folds. If
//! there is only one fold, its rows are used for the selection and for the score.

use super::params::SelectionMetric;
use imbcore_core::{Error, PriorShift, Result, RunContext, parallel};
use imbcore_metrics::{
    ClassWeighting, LossDifferences, SignalEvidence, ThresholdSweep, log_loss, mean_over_classes,
    one_vs_rest_average_precision,
};

/// Maximum number of steps of a greedy selection.
const STEPS: usize = 25;
/// Number of steps without improvement after which a selection stops.
const PATIENCE: usize = 5;
/// Mean weights over the folds that are smaller are set to 0, to keep the model small.
const SMALLEST_WEIGHT: f64 = 0.02;
/// Number of weights that are tried for the class prior.
const PRIOR_WEIGHTS: u32 = 20;
/// Number of steps of the calibration of the mean probabilities.
///
/// If predictions are confident, a correction hardly changes their mean. More steps would make the correction
/// extreme.
const CALIBRATION_STEPS: usize = 10;
/// Losses whose difference is smaller count as equal.
const LOSS_TOLERANCE: f64 = 1e-10;

/// Held-out rows on which members are selected.
#[derive(Clone, Copy, Debug)]
pub struct HeldOutTable<'a> {
    /// Class codes.
    pub truth: &'a [u32],
    /// Row weights.
    pub weights: Option<&'a [f64]>,
    /// Fold of every row.
    pub folds: &'a [u32],
    /// Number of classes.
    pub n_classes: usize,
    /// Positive class.
    pub positive: u32,
    /// Score by which members are selected.
    pub metric: SelectionMetric,
}

/// Selected weights, and the held-out predictions of the ensemble.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedWeights {
    /// Score of every member.
    pub scores: Vec<f64>,
    /// Weight of every member; the sum is 1.
    pub weights: Vec<f64>,
    /// Correction that moves the mean probabilities toward the class proportions, if any.
    pub calibration: Option<PriorShift>,
    /// Calibrated predictions of every row, row-major, with weights selected on the other folds.
    pub proba: Vec<f64>,
    /// Score of the predictions in `proba`.
    pub score: f64,
}

impl SelectedWeights {
    /// Compares the ensemble with the class proportions, by the log loss on held-out rows.
    ///
    /// `groups` has the group of each row, if rows have groups.
    pub fn signal_evidence(
        &self,
        table: &HeldOutTable<'_>,
        prior: &[f64],
        groups: Option<&[u32]>,
    ) -> Option<SignalEvidence> {
        let loss = |proba: &[f64]| -> Vec<f64> {
            let rows = proba.chunks_exact(table.n_classes).zip(table.truth);
            rows.map(|(proba, &class)| -proba[class as usize].clamp(f64::EPSILON, 1.0).ln()).collect()
        };
        let equal;
        let weights = if let Some(weights) = table.weights {
            weights
        } else {
            equal = vec![1.0; table.truth.len()];
            &equal
        };
        let mut differences = LossDifferences::new(1);
        differences.add_losses(&loss(prior), weights, groups, &mut loss(&self.proba));
        differences.evidence_for_model(0)
    }
}

/// Selects members by their held-out probabilities.
///
/// `members` has one row-major table of probabilities for each member. The first member must predict the
/// class proportions. It gets an additional weight, which is chosen to minimize the log loss of the ensemble
/// on held-out rows. An ensemble of members without signal is therefore hardly worse than the class
/// proportions.
///
/// # Errors
/// [`Error::Internal`] without members, or for tables of different sizes or without rows;
/// [`Error::Cancelled`].
pub fn select_members(
    table: &HeldOutTable<'_>,
    members: &[Vec<f64>],
    ctl: RunContext<'_>,
) -> Result<SelectedWeights> {
    let (n_rows, c) = (table.truth.len(), table.n_classes);
    if n_rows == 0 || members.is_empty() || members.iter().any(|proba| proba.len() != n_rows * c) {
        return Err(Error::Internal("members are selected on tables of different sizes".into()));
    }
    let scores = parallel::try_map(members, |proba| table.score(proba))?;
    let mut folds = table.folds.to_vec();
    folds.sort_unstable();
    folds.dedup();
    let by_fold = parallel::try_map(&folds, |&fold| {
        let rows: Vec<usize> =
            (0..n_rows).filter(|&row| table.folds[row] != fold || folds.len() == 1).collect();
        GreedySelection::new(table, members, &rows).select_member_weights(ctl)
    })?;
    let mut proba = vec![0.0; n_rows * c];
    for (row, cells) in proba.chunks_exact_mut(c).enumerate() {
        let fold = folds.partition_point(|&fold| fold < table.folds[row]);
        for (member, weight) in members.iter().zip(&by_fold[fold]).filter(|(_, weight)| **weight > 0.0) {
            for (cell, p) in cells.iter_mut().zip(&member[row * c..][..c]) {
                *cell += weight * p;
            }
        }
        // Because of rounding, the weights may sum to slightly more than 1.
        for cell in cells {
            *cell = cell.min(1.0);
        }
    }
    let mean: Vec<f64> = (0..members.len())
        .map(|member| by_fold.iter().map(|weights| weights[member]).sum::<f64>() / by_fold.len() as f64)
        .collect();
    let of_prior = table.mix_prior(&members[0], &mut proba)?;
    let weights = finalize_member_weights(mean, of_prior, n_rows);
    let calibration = table.calibration_factors(&proba);
    if let Some(calibration) = &calibration {
        calibration.apply(&mut proba);
    }
    let score = table.score(&proba)?;
    Ok(SelectedWeights { scores, weights, calibration, proba, score })
}

/// Sets small weights to 0, and adds weight to the class prior.
///
/// The added weight is at least that of one row, 1 / (`n_rows` + 1). A class therefore has a positive
/// probability even if no leaf of any member contains it.
fn finalize_member_weights(mut mean: Vec<f64>, of_prior: f64, n_rows: usize) -> Vec<f64> {
    for weight in &mut mean {
        if *weight < SMALLEST_WEIGHT {
            *weight = 0.0;
        }
    }
    let total: f64 = mean.iter().sum();
    let of_prior = of_prior.max(1.0 / (n_rows as f64 + 1.0));
    for weight in &mut mean {
        *weight *= (1.0 - of_prior) / total;
    }
    mean[0] += of_prior;
    mean
}

impl HeldOutTable<'_> {
    fn score(&self, proba: &[f64]) -> Result<f64> {
        match self.metric {
            SelectionMetric::LogLoss => log_loss(self.truth, proba, self.n_classes, self.weights, true),
            SelectionMetric::AveragePrecision => {
                average_precision(self.truth, self.weights, (self.n_classes, self.positive), proba)
            }
        }
    }

    /// Mixes the class prior into `proba` and returns its weight.
    ///
    /// Of the weights that are tried, it is the one with the smallest log loss.
    fn mix_prior(&self, prior: &[f64], proba: &mut [f64]) -> Result<f64> {
        let mixed = |of_prior: f64| -> Vec<f64> {
            proba
                .iter()
                .zip(prior)
                .map(|(p, prior)| ((1.0 - of_prior) * p + of_prior * prior).min(1.0))
                .collect()
        };
        let candidates: Vec<f64> =
            (0..PRIOR_WEIGHTS).map(|at| f64::from(at) / f64::from(PRIOR_WEIGHTS)).collect();
        let losses = parallel::try_map(&candidates, |&of_prior| {
            log_loss(self.truth, &mixed(of_prior), self.n_classes, self.weights, true)
        })?;
        let best = first_of_least_loss(&losses);
        let found = mixed(candidates[best]);
        proba.copy_from_slice(&found);
        Ok(candidates[best])
    }

    /// Factors of the class odds that move mean probabilities close to the class proportions.
    fn calibration_factors(&self, proba: &[f64]) -> Option<PriorShift> {
        let c = self.n_classes;
        let weight = |row: usize| self.weights.map_or(1.0, |weights| weights[row]);
        let mut given = vec![0.0; c];
        for (row, &class) in self.truth.iter().enumerate() {
            given[class as usize] += weight(row);
        }
        let mut trained = vec![1.0; c];
        for _ in 0..CALIBRATION_STEPS {
            let mut mean = vec![0.0; c];
            for (row, cells) in proba.chunks_exact(c).enumerate() {
                let total: f64 = cells.iter().zip(&trained).map(|(p, trained)| p / trained).sum();
                for ((mean, p), trained) in mean.iter_mut().zip(cells).zip(&trained) {
                    *mean += weight(row) * p / trained / total;
                }
            }
            for ((trained, mean), given) in trained.iter_mut().zip(&mean).zip(&given) {
                if *mean > 0.0 && *given > 0.0 {
                    *trained *= mean / given;
                }
            }
        }
        PriorShift::from_proportions(&trained, &vec![1.0; c])
    }
}

/// Whether `loss` is smaller than `other` by more than rounding can explain.
///
/// Rounding depends on the order of the rows and on the scale of the weights. The selection must not depend
/// on either.
fn is_less_beyond_rounding(loss: f64, other: f64) -> bool {
    loss < other - LOSS_TOLERANCE
}

/// The first index whose loss is the smallest, apart from rounding.
fn first_of_least_loss(losses: &[f64]) -> usize {
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    losses.iter().position(|&loss| !is_less_beyond_rounding(least, loss)).unwrap_or(0)
}

fn average_precision(
    truth: &[u32],
    weights: Option<&[f64]>,
    (n_classes, positive): (usize, u32),
    proba: &[f64],
) -> Result<f64> {
    if n_classes == 2 {
        let scores: Vec<f64> = proba.chunks_exact(2).map(|row| row[positive as usize]).collect();
        return Ok(ThresholdSweep::new(truth, positive, &scores, weights)?.average_precision());
    }
    let by_class = one_vs_rest_average_precision(truth, proba, n_classes, weights)?;
    mean_over_classes(&by_class, truth, weights, ClassWeighting::Equal)
}

struct GreedySelection<'a> {
    table: &'a HeldOutTable<'a>,
    truth: Vec<u32>,
    weights: Option<Vec<f64>>,
    /// Held-out probabilities of every member on the rows of this selection.
    ///
    /// For the log loss, each row has the probability of its true class; for other scores, the probabilities
    /// of all classes.
    values: Vec<Vec<f64>>,
}

impl<'a> GreedySelection<'a> {
    fn new(table: &'a HeldOutTable<'a>, members: &[Vec<f64>], rows: &[usize]) -> Self {
        let c = table.n_classes;
        let values = members.iter().map(|proba| match table.metric {
            SelectionMetric::LogLoss => {
                rows.iter().map(|&row| proba[row * c + table.truth[row] as usize]).collect()
            }
            SelectionMetric::AveragePrecision => {
                rows.iter().flat_map(|&row| &proba[row * c..][..c]).copied().collect()
            }
        });
        let values = values.collect();
        let weights = table.weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
        Self { table, truth: rows.iter().map(|&row| table.truth[row]).collect(), weights, values }
    }

    /// Loss of the mean of `n` members, whose probabilities sum to `sum`; smaller is better.
    fn loss_of_mean_prediction(&self, sum: &[f64], n: f64) -> Result<f64> {
        if self.table.metric == SelectionMetric::AveragePrecision {
            let proba: Vec<f64> = sum.iter().map(|sum| sum / n).collect();
            let about = (self.table.n_classes, self.table.positive);
            let found = average_precision(&self.truth, self.weights.as_deref(), about, &proba)?;
            // Without positive rows the average precision is NaN, and all predictions count as equally good.
            return Ok(if found.is_nan() { 0.0 } else { -found });
        }
        let (mut loss, mut total) = (0.0, 0.0);
        for (row, sum) in sum.iter().enumerate() {
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights[row]);
            loss -= weight * (sum / n).clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln();
            total += weight;
        }
        Ok(if total > 0.0 { loss / total } else { 0.0 })
    }

    /// For each member, its fraction of the selection steps up to the step with the best score.
    fn select_member_weights(&self, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        // The class prior is constant within a fold, so it hardly changes the ranking of rows and the average
        // precision. It is therefore no candidate here. The log loss determines its weight.
        let is_by_rank = self.table.metric == SelectionMetric::AveragePrecision;
        let first = usize::from(is_by_rank && self.values.len() > 1);
        let mut sum = vec![0.0; self.values[0].len()];
        let mut chosen: Vec<usize> = Vec::new();
        let mut best = (f64::INFINITY, 0);
        for step in 1..=STEPS {
            ctl.check()?;
            let losses = parallel::try_map(&self.values[first..], |values| {
                let with: Vec<f64> = sum.iter().zip(values).map(|(sum, value)| sum + value).collect();
                self.loss_of_mean_prediction(&with, step as f64)
            })?;
            let next = first_of_least_loss(&losses);
            for (sum, value) in sum.iter_mut().zip(&self.values[first + next]) {
                *sum += value;
            }
            chosen.push(first + next);
            if is_less_beyond_rounding(losses[next], best.0) {
                best = (losses[next], step);
            } else if step >= best.1 + PATIENCE {
                break;
            }
        }
        let mut weights = vec![0.0; self.values.len()];
        for &member in &chosen[..best.1] {
            weights[member] += 1.0 / best.1 as f64;
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUTH: [u32; 8] = [0, 0, 1, 0, 0, 0, 1, 0];
    const FOLDS: [u32; 8] = [0, 0, 0, 0, 1, 1, 1, 1];

    fn selected(metric: SelectionMetric, members: &[Vec<f64>], weights: Option<&[f64]>) -> SelectedWeights {
        let table = HeldOutTable { truth: &TRUTH, weights, folds: &FOLDS, n_classes: 2, positive: 1, metric };
        select_members(&table, members, RunContext::silent()).unwrap()
    }

    fn proba(of: impl Fn(usize) -> f64) -> Vec<f64> {
        (0..TRUTH.len()).flat_map(|row| [1.0 - of(row), of(row)]).collect()
    }

    #[test]
    fn the_only_good_member_gets_almost_all_weight() {
        let good = proba(|row| if TRUTH[row] == 1 { 0.9 } else { 0.1 });
        let bad = proba(|row| if TRUTH[row] == 1 { 0.1 } else { 0.9 });
        for metric in [SelectionMetric::LogLoss, SelectionMetric::AveragePrecision] {
            let found = selected(metric, &[proba(|_| 0.25), bad.clone(), good.clone()], None);
            assert_eq!(found.weights, [1.0 / 9.0, 0.0, 8.0 / 9.0], "{metric:?}");
        }
    }

    #[test]
    fn selections_by_rank_do_not_choose_the_class_prior() {
        // Both positive rows rank first if the first member has between 54 % and 83 % of the weight. After
        // the first step all members tie, so the class prior would be chosen if it were a candidate.
        let first = proba(|row| [0.6, 0.2, 0.9, 0.1, 0.1, 0.1, 0.5, 0.1][row]);
        let second = proba(|row| [0.1, 0.95, 0.3, 0.1, 0.1, 0.1, 0.6, 0.1][row]);
        let metric = SelectionMetric::AveragePrecision;
        let table =
            HeldOutTable { truth: &TRUTH, weights: None, folds: &[0; 8], n_classes: 2, positive: 1, metric };
        let members = [proba(|_| 0.25), first, second];
        let found = select_members(&table, &members, RunContext::silent()).unwrap();
        assert_eq!(found.score, 1.0);
        assert!((found.weights[1] / found.weights[2] - 2.0).abs() < 1e-12, "{:?}", found.weights);
    }

    #[test]
    fn noise_leaves_the_class_prior() {
        let noise = proba(|row| [0.6, 0.01, 0.02, 0.7][row % 4]);
        let found = selected(SelectionMetric::LogLoss, &[proba(|_| 0.25), noise], None);
        assert_eq!(found.weights, [1.0, 0.0]);
        assert!((found.score - found.scores[0]).abs() < 1e-12);
    }

    #[test]
    fn the_mean_probability_of_held_out_rows_is_the_prevalence() {
        let high = proba(|row| if TRUTH[row] == 1 { 0.7 } else { 0.4 });
        let weights = [1.0, 2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0];
        let found = selected(SelectionMetric::LogLoss, &[proba(|_| 0.2), high], Some(&weights));
        let mean = |proba: &[f64]| (0..8).map(|row| weights[row] * proba[2 * row + 1]).sum::<f64>() / 10.0;
        assert!((mean(&found.proba) - 0.2).abs() < 1e-3, "{}", mean(&found.proba));
    }

    #[test]
    fn rounding_of_losses_does_not_change_the_weights() {
        let first = proba(|row| [0.31, 0.17, 0.83, 0.13, 0.29, 0.07, 0.41, 0.11][row]);
        let second = proba(|row| [0.07, 0.23, 0.37, 0.19, 0.13, 0.31, 0.71, 0.17][row]);
        let members = [proba(|_| 0.25), first.clone(), second.clone(), first, second];
        for metric in [SelectionMetric::LogLoss, SelectionMetric::AveragePrecision] {
            let expected = selected(metric, &members, Some(&[1.0; 8])).weights;
            for divisor in [3.0, 7.0, 11.0, 13.0] {
                let found = selected(metric, &members, Some(&[1.0 / divisor; 8])).weights;
                assert_eq!(found, expected, "{metric:?} {divisor}");
            }
        }
    }

    #[test]
    fn a_single_fold_is_selected_on_itself() {
        let table = HeldOutTable {
            truth: &TRUTH,
            weights: None,
            folds: &[3; 8],
            n_classes: 2,
            positive: 1,
            metric: SelectionMetric::LogLoss,
        };
        let good = proba(|row| if TRUTH[row] == 1 { 0.9 } else { 0.1 });
        let found = select_members(&table, &[proba(|_| 0.25), good], RunContext::silent()).unwrap();
        assert!(found.weights[1] > 0.8);
    }
}

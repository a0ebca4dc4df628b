//! Class proportions of unlabeled rows under label shift.
//!
//! Under label shift, the class proportions differ from training, but the distribution of the features within
//! each class does not.
//!
//! EM uses the probabilities of a calibrated model (Saerens, Latinne and Decaestecker 2002). BBSE uses the
//! predicted classes and the confusion matrix (Lipton, Wang and Smola 2018) and needs no calibration.

use crate::argument_checks;
use crate::goal::ExpectedPerformance;
use crate::tails::normal_quantile;
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::{Decision, Error, Result, RunContext, ThresholdGoal, ThresholdTarget};
use serde::{Deserialize, Serialize};

/// EM stops if no proportion changes by `SETTLED` or more, or after `STEPS` steps.
const SETTLED: f64 = 1e-10;
const STEPS: u32 = 10_000;
const LEVEL: f64 = 0.95;
/// A matrix counts as singular if a pivot is at most this number times its largest entry.
const SINGULAR: f64 = 1e-9;

/// Class proportions with their 95 % intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorEstimate {
    /// Proportion of each class; the sum is 1.
    pub prior: Vec<f64>,
    /// Lower end of the interval of each class proportion.
    pub low: Vec<f64>,
    /// Upper end of the interval of each class proportion.
    pub high: Vec<f64>,
}

impl PriorEstimate {
    fn new(prior: Vec<f64>, variances: &[f64]) -> Self {
        let z = normal_quantile(f64::midpoint(1.0, LEVEL));
        let end = |sign: f64| {
            let limit =
                |(p, variance): (&f64, &f64)| (p + sign * z * variance.max(0.0).sqrt()).clamp(0.0, 1.0);
            prior.iter().zip(variances).map(limit).collect::<Vec<f64>>()
        };
        let (low, high) = (end(-1.0), end(1.0));
        Self { prior, low, high }
    }
}

/// Estimates class proportions by EM (Saerens, Latinne and Decaestecker 2002, eq. 2.9).
///
/// The row-major probabilities `proba` are those of a model for the class proportions `known`, from which the
/// iteration starts. Intervals come from the observed information at the maximum of the likelihood. If the
/// number of training rows is given as `training_rows`, the intervals include the random error of the model
/// in the first order. Other errors of the probabilities are not included.
///
/// # Errors
/// [`Error::Data`] for no rows, or invalid proportions or probabilities.
pub fn estimate_prior_em(
    proba: &[f64],
    known: &[f64],
    training_rows: Option<f64>,
    ctl: RunContext<'_>,
) -> Result<PriorEstimate> {
    let c = known.len();
    check_priors(known)?;
    argument_checks::check_probabilities(proba)?;
    argument_checks::check_matrix_size(proba, proba.len() / c.max(1), c)?;
    if proba.is_empty() {
        return Err(Error::Data("there are no rows to estimate the class proportions from".into()));
    }
    let n_rows = (proba.len() / c) as f64;
    let mut prior = known.to_vec();
    for _ in 0..STEPS {
        ctl.check()?;
        let factors: Vec<f64> = elementwise_ratios(&prior, known);
        let (mut sums, mut n_possible) = (vec![0.0; c], 0.0);
        for row in proba.chunks_exact(c) {
            let total: f64 = row.iter().zip(&factors).map(|(p, factor)| p * factor).sum();
            // A row is impossible if its only possible classes have the proportion 0.
            if total > 0.0 {
                n_possible += 1.0;
                for ((sum, p), factor) in sums.iter_mut().zip(row).zip(&factors) {
                    *sum += p * factor / total;
                }
            }
        }
        if n_possible == 0.0 {
            break;
        }
        let next: Vec<f64> = sums.iter().map(|sum| sum / n_possible).collect();
        let change = next.iter().zip(&prior).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        prior = next;
        if change < SETTLED {
            break;
        }
    }
    // The model is estimated from the training rows, which add the variance of a second sample.
    let both = 1.0 + training_rows.map_or(0.0, |rows| n_rows / rows);
    let variances: Vec<f64> =
        proportion_variances(proba, known, &prior).into_iter().map(|variance| both * variance).collect();
    Ok(PriorEstimate::new(prior, &variances))
}

/// Variances of the proportions from the inverse observed information.
///
/// The proportion of the most frequent class is not a free parameter: it is 1 minus the sum of the other
/// proportions.
fn proportion_variances(proba: &[f64], known: &[f64], prior: &[f64]) -> Vec<f64> {
    let c = known.len();
    let base = (0..c).max_by(|&a, &b| prior[a].total_cmp(&prior[b])).unwrap_or_default();
    let free: Vec<usize> = (0..c).filter(|&class| class != base && known[class] > 0.0).collect();
    let m = free.len();
    let (ones, factors) = (elementwise_ratios(&vec![1.0; c], known), elementwise_ratios(prior, known));
    let mut matrix = vec![0.0; m * m];
    for row in proba.chunks_exact(c) {
        let density: f64 = row.iter().zip(&factors).map(|(p, factor)| p * factor).sum();
        let slope = |class: usize| (row[class] * ones[class] - row[base] * ones[base]) / density;
        if density > 0.0 {
            for (a, &first) in free.iter().enumerate() {
                for (b, &second) in free.iter().enumerate() {
                    matrix[a * m + b] += slope(first) * slope(second);
                }
            }
        }
    }
    let mut variances = vec![0.0; c];
    let columns: Option<Vec<Vec<f64>>> = (0..m)
        .map(|a| solve_linear_system(matrix.clone(), (0..m).map(|b| f64::from(u8::from(a == b))).collect()))
        .collect();
    let Some(columns) = columns else { return vec![f64::INFINITY; c] };
    for (a, &class) in free.iter().enumerate() {
        variances[class] = columns[a][a];
    }
    variances[base] = columns.iter().flatten().sum();
    variances
}

/// Estimates class proportions by black box shift estimation (BBSE).
///
/// `answered` has the number of predictions of each class on the new rows. The matrix `confusion` has a row
/// per predicted class and a column per true class. The result is the class proportions at which a model with
/// this matrix would predict each class as often as in `answered`. Negative proportions are set to 0.
/// Intervals use the delta method with the sampling errors of `confusion` and `answered`.
///
/// # Errors
/// [`Error::Data`] if a class has no rows in `confusion`, the predictions do not separate the classes, or
/// there are no predictions.
pub fn estimate_prior_bbse(confusion: &[f64], answered: &[f64]) -> Result<PriorEstimate> {
    let c = answered.len();
    argument_checks::check_matrix_size(confusion, c, c)?;
    let n: f64 = answered.iter().sum();
    let of_class: Vec<f64> =
        (0..c).map(|class| (0..c).map(|predicted| confusion[predicted * c + class]).sum()).collect();
    if n <= 0.0 || of_class.iter().any(|&rows| rows <= 0.0) {
        return Err(Error::Data(
            "estimating class proportions needs new rows, and labeled rows of every class".into(),
        ));
    }
    let rates: Vec<f64> = (0..c * c).map(|cell| confusion[cell] / of_class[cell % c]).collect();
    let observed: Vec<f64> = answered.iter().map(|rows| rows / n).collect();
    let apart = || {
        Error::Data(
            "the model predicts rows of two classes alike, so its predictions do not determine their proportions; use method=\"em\", or a \
             model that ranks better"
                .into(),
        )
    };
    let raw = solve_linear_system(rates.clone(), observed.clone()).ok_or_else(apart)?;
    let total: f64 = raw.iter().map(|p| p.max(0.0)).sum();
    let prior: Vec<f64> = raw.iter().map(|p| p.max(0.0) / total).collect();
    // Delta method, where `rates_j` is column j of `rates`:
    // Cov(rates^-1 observed) = rates^-1 (Cov(observed) + sum_j prior_j^2 Cov(rates_j)) rates^-T.
    let inverse: Option<Vec<Vec<f64>>> = (0..c)
        .map(|a| solve_linear_system(rates.clone(), (0..c).map(|b| f64::from(u8::from(a == b))).collect()))
        .collect();
    let inverse = inverse.ok_or_else(apart)?;
    let spread = |distribution: &dyn Fn(usize) -> f64, rows: f64, class: usize| {
        let mean: f64 = (0..c).map(|a| inverse[a][class] * distribution(a)).sum();
        (0..c).map(|a| (inverse[a][class] - mean).powi(2) * distribution(a)).sum::<f64>() / rows
    };
    let variances: Vec<f64> = (0..c)
        .map(|class| {
            let of_rates = |j: usize| prior[j].powi(2) * spread(&|a| rates[a * c + j], of_class[j], class);
            spread(&|a| observed[a], n, class) + (0..c).map(of_rates).sum::<f64>()
        })
        .collect();
    Ok(PriorEstimate::new(prior, &variances))
}

/// Confusion counts if the class with the largest ratio of probability to prior is predicted.
///
/// The count of a predicted and a true class is at index `predicted * n_classes + true`. Rows with NaN
/// probabilities are left out. Without true classes, all rows count as class 0.
///
/// # Errors
/// [`Error::Data`] for classes or probabilities of the wrong size.
pub fn confusion_of_prior_ratio_rule(
    proba: &[f64],
    truth: Option<&[u32]>,
    known: &[f64],
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    argument_checks::check_summable_weights(weights, proba.len() / known.len().max(1))?;
    let c = known.len();
    let predictions = Decision::Prior(known.to_vec()).decide(proba, c)?;
    if let Some(truth) = truth {
        argument_checks::check_length("the predictions", predictions.len(), truth.len())?;
        argument_checks::check_class_codes("y", truth, c)?;
    }
    let mut counts = vec![0.0; c * c];
    for (row, (predicted, cells)) in predictions.iter().zip(proba.chunks_exact(c)).enumerate() {
        if !cells[0].is_nan() {
            counts[*predicted as usize * c + truth.map_or(0, |truth| truth[row] as usize)] +=
                argument_checks::weight_or_one(weights, row);
        }
    }
    Ok(counts)
}

/// Finds the threshold that meets a goal on unlabeled rows, and its expected performance.
///
/// Labels are unknown, so each row counts as a positive row and a negative row, weighted by their predicted
/// probabilities.
///
/// # Errors
/// [`Error::Data`] if no threshold meets the goal, or for invalid probabilities.
pub fn choose_threshold_unlabeled(
    goal: &ThresholdGoal,
    positive: u32,
    proba: &[f64],
) -> Result<(f64, ExpectedPerformance)> {
    argument_checks::check_probabilities(proba)?;
    let twice = |class: u32| std::iter::repeat_n(class, proba.len());
    let truth: Vec<u32> = twice(positive).chain(twice(1 - positive)).collect();
    let weights: Vec<f64> = proba.iter().copied().chain(proba.iter().map(|p| 1.0 - p)).collect();
    let sweep = ThresholdSweep::new(&truth, positive, &proba.repeat(2), Some(&weights))?;
    let at = sweep.threshold_for_target(&goal.aim, positive, 1.0)?.clamp(0.0, 1.0);
    let costs = match &goal.aim {
        ThresholdTarget::Cost { costs, .. } => Some((costs, positive)),
        _ => None,
    };
    Ok((at, sweep.expected_performance(at, proba.len() as f64, costs)))
}

/// Multiplies probabilities by the ratio of new to old priors and normalizes every row.
///
/// Unlike [`imbcore_core::PriorShift`], it allows a new proportion of 0. If all probabilities of a row become
/// 0, the row stays unchanged.
pub fn reweight_by_priors(proba: &mut [f64], old: &[f64], new: &[f64]) {
    if old == new {
        return;
    }
    let factors = elementwise_ratios(new, old);
    for row in proba.chunks_exact_mut(old.len()) {
        let total: f64 = row.iter().zip(&factors).map(|(p, factor)| p * factor).sum();
        if total > 0.0 {
            for (p, factor) in row.iter_mut().zip(&factors) {
                *p *= factor / total;
            }
        }
    }
}

fn check_priors(known: &[f64]) -> Result<()> {
    let sum: f64 = known.iter().sum();
    if known.iter().all(|p| *p >= 0.0) && (sum - 1.0).abs() < 1e-6 {
        return Ok(());
    }
    Err(Error::Data(format!("class proportions must be at least 0 and sum to 1, got {known:?}")))
}

/// For each class, its value in `above` divided by that in `below`; 0 if the divisor is 0.
pub fn elementwise_ratios(above: &[f64], below: &[f64]) -> Vec<f64> {
    above.iter().zip(below).map(|(a, b)| if *b > 0.0 { a / b } else { 0.0 }).collect()
}

/// Solves a row-major linear system by Gauss-Jordan elimination; `None` if it is singular.
fn solve_linear_system(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    let scale = matrix.iter().map(|cell| cell.abs()).fold(0.0, f64::max);
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| matrix[a * n + column].abs().total_cmp(&matrix[b * n + column].abs()))?;
        if matrix[pivot * n + column].abs() <= SINGULAR * scale {
            return None;
        }
        for cell in 0..n {
            matrix.swap(pivot * n + cell, column * n + cell);
        }
        right.swap(pivot, column);
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row * n + column] / matrix[column * n + column];
            for cell in column..n {
                matrix[row * n + cell] -= factor * matrix[column * n + cell];
            }
            right[row] -= factor * right[column];
        }
    }
    Some((0..n).map(|row| right[row] / matrix[row * n + row]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_finds_the_maximum_of_two_kinds_of_rows() {
        // At equal class proportions, five rows have odds 3 and three rows have odds 1/3.
        let row = |p: f64| [1.0 - p, p];
        let proba: Vec<f64> = (0..8).flat_map(|at| row(if at < 5 { 0.75 } else { 0.25 })).collect();
        let found = estimate_prior_em(&proba, &[0.5, 0.5], None, RunContext::silent()).unwrap();
        // 5 / 8 = pi 0.75 + (1 - pi) 0.25 gives pi = 0.75.
        assert!((found.prior[1] - 0.75).abs() < 1e-8, "{found:?}");
        assert!(
            found.low[1] < 0.75
                && found.high[1] > 0.75
                && (found.low[0] - (1.0 - found.high[1])).abs() < 1e-12
        );
        // The variance is that of the fraction 5/8, divided by 0.5^2. Here, 0.5 is the difference of the
        // probabilities 0.75 and 0.25.
        let half = (found.prior[1] - found.low[1]) / normal_quantile(0.975);
        assert!((half - (5.0 / 8.0 * 3.0 / 8.0 / 8.0_f64).sqrt() / 0.5).abs() < 1e-7, "{half}");
        let many: Vec<f64> = [[0.9, 0.1], [0.1, 0.9]].concat().repeat(500);
        let width = |rows: Option<f64>| {
            let found = estimate_prior_em(&many, &[0.5, 0.5], rows, RunContext::silent()).unwrap();
            found.high[1] - found.low[1]
        };
        // If there are as many training rows as new rows, the variance doubles.
        let ratio = width(Some(1000.0)) / width(None);
        assert!((ratio - 2.0_f64.sqrt()).abs() < 1e-12, "{ratio}");
        // A row of a class with the known proportion 0 tells nothing about the other classes.
        let three: Vec<f64> =
            proba.chunks_exact(2).flat_map(|row| [0.0, row[0], row[1]]).chain([1.0, 0.0, 0.0]).collect();
        let found = estimate_prior_em(&three, &[0.0, 0.5, 0.5], None, RunContext::silent()).unwrap();
        assert!((found.prior[2] - 0.75).abs() < 1e-8 && found.prior[0] == 0.0, "{found:?}");
        assert!(estimate_prior_em(&[], &[0.5, 0.5], None, RunContext::silent()).is_err());
        assert!(estimate_prior_em(&proba, &[0.5, 0.6], None, RunContext::silent()).is_err());
    }

    #[test]
    fn bbse_inverts_the_confusion() {
        // Predictions of 90 of 100 negatives and 8 of 10 positives are correct. If 300 of 1000 new rows are
        // positive, 0.1 * 700 + 0.8 * 300 = 310 rows are predicted positive.
        let found = estimate_prior_bbse(&[90.0, 2.0, 10.0, 8.0], &[690.0, 310.0]).unwrap();
        assert!((found.prior[1] - 0.3).abs() < 1e-12, "{found:?}");
        let by_hand = (0.31 * 0.69 / 1000.0 + 0.49 * 0.09 / 100.0 + 0.09 * 0.16 / 10.0_f64).sqrt() / 0.7;
        assert!(((found.prior[1] - found.low[1]) / normal_quantile(0.975) - by_hand).abs() < 1e-9);
        assert_eq!(estimate_prior_bbse(&[90.0, 2.0, 10.0, 8.0], &[1000.0, 0.0]).unwrap().prior, [1.0, 0.0]);
        assert!(estimate_prior_bbse(&[9.0, 9.0, 1.0, 1.0], &[5.0, 5.0]).is_err());
        assert!(estimate_prior_bbse(&[9.0, 0.0, 1.0, 0.0], &[5.0, 5.0]).is_err());
    }

    #[test]
    fn rows_are_predicted_by_the_largest_ratio_to_the_prior() {
        let proba = [0.8, 0.2, 0.95, 0.05, f64::NAN, f64::NAN];
        assert_eq!(
            confusion_of_prior_ratio_rule(&proba, Some(&[1, 0, 0]), &[0.9, 0.1], None).unwrap(),
            [1.0, 0.0, 0.0, 1.0]
        );
        assert_eq!(
            confusion_of_prior_ratio_rule(&proba, None, &[0.9, 0.1], None).unwrap(),
            [1.0, 0.0, 1.0, 0.0]
        );
        let weighted =
            confusion_of_prior_ratio_rule(&proba, Some(&[1, 0, 0]), &[0.9, 0.1], Some(&[2.0, 0.5, 1.0]));
        let sums =
            confusion_of_prior_ratio_rule(&proba, Some(&[1, 0, 0]), &[0.9, 0.1], Some(&[1.0; 3])).unwrap();
        assert_eq!(sums, [1.0, 0.0, 0.0, 1.0]);
        assert_ne!(weighted.unwrap(), sums);
    }
}

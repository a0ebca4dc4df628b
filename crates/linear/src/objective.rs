//! Penalized log loss and its gradient.

use crate::design::{Design, row_blocks};
use crate::encoding::TableEncoding;
use crate::loss::logistic_losses;
use imbcore_core::{Result, RunContext, parallel};
use multiversion::multiversion;
use std::ops::Range;

const LOSS_ROWS: usize = 64;

/// Penalized log loss of encoded rows: `sum_i w_i l_i + |b|^2 / (2 C)`.
///
/// Row `i` has the weight `w_i` and the log loss `l_i`; `b` are the coefficients without the intercepts. For
/// two classes there is one score, the log-odds of the second class. For more classes there is one score per
/// class. The coefficients of each score are `width + 1` numbers, the last of which is unused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Objective<'a> {
    pub(crate) encoding: &'a TableEncoding,
    pub(crate) design: &'a Design,
    pub(crate) n_scores: usize,
    /// `1 / C`.
    pub(crate) penalty: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct ObjectiveGradient {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
}

impl Objective<'_> {
    /// Number of stored coefficients per score; the last one is unused.
    pub(crate) fn n_coefficients_per_score(&self) -> usize {
        self.design.width + 1
    }

    pub(crate) fn coefficients_to_entry_weights(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut weights = coefficients.to_vec();
        weights
            .chunks_exact_mut(self.n_coefficients_per_score())
            .for_each(|of_score| self.encoding.convert_knot_changes_to_values(of_score));
        weights
    }

    /// Value and gradient at some coefficients.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn evaluate(&self, coefficients: &[f64], ctl: RunContext<'_>) -> Result<ObjectiveGradient> {
        let weights = &self.coefficients_to_entry_weights(coefficients);
        let parts = parallel::try_map(row_blocks(self.design.n_rows), |block| {
            ctl.check()?;
            let mut sums = vec![0.0; weights.len()];
            let loss = add_loss_gradients(self, block, weights, &mut sums);
            Ok((loss, sums))
        })?;
        let mut value = 0.0;
        let mut gradient = vec![0.0; weights.len()];
        for (loss, sums) in parts {
            value += loss;
            gradient.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        let mut squares = 0.0;
        for (of_score, sums) in coefficients
            .chunks_exact(self.n_coefficients_per_score())
            .zip(gradient.chunks_exact_mut(self.n_coefficients_per_score()))
        {
            self.encoding.convert_to_column_sums(sums);
            // The intercept (index 0) is not penalized. The unused last number of the coefficients is 0.
            for (coefficient, sum) in of_score.iter().zip(sums.iter_mut()).skip(1) {
                squares += coefficient * coefficient;
                *sum += self.penalty * coefficient;
            }
            sums[self.design.width] = 0.0;
        }
        Ok(ObjectiveGradient { value: value + self.penalty * squares / 2.0, gradient })
    }

    #[inline(always)]
    pub(crate) fn compute_row_scores(&self, row: usize, weights: &[f64], scores: &mut [f64]) {
        for (score, weights) in scores.iter_mut().zip(weights.chunks_exact(self.n_coefficients_per_score())) {
            *score = self.design.dot_product(row, weights);
        }
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn add_loss_gradients<'o>(
    objective: &Objective<'o>,
    rows: Range<usize>,
    weights: &[f64],
    sums: &mut [f64],
) -> f64 {
    let (design, stride) = (objective.design, objective.n_coefficients_per_score());
    let mut total = 0.0;
    if objective.n_scores == 1 {
        for first in rows.clone().step_by(LOSS_ROWS) {
            total +=
                add_binary_loss_gradients(design, first..(first + LOSS_ROWS).min(rows.end), weights, sums);
        }
        return total;
    }
    let mut scores = vec![0.0; objective.n_scores];
    for row in rows {
        let weight = design.weights[row];
        objective.compute_row_scores(row, weights, &mut scores);
        total += weight * scores_to_loss_derivatives(design.classes[row], &mut scores);
        for (residual, sums) in scores.iter().zip(sums.chunks_exact_mut(stride)) {
            design.add_scaled_row(row, weight * residual, sums);
        }
    }
    total
}

/// Adds the gradients of at most [`LOSS_ROWS`] rows to `sums`; returns their total loss.
#[inline(always)]
fn add_binary_loss_gradients(design: &Design, rows: Range<usize>, weights: &[f64], sums: &mut [f64]) -> f64 {
    let (mut scores, mut signs, mut losses) = ([0.0; LOSS_ROWS], [1.0; LOSS_ROWS], [0.0; LOSS_ROWS]);
    for ((row, score), sign) in rows.clone().zip(&mut scores).zip(&mut signs) {
        *score = design.dot_product(row, weights);
        *sign = if design.classes[row] == 1 { 1.0 } else { -1.0 };
    }
    logistic_losses(&mut scores, &signs, &mut losses);
    let of_rows = &design.weights[rows.clone()];
    for (residual, weight) in scores.iter_mut().zip(of_rows) {
        *residual *= weight;
    }
    design.add_scaled_rows(rows, &scores, sums);
    losses.iter().zip(of_rows).map(|(loss, weight)| loss * weight).sum()
}

/// Replaces the scores of a row by the derivatives of its log loss; returns the log loss.
#[inline(always)]
fn scores_to_loss_derivatives(class: u32, scores: &mut [f64]) -> f64 {
    let of_class = scores[class as usize];
    let (largest, total) = softmax(scores);
    scores[class as usize] -= 1.0;
    total.ln() + largest - of_class
}

pub(crate) fn logistic(score: f64) -> f64 {
    let small = (-score.abs()).exp();
    if score >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) }
}

/// Replaces scores by probabilities.
///
/// Returns the largest score `m`, and the sum of `exp(score - m)` over the scores.
#[inline]
pub(crate) fn softmax(scores: &mut [f64]) -> (f64, f64) {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - largest).exp();
        total += *score;
    }
    for score in scores.iter_mut() {
        *score /= total;
    }
    (largest, total)
}

/// Replaces the scores of a row by the second derivatives of its log loss in each score.
#[inline]
pub(crate) fn replace_scores_by_curvatures(scores: &mut [f64]) {
    if let [score] = scores {
        let small = (-score.abs()).exp();
        *score = small / ((1.0 + small) * (1.0 + small));
        return;
    }
    softmax(scores);
    for proba in scores {
        *proba *= 1.0 - *proba;
    }
}

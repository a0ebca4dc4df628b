//! Fitted logistic regression and its predictions.

use crate::design::row_blocks;
use crate::encoding::{Basis, TableEncoding, are_all_rows, gather_rows};
use crate::objective::{logistic, softmax};
use crate::scaling::mean_and_absolute_deviation;
use crate::vectors::dot;
use imbcore_core::{Classifier, Column, Error, Frame, Result, RunContext, Schema, memory, parallel};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScorePredictor {
    pub(crate) encoding: TableEncoding,
    /// Classes with training rows, ascending; other classes have probability 0.
    pub(crate) present: Vec<u32>,
    pub(crate) n_classes: usize,
    /// For each score, its coefficients, and an unused number at the end.
    pub(crate) coefficients: Vec<f64>,
    pub(crate) weights: Vec<f64>,
}

/// Fitted logistic regression.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticModel {
    pub(crate) predictor: ScorePredictor,
    pub(crate) c: f64,
    /// Candidates for `c` and their held-out log losses; empty if none were compared.
    pub(crate) path: Vec<(f64, f64)>,
    pub(crate) means: Vec<f64>,
    /// Mean absolute deviation of the contribution of every column, averaged over the scores.
    pub(crate) spreads: Vec<f64>,
}

impl ScorePredictor {
    pub(crate) fn new(
        encoding: TableEncoding,
        present: Vec<u32>,
        n_classes: usize,
        coefficients: Vec<f64>,
    ) -> Self {
        let mut weights = coefficients.clone();
        weights
            .chunks_exact_mut(encoding.width + 1)
            .for_each(|of_score| encoding.convert_knot_changes_to_values(of_score));
        Self { encoding, present, n_classes, coefficients, weights }
    }

    pub(crate) fn n_scores(&self) -> usize {
        self.coefficients.len() / self.n_coefficients_per_score()
    }

    fn n_coefficients_per_score(&self) -> usize {
        self.encoding.width + 1
    }

    /// Adds the contributions of column `at` to `scores`, which has `n_scores` numbers per row.
    fn add_column_contributions(
        &self,
        frame: &Frame<'_>,
        at: usize,
        rows: impl Iterator<Item = usize>,
        scores: &mut [f64],
    ) {
        let (n_scores, stride) = (self.n_scores(), self.n_coefficients_per_score());
        self.encoding.for_each_entry(at, &frame.columns()[at], rows, |position, _, slot, value| {
            let scores = &mut scores[position * n_scores..(position + 1) * n_scores];
            for (score, weights) in scores.iter_mut().zip(self.weights.chunks_exact(stride)) {
                *score += value * weights[slot];
            }
        });
    }

    fn scores(
        &self,
        frame: &Frame<'_>,
        n_rows: usize,
        row: impl Fn(usize) -> usize + Sync,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        frame.check_finite()?;
        let width = self.n_scores();
        let intercepts: Vec<f64> =
            self.weights.iter().copied().step_by(self.n_coefficients_per_score()).collect();
        let mut all = memory::try_with_capacity(n_rows * width, "predictions")?;
        (0..n_rows).for_each(|_| all.extend(&intercepts));
        let blocks = row_blocks(n_rows);
        let size = blocks.first().map_or(1, ExactSizeIterator::len);
        parallel::try_map(blocks.into_iter().zip(all.chunks_mut(size * width)), |(block, scores)| {
            for at in 0..frame.n_columns() {
                ctl.check()?;
                self.add_column_contributions(frame, at, block.clone().map(&row), scores);
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn proba_from_scores(&self, mut scores: Vec<f64>) -> Result<Vec<f64>> {
        let width = self.n_scores();
        let n_rows = scores.len() / width;
        let mut proba = memory::filled(n_rows * self.n_classes, 0.0, "predictions")?;
        for (scores, proba) in scores.chunks_exact_mut(width).zip(proba.chunks_exact_mut(self.n_classes)) {
            if let [score] = *scores {
                for (&class, score) in self.present.iter().zip([-score, score]) {
                    proba[class as usize] = logistic(score);
                }
            } else {
                softmax(scores);
                self.present.iter().zip(&*scores).for_each(|(&class, value)| proba[class as usize] = *value);
            }
        }
        Ok(proba)
    }

    /// Probabilities of the classes for some rows of a table.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub(crate) fn proba_of_rows(
        &self,
        frame: &Frame<'_>,
        rows: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        self.proba_from_scores(self.scores(frame, rows.len(), |place| rows[place] as usize, ctl)?)
    }
}

/// Mean contribution of a column to every score, and its mean absolute deviation.
///
/// The deviation is averaged over the scores. `proportions` are the weights of the rows, with sum 1.
fn mean_column_contribution(
    predictor: &ScorePredictor,
    frame: &Frame<'_>,
    at: usize,
    (rows, all_rows): (&[u32], bool),
    proportions: &[f64],
) -> Result<(Vec<f64>, f64)> {
    let (n_scores, stride) = (predictor.n_scores(), predictor.n_coefficients_per_score());
    let (encoding, slots) = (&predictor.encoding.columns[at], &predictor.encoding.slots[at]);
    let column = &frame.columns()[at];
    let mut spread = 0.0;
    let mut means = Vec::with_capacity(n_scores);
    match (&encoding.basis, column) {
        (Basis::Linear { unit, center, factor }, Column::Numeric(values)) if !encoding.indicator => {
            let values = gather_rows(*values, rows, all_rows)?;
            let scale = (unit.recip(), *center, *factor);
            let (mean, deviation) = mean_and_absolute_deviation(proportions, &values, scale);
            for weights in predictor.weights.chunks_exact(stride) {
                means.push(weights[slots.basis] * mean);
                spread += weights[slots.basis].abs() * deviation;
            }
        }
        (Basis::Levels { .. } | Basis::Bins { .. } | Basis::Nothing, _) => {
            // The contribution of a row is the weight of its level or bin. The last element of `masses` is
            // the total weight of the rows with a missing value.
            let mut masses = memory::filled(slots.n_basis + 1, 0.0, "contributions")?;
            let table_rows = rows.iter().map(|&row| row as usize);
            predictor.encoding.for_each_entry(at, column, table_rows, |position, _, slot, _| {
                let place = if Some(slot) == slots.indicator { slots.n_basis } else { slot - slots.basis };
                masses[place] += proportions[position];
            });
            let without = (1.0 - masses.iter().sum::<f64>()).max(0.0);
            for weights in predictor.weights.chunks_exact(stride) {
                let missing = slots.indicator.map_or(0.0, |slot| weights[slot]);
                let of_places = weights[slots.basis..].iter().take(slots.n_basis).chain([&missing]);
                let mean: f64 =
                    masses.iter().zip(of_places.clone()).map(|(mass, weight)| mass * weight).sum();
                let deviations =
                    masses.iter().zip(of_places).map(|(mass, weight)| mass * (weight - mean).abs());
                spread += deviations.sum::<f64>() + without * mean.abs();
                means.push(mean);
            }
        }
        _ => {
            let mut contributions = memory::filled(rows.len() * n_scores, 0.0, "contributions")?;
            let table_rows = rows.iter().map(|&row| row as usize);
            predictor.encoding.for_each_entry(at, column, table_rows, |position, _, slot, value| {
                for (score, weights) in predictor.weights.chunks_exact(stride).enumerate() {
                    contributions[score * rows.len() + position] += value * weights[slot];
                }
            });
            for contributions in contributions.chunks_exact_mut(rows.len()) {
                let mean = dot(proportions, contributions);
                for contribution in contributions.iter_mut() {
                    *contribution = (*contribution - mean).abs();
                }
                spread += dot(proportions, contributions);
                means.push(mean);
            }
        }
    }
    Ok((means, spread / n_scores as f64))
}

impl LogisticModel {
    /// Creates a model; computes the mean contributions of the columns over the training rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn new(
        predictor: ScorePredictor,
        c: f64,
        path: Vec<(f64, f64)>,
        (frame, rows, weights): (&Frame<'_>, &[u32], &[f64]),
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let total: f64 = weights.iter().sum();
        let proportions: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let all_rows = are_all_rows(frame, rows);
        let of_columns = parallel::try_map(0..frame.n_columns(), |at| {
            ctl.check()?;
            mean_column_contribution(&predictor, frame, at, (rows, all_rows), &proportions)
        })?;
        let (means, spreads): (Vec<_>, Vec<_>) = of_columns.into_iter().unzip();
        Ok(Self { predictor, c, path, means: means.concat(), spreads })
    }

    /// Number of scores per row: one for two classes, otherwise one per class.
    ///
    /// Only classes with training rows count.
    pub fn n_scores(&self) -> usize {
        self.predictor.n_scores()
    }

    /// Inverse strength of the penalty.
    pub fn inverse_penalty_strength(&self) -> f64 {
        self.c
    }

    /// Candidates for the inverse strength of the penalty, and their held-out log loss.
    ///
    /// Empty if the penalty was given, or if no rows could be held out.
    pub fn penalty_candidate_losses(&self) -> &[(f64, f64)] {
        &self.path
    }

    /// Intercept of every score.
    pub fn intercepts(&self) -> Vec<f64> {
        self.predictor
            .coefficients
            .iter()
            .copied()
            .step_by(self.predictor.n_coefficients_per_score())
            .collect()
    }

    /// Coefficients of the design columns, `n_scores x n_design_columns`.
    pub fn coefficients(&self) -> Vec<f64> {
        let used = self.predictor.encoding.used_slots();
        let of_scores = self.predictor.coefficients.chunks_exact(self.predictor.n_coefficients_per_score());
        of_scores.flat_map(|of_score| used.iter().map(|&slot| of_score[slot])).collect()
    }

    /// Names of the design columns.
    pub fn design_column_names(&self, schema: &Schema) -> Vec<String> {
        self.predictor.encoding.design_column_names(schema)
    }

    /// Number of design columns.
    pub fn n_design_columns(&self) -> usize {
        self.predictor.encoding.used_slots().len()
    }

    /// Design matrix of rows, `n_rows x n_design_columns`.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub fn design_matrix(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.predictor.encoding.design_matrix(frame, ctl)
    }

    /// Scores of rows, `n_rows x n_scores`.
    ///
    /// For two classes, the score is the log-odds of the second class. For more classes, the scores are the
    /// inputs of the softmax.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub fn scores(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.predictor.scores(frame, frame.n_rows(), |row| row, ctl)
    }

    /// Mean absolute deviation of each column's contribution, divided by the sum over columns.
    ///
    /// The fractions sum to 1, unless all of them are 0.
    pub fn feature_importances(&self) -> Vec<f64> {
        let total: f64 = self.spreads.iter().sum();
        self.spreads.iter().map(|spread| if total > 0.0 { spread / total } else { 0.0 }).collect()
    }

    /// Shapley values for the score of `class`, `n_rows x n_columns`, and the base value.
    ///
    /// Scores are sums of the contributions of columns. So the Shapley value of a column is its contribution
    /// minus its mean contribution over the background rows or, without a background, over the training rows.
    ///
    /// # Errors
    /// [`Error::Data`] for a background without rows, or a class without training rows.
    pub fn shapley(
        &self,
        frame: &Frame<'_>,
        class: usize,
        background: Option<&Frame<'_>>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let predictor = &self.predictor;
        let Some(position) = predictor.present.iter().position(|&present| present as usize == class) else {
            return Err(Error::Data("the class has no training rows, so its probability is always 0".into()));
        };
        let width = self.n_scores();
        let (score, sign) = match (width, position) {
            (1, 0) => (0, -1.0),
            (1, _) => (0, 1.0),
            _ => (position, 1.0),
        };
        if background.is_some_and(|rows| rows.n_rows() == 0) {
            return Err(Error::Data("background has 0 rows; at least 1 is needed".into()));
        }
        let n_columns = frame.n_columns();
        let mut values = memory::filled(frame.n_rows() * n_columns, 0.0, "explanations")?;
        let mut base = predictor.weights[score * predictor.n_coefficients_per_score()];
        for at in 0..n_columns {
            ctl.check()?;
            let contributions = |frame: &Frame<'_>| -> Result<Vec<f64>> {
                let mut all = memory::filled(frame.n_rows() * width, 0.0, "explanations")?;
                predictor.add_column_contributions(frame, at, 0..frame.n_rows(), &mut all);
                Ok(all)
            };
            let mean = match background {
                Some(rows) => {
                    let all = contributions(rows)?;
                    all.iter().skip(score).step_by(width).sum::<f64>() / rows.n_rows() as f64
                }
                None => self.means[at * width + score],
            };
            base += mean;
            let own = contributions(frame)?;
            for (row, value) in own.iter().skip(score).step_by(width).enumerate() {
                values[row * n_columns + at] = sign * (value - mean);
            }
        }
        Ok((values, sign * base))
    }
}

impl Classifier for LogisticModel {
    fn n_classes(&self) -> usize {
        self.predictor.n_classes
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.predictor.proba_from_scores(self.scores(frame, ctl)?)
    }
}

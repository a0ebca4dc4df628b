//! Comparison of amounts of hierarchical shrinkage on held-out rows.
//!
//! The best amount has the smallest log loss. If the forest with this amount does not beat the class
//! proportions, a factor is also computed. It scales the deviations of the probabilities from the class
//! proportions down to the root mean square that they have at the largest amount. The ranking of the rows
//! does not change.

use crate::shrinkage_choice::ShrinkageChoice;
use imbcore_core::PriorShift;
use imbcore_metrics::{LossDifferences, SignalEvidence};

/// Smallest probability in a log loss; smaller probabilities are replaced by it.
const EPSILON: f64 = 1e-15;

pub(crate) struct HeldOutRows<'r> {
    pub(crate) classes: &'r [usize],
    pub(crate) weights: Vec<f64>,
    pub(crate) groups: Option<Vec<u32>>,
    /// Class proportions of the training rows, before the prior correction.
    pub(crate) proportions: Vec<f64>,
    pub(crate) shift: Option<PriorShift>,
}

impl HeldOutRows<'_> {
    /// Log loss of a row whose true class `class` has the uncorrected probability `proba`.
    ///
    /// `total` is the sum of the uncorrected probabilities of all classes, each multiplied by its factor of
    /// the prior correction.
    fn row_log_loss(&self, class: usize, proba: f64, total: f64) -> f64 {
        let factor = self.shift.as_ref().map_or(1.0, |shift| shift.factors()[class]);
        -(factor * proba / total).clamp(EPSILON, 1.0).ln()
    }

    /// Value of `total` in [`Self::row_log_loss`] if the class proportions are predicted.
    fn normalizer_of_proportions(&self) -> f64 {
        let Some(shift) = &self.shift else { return 1.0 };
        shift.factors().iter().zip(&self.proportions).map(|(factor, p)| factor * p).sum()
    }
}

pub(crate) struct ShrinkageComparison {
    pub(crate) amounts: Vec<f64>,
    plain: LossDifferences,
    scaled: LossDifferences,
    /// For each amount, the weighted sum of squared deviations over the held-out rows.
    ///
    /// The deviation of a row is the probability of its true class minus the proportion of this class.
    squares: Vec<f64>,
}

impl ShrinkageComparison {
    pub(crate) fn new(amounts: Vec<f64>) -> Self {
        let n = amounts.len();
        let (plain, scaled) = (LossDifferences::new(n), LossDifferences::new(n));
        Self { amounts, plain, scaled, squares: vec![0.0; n] }
    }

    /// For each amount, the factor that scales the deviations from the class proportions.
    ///
    /// If the root mean square of the deviations is larger than at the largest amount, the factor reduces it
    /// to that value. Otherwise, the factor is 1.
    fn deviation_scales(squares: &[f64]) -> Vec<f64> {
        let last = squares[squares.len() - 1];
        squares.iter().map(|&square| if square > last { (last / square).sqrt() } else { 1.0 }).collect()
    }

    /// Adds the held-out rows of a fold.
    ///
    /// `means` has the shape `n_rows x n_numbers x n_amounts`; each value is a mean over the trees. The first
    /// number is the uncorrected probability of the true class of the row. With a prior correction, the
    /// second number is the argument `total` of [`HeldOutRows::row_log_loss`].
    pub(crate) fn add_fold(&mut self, rows: &HeldOutRows<'_>, means: &[f64]) {
        let width = self.amounts.len();
        let n_numbers = if rows.shift.is_some() { 2 } else { 1 };
        let mut squares = vec![0.0; width];
        for ((means, &class), weight) in
            means.chunks_exact(n_numbers * width).zip(rows.classes).zip(&rows.weights)
        {
            for (square, mean) in squares.iter_mut().zip(means) {
                *square += weight * (mean - rows.proportions[class]).powi(2);
            }
        }
        let scales = Self::deviation_scales(&squares);
        let all_total = rows.normalizer_of_proportions();
        let (mut plain, mut scaled) = (Vec::new(), Vec::new());
        for (means, &class) in means.chunks_exact(n_numbers * width).zip(rows.classes) {
            let prior = rows.proportions[class];
            for (at, scale) in scales.iter().enumerate() {
                let (proba, total) = (means[at], means.get(width + at).copied().unwrap_or(1.0));
                let loss = rows.row_log_loss(class, proba, total);
                plain.push(loss);
                scaled.push(if *scale < 1.0 {
                    let toward = |value: f64, of_prior: f64| of_prior + scale * (value - of_prior);
                    rows.row_log_loss(class, toward(proba, prior), toward(total, all_total))
                } else {
                    loss
                });
            }
        }
        let prior = |&class: &usize| rows.row_log_loss(class, rows.proportions[class], all_total);
        let prior: Vec<f64> = rows.classes.iter().map(prior).collect();
        self.plain.add_losses(&prior, &rows.weights, rows.groups.as_deref(), &mut plain);
        self.scaled.add_losses(&prior, &rows.weights, rows.groups.as_deref(), &mut scaled);
        self.squares.iter_mut().zip(squares).for_each(|(sum, square)| *sum += square);
    }

    /// Returns the amount of smallest log loss, and the factor that scales the deviations.
    ///
    /// The deviations are those of the predictions from the class proportions. The factor is 1 if the forest
    /// with this amount beats the class proportions.
    pub(crate) fn best_shrinkage(&self) -> Option<ShrinkageChoice> {
        let means =
            (0..self.amounts.len()).map(|at| self.plain.mean_difference(at)).collect::<Option<Vec<f64>>>()?;
        // Of several amounts that are equally good, the largest is chosen.
        let best = (0..means.len()).rev().min_by(|&a, &b| means[a].total_cmp(&means[b]))?;
        let (amount, evidence) = (self.amounts[best], self.plain.evidence_for_model(best)?);
        if evidence.beats_prior {
            return Some(ShrinkageChoice { amount, scale: 1.0, evidence });
        }
        let scale = Self::deviation_scales(&self.squares)[best];
        let evidence = SignalEvidence { beats_prior: false, ..self.scaled.evidence_for_model(best)? };
        Some(ShrinkageChoice { amount, scale, evidence })
    }
}

//! Per-class thresholds that maximize a measure of the predictions.
//!
//! A row is predicted as the class with the largest ratio of probability to threshold. For means of recalls,
//! the optimal classifier has this form. For F-measures and the correlation, the optimal classifier also
//! subtracts a constant from each ratio (Narasimhan, Ramaswamy, Saha and Agarwal 2015), which is omitted
//! here. One threshold is optimized at a time, by a sweep over the rows. The search ends if no change of a
//! single threshold improves the measure.

use crate::argument_checks;
use crate::confusion::Confusion;
use crate::goal::{ProportionEstimate, estimate_proportion};
use imbcore_core::{Decision, Error, Result, RunContext, ThresholdMeasure};
use serde::{Deserialize, Serialize};

/// Performance of class thresholds on the rows on which they were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassThresholdPerformance {
    /// Value of the optimized measure.
    pub value: f64,
    /// Recall of each class; `None` for a class without rows.
    pub recall: Vec<Option<ProportionEstimate>>,
    /// Precision of each class; `None` for a class that is never predicted.
    pub precision: Vec<Option<ProportionEstimate>>,
}

/// Weights per class: rows of the class, correct predictions, and predictions of the class.
#[derive(Clone, Debug)]
struct ClassPredictionTotals {
    truths: Vec<f64>,
    right: Vec<f64>,
    answers: Vec<f64>,
}

#[derive(Clone, Copy)]
struct PredictedRows<'a> {
    truth: &'a [u32],
    proba: &'a [f64],
    n_classes: usize,
    weights: Option<&'a [f64]>,
}

/// Minimum improvement of the measure at which a threshold is changed.
///
/// The number is also the minimum relative difference of two ratios that a threshold separates. Smaller
/// differences may be rounding errors.
const GAIN: f64 = 1e-12;

/// Largest threshold that is tried; the smallest is its reciprocal.
///
/// Rows that only more extreme thresholds would separate are not separated.
const FARTHEST: f64 = 1e9;

/// Searches for class thresholds with the largest `measure`; also returns their performance.
///
/// Thresholds are scaled so that the largest lies in (1/2, 1]. The measure is a mean over the classes that
/// have rows or, for `Mcc`, the multiclass correlation. A search from equal thresholds finds a local maximum.
/// If every class has rows, a second search starts from thresholds in proportion to the class prevalences,
/// and the better result is returned.
///
/// # Errors
/// [`Error::Data`] for wrong sizes, class codes, weights or probabilities, or fewer than two classes that
/// have rows; [`Error::Cancelled`].
pub fn class_thresholds(
    measure: ThresholdMeasure,
    truth: &[u32],
    proba: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    ctl: RunContext<'_>,
) -> Result<(Vec<f64>, ClassThresholdPerformance)> {
    argument_checks::check_matrix_size(proba, truth.len(), n_classes)?;
    argument_checks::check_probabilities(proba)?;
    argument_checks::check_class_codes("y_true", truth, n_classes)?;
    argument_checks::check_weights(weights, truth.len())?;
    let rows = PredictedRows { truth, proba, n_classes, weights };
    let even = vec![1.0 / n_classes as f64; n_classes];
    let truths = rows.compute_class_totals(&even)?.truths;
    if truths.iter().filter(|rows| **rows > 0.0).count() < 2 {
        return Err(Error::Data("choosing thresholds needs rows of at least two classes".into()));
    }
    let mut best = rows.coordinate_ascent(measure, even, ctl)?;
    if truths.iter().all(|rows| *rows > 0.0) {
        let found = rows.coordinate_ascent(measure, scale_thresholds(truths), ctl)?;
        if found.1 > best.1 + GAIN {
            best = found;
        }
    }
    rows.with_expected_performance(best)
}

impl ClassPredictionTotals {
    fn measure_value(&self, measure: ThresholdMeasure) -> f64 {
        let classes = || (0..self.truths.len()).filter(|&class| self.truths[class] > 0.0);
        let n = classes().count() as f64;
        let recall = |class: usize| self.right[class] / self.truths[class];
        let f_beta = |squared: f64| {
            let class_score = |class: usize| {
                (1.0 + squared) * self.right[class] / (squared * self.truths[class] + self.answers[class])
            };
            classes().map(class_score).sum::<f64>() / n
        };
        match measure {
            ThresholdMeasure::F1 => f_beta(1.0),
            ThresholdMeasure::F2 => f_beta(4.0),
            ThresholdMeasure::GMean => (classes().map(|class| recall(class).ln()).sum::<f64>() / n).exp(),
            ThresholdMeasure::Youden => classes().map(recall).sum::<f64>() / n,
            ThresholdMeasure::Mcc => self.mcc(),
        }
    }

    fn mcc(&self) -> f64 {
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let total: f64 = self.truths.iter().sum();
        let spread = |masses: &[f64]| total * total - product(masses, masses);
        let spreads = spread(&self.truths) * spread(&self.answers);
        let together = total * self.right.iter().sum::<f64>() - product(&self.truths, &self.answers);
        if spreads > 0.0 { together / spreads.sqrt() } else { 0.0 }
    }

    fn change_predicted_class(&mut self, class: usize, weight: f64, [from, to]: [usize; 2]) {
        self.answers[from] -= weight;
        self.answers[to] += weight;
        self.right[class] += weight * (f64::from(u8::from(to == class)) - f64::from(u8::from(from == class)));
    }
}

impl PredictedRows<'_> {
    fn confusion(&self, thresholds: &[f64]) -> Result<Confusion> {
        let answers = Decision::Thresholds(thresholds.to_vec()).decide(self.proba, self.n_classes)?;
        Confusion::new(self.truth, &answers, self.n_classes, self.weights)
    }

    fn compute_class_totals(&self, thresholds: &[f64]) -> Result<ClassPredictionTotals> {
        let confusion = self.confusion(thresholds)?;
        let right = confusion.counts().iter().step_by(self.n_classes + 1).copied().collect();
        Ok(ClassPredictionTotals {
            truths: confusion.true_class_weights(),
            right,
            answers: confusion.predicted_class_weights(),
        })
    }

    /// Changes one threshold at a time until no single change improves the measure.
    fn coordinate_ascent(
        &self,
        measure: ThresholdMeasure,
        mut thresholds: Vec<f64>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let mut tally = self.compute_class_totals(&thresholds)?;
        let mut value = tally.measure_value(measure);
        let mut still = 0;
        let mut class = 0;
        while still < self.n_classes {
            ctl.check()?;
            let mut other = thresholds.clone();
            other[class] = self.best_class_threshold(measure, &thresholds, class, &tally);
            let other = scale_thresholds(other);
            let found = self.compute_class_totals(&other)?;
            still += 1;
            if found.measure_value(measure) > value + GAIN {
                (value, thresholds, tally, still) = (found.measure_value(measure), other, found, 1);
            }
            class = (class + 1) % self.n_classes;
        }
        Ok((thresholds, value))
    }

    /// Returns the best threshold of one class, with the thresholds of the other classes fixed.
    ///
    /// The result is the geometric mean of the ratios of two rows, or it lies above or below all ratios. Ties
    /// go to the widest gap between ratios, then to the larger threshold.
    fn best_class_threshold(
        &self,
        measure: ThresholdMeasure,
        thresholds: &[f64],
        class: usize,
        now: &ClassPredictionTotals,
    ) -> f64 {
        // The ratio of a row is the largest threshold of `class` at which the row is predicted as `class`:
        // its probability of `class` divided by `most`. `most` is the largest ratio of probability to
        // threshold among the other classes.
        let mut rows: Vec<(f64, usize, usize)> = Vec::with_capacity(self.truth.len());
        let mut tally = now.clone();
        for (row, proba) in self.proba.chunks_exact(self.n_classes).enumerate() {
            let (mut most, mut rival) = (f64::NEG_INFINITY, class);
            for (other, (p, threshold)) in proba.iter().zip(thresholds).enumerate() {
                if other != class && p / threshold > most {
                    (most, rival) = (p / threshold, other);
                }
            }
            let own = proba[class] / thresholds[class];
            if own > most || own == most && class < rival {
                tally.change_predicted_class(
                    self.truth[row] as usize,
                    argument_checks::weight_or_one(self.weights, row),
                    [class, rival],
                );
            }
            let ratio = (proba[class] / most).min(FARTHEST);
            if ratio >= FARTHEST.recip() {
                rows.push((ratio, row, rival));
            }
        }
        rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best = (rows.first().map_or(1.0, |row| 2.0 * row.0), tally.measure_value(measure), 1.0);
        for (i, &(ratio, row, rival)) in rows.iter().enumerate() {
            tally.change_predicted_class(
                self.truth[row] as usize,
                argument_checks::weight_or_one(self.weights, row),
                [rival, class],
            );
            let next = rows.get(i + 1).map_or(0.5 * ratio, |row| row.0);
            // If the ratios of two rows may differ only by rounding, no threshold is placed between them.
            if next > ratio * (1.0 - GAIN) {
                continue;
            }
            let gap = if i + 1 < rows.len() { ratio / next } else { 1.0 };
            let value = tally.measure_value(measure);
            if value > best.1 + GAIN || (value > best.1 - GAIN && gap > best.2) {
                best = ((ratio.sqrt() * next.sqrt()).clamp(next, ratio), value, gap);
            }
        }
        best.0
    }

    fn with_expected_performance(
        &self,
        (thresholds, value): (Vec<f64>, f64),
    ) -> Result<(Vec<f64>, ClassThresholdPerformance)> {
        let ClassPredictionTotals { truths, right, answers } = self.compute_class_totals(&thresholds)?;
        let weight = |row: usize| argument_checks::weight_or_one(self.weights, row);
        let unit = argument_checks::effective_sample_size((0..self.truth.len()).map(weight))
            / truths.iter().sum::<f64>();
        let proportion =
            |right: f64, whole: f64| (whole > 0.0).then(|| estimate_proportion(right * unit, whole * unit));
        let recall = right.iter().zip(&truths).map(|(&right, &whole)| proportion(right, whole));
        let precision = right.iter().zip(&answers).map(|(&right, &whole)| proportion(right, whole));
        let expected =
            ClassThresholdPerformance { value, recall: recall.collect(), precision: precision.collect() };
        Ok((thresholds, expected))
    }
}

/// Scales thresholds by a power of two so that the largest is above 1/2 and at most 1.
///
/// Multiplication by a power of two causes no rounding error, so ties remain ties.
fn scale_thresholds(thresholds: Vec<f64>) -> Vec<f64> {
    let largest = thresholds.iter().copied().fold(0.0, f64::max);
    let scale = largest.log2().ceil().exp2().recip();
    thresholds.into_iter().map(|threshold| threshold * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{BinaryScore, ZeroDivision};
    use crate::confusion::Average;
    use crate::threshold_sweep::ThresholdSweep;

    const MEASURES: [ThresholdMeasure; 5] = [
        ThresholdMeasure::F1,
        ThresholdMeasure::F2,
        ThresholdMeasure::GMean,
        ThresholdMeasure::Mcc,
        ThresholdMeasure::Youden,
    ];

    fn rows(n: usize, n_rows: usize, seed: u64) -> (Vec<u32>, Vec<f64>, Vec<f64>) {
        let mut state = seed.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3_037_000_493);
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let (mut truth, mut proba, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..n_rows {
            let class = if row < n { row } else { (next(n as u64) * next(2)) as usize };
            let masses: Vec<f64> = (0..n)
                .map(|other| (next(16) + 8 * u64::from(other == class) + 12 * u64::from(other == 0)) as f64)
                .collect();
            let sum: f64 = masses.iter().sum::<f64>().max(1.0);
            proba.extend(masses.iter().map(|p| p / sum));
            truth.push(class as u32);
            weights.push((next(3) + 1) as f64);
        }
        (truth, proba, weights)
    }

    fn value(measure: ThresholdMeasure, confusion: &Confusion) -> f64 {
        let f = |beta| {
            let score = BinaryScore::FBeta(beta);
            confusion
                .average_over_classes(score, Average::Macro, &confusion.present_classes(), ZeroDivision::Zero)
                .unwrap()
        };
        match measure {
            ThresholdMeasure::F1 => f(1.0),
            ThresholdMeasure::F2 => f(2.0),
            ThresholdMeasure::GMean => confusion.g_mean(0.0),
            ThresholdMeasure::Mcc => confusion.mcc(),
            ThresholdMeasure::Youden => confusion.balanced_accuracy(),
        }
    }

    #[test]
    fn no_single_class_can_be_improved_and_the_expected_value_is_the_score() {
        for (n, seed) in [3, 4].into_iter().flat_map(|n| (0..16).map(move |seed| (n, seed))) {
            let (truth, proba, weights) = rows(n, 60, seed);
            let weights = (seed % 2 == 0).then_some(&weights[..]);
            let believed = PredictedRows { truth: &truth, proba: &proba, n_classes: n, weights };
            for measure in MEASURES {
                let (thresholds, expected) =
                    class_thresholds(measure, &truth, &proba, n, weights, RunContext::silent()).unwrap();
                let scored = value(measure, &believed.confusion(&thresholds).unwrap());
                assert!((expected.value - scored).abs() < 1e-12, "{measure:?}");
                for decision in [
                    Decision::Argmax,
                    Decision::Prior(believed.compute_class_totals(&thresholds).unwrap().truths),
                ] {
                    let scale = |prior: Vec<f64>| Decision::Prior(scale_thresholds(prior));
                    let decision =
                        if let Decision::Prior(prior) = decision { scale(prior) } else { decision };
                    let answers = decision.decide(&proba, n).unwrap();
                    let other = Confusion::new(&truth, &answers, n, weights).unwrap();
                    assert!(value(measure, &other) <= scored + 1e-12, "{measure:?} {decision:?}");
                }
                for class in 0..n {
                    for step in -300..300 {
                        let mut other = thresholds.clone();
                        other[class] *= 1.03_f64.powi(step);
                        let other = value(measure, &believed.confusion(&scale_thresholds(other)).unwrap());
                        assert!(other <= scored + 1e-12, "{measure:?}, class {class}: {other} over {scored}");
                    }
                }
            }
        }
    }

    #[test]
    fn of_two_classes_the_balanced_accuracy_is_that_of_the_best_cut() {
        for seed in 0..40 {
            let (truth, proba, _) = rows(2, 50, seed);
            let (_, found) =
                class_thresholds(ThresholdMeasure::Youden, &truth, &proba, 2, None, RunContext::silent())
                    .unwrap();
            let scores: Vec<f64> = proba.chunks_exact(2).map(|row| row[1]).collect();
            let cut = ThresholdSweep::new(&truth, 1, &scores, None).unwrap();
            assert!((found.value - cut.best_threshold(BinaryScore::BalancedAccuracy).1).abs() < 1e-12);
        }
    }

    #[test]
    fn one_class_has_no_thresholds() {
        let found = class_thresholds(ThresholdMeasure::F1, &[1, 1], &[0.5; 6], 3, None, RunContext::silent());
        assert!(matches!(found, Err(Error::Data(_))));
    }
}

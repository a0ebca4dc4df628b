//! Base-rate correction: undoes the shift of mean probabilities caused by an objective.

use crate::boosted::loss::logistic;
use crate::boosted::ranking_loss::{ScoredRow, group_rows_into_score_cells};
use imbcore_core::Result;
use imbcore_metrics::{calibration_line, platt_slope_and_intercept};

const STEPS: usize = 100;
const MOST: f64 = 20.0;

#[derive(Clone)]
pub(crate) struct HeldOutProba {
    pub(crate) classes: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    pub(crate) proba: Vec<f64>,
}

impl HeldOutProba {
    pub(crate) fn concatenate(lists: Vec<Self>) -> Self {
        let mut all = Self { classes: Vec::new(), weights: Vec::new(), proba: Vec::new() };
        for list in lists {
            all.classes.extend(list.classes);
            all.weights.extend(list.weights);
            all.proba.extend(list.proba);
        }
        all
    }

    /// Platt's method with smoothed targets gives a finite result for separated classes.
    pub(crate) fn fit_calibration_line(&self) -> [f64; 2] {
        let ranked = |((&class, &weight), row): ((&u32, &f64), &[f64])| ScoredRow {
            score: row[1].ln() - row[0].ln(),
            weight,
            is_positive: class == 1,
        };
        let rows: Vec<ScoredRow> =
            self.classes.iter().zip(&self.weights).zip(self.proba.chunks_exact(2)).map(ranked).collect();
        let [slope, level] = platt_slope_and_intercept(
            group_rows_into_score_cells(&rows).into_iter().map(|cell| (cell.score, cell.masses)),
        );
        if slope.is_finite() && level.is_finite() { [slope, level] } else { [1.0, 0.0] }
    }

    /// Returns the intercept that makes the mean probability equal the class frequency.
    ///
    /// There are two classes, and their log-odds are first multiplied by `slope`.
    ///
    /// # Errors
    /// The errors of [`calibration_line`], which do not occur for valid probabilities.
    pub(crate) fn base_rate_intercept(&self, slope: f64) -> Result<f64> {
        let scaled = self.apply_calibration_line([slope, 0.0]);
        let p: Vec<f64> = scaled.proba.chunks_exact(2).map(|row| row[1]).collect();
        let level = calibration_line(&scaled.classes, 1, &p, Some(&scaled.weights))?.intercept;
        Ok(if level.is_nan() { 0.0 } else { level })
    }

    pub(crate) fn apply_calibration_line(&self, [slope, level]: [f64; 2]) -> Self {
        let proba = self.proba.chunks_exact(2).flat_map(|row| {
            let log_odds = slope * (row[1].ln() - row[0].ln()) + level;
            [logistic(-log_odds), logistic(log_odds)]
        });
        Self { proba: proba.collect(), classes: self.classes.clone(), weights: self.weights.clone() }
    }

    /// Returns class factors that make the mean probabilities equal the class frequencies.
    ///
    /// The probability of each class is multiplied by the factor of the class, and each row is then
    /// normalized. The factors correspond to the intercepts of a logistic regression without slopes. They are
    /// found by iterative proportional fitting (Deming and Stephan 1940). If two factors would differ by more
    /// than a ratio of [`MOST`], the smaller one is increased, and the means only approach the frequencies.
    pub(crate) fn base_rate_factors(&self, n_classes: usize) -> Vec<f64> {
        let mut factors = vec![1.0; n_classes];
        let mut masses = vec![0.0; n_classes];
        for (&class, weight) in self.classes.iter().zip(&self.weights) {
            masses[class as usize] += weight;
        }
        for _ in 0..STEPS {
            let predicted = self.rescaled_proba_sums(&factors);
            let mut change: f64 = 0.0;
            for ((factor, &mass), predicted) in factors.iter_mut().zip(&masses).zip(predicted) {
                let wanted = if mass > 0.0 && predicted > 0.0 { mass / predicted } else { 1.0 };
                change = change.max((wanted - 1.0).abs());
                *factor *= wanted;
            }
            let largest = factors.iter().copied().fold(0.0, f64::max);
            for factor in &mut factors {
                *factor = (*factor / largest).max(1.0 / MOST);
            }
            if change < 1e-9 {
                break;
            }
        }
        factors
    }

    fn rescaled_proba_sums(&self, factors: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; factors.len()];
        for (row, weight) in self.proba.chunks_exact(factors.len()).zip(&self.weights) {
            let total: f64 = row.iter().zip(factors).map(|(p, factor)| p * factor).sum();
            for ((sum, p), factor) in sums.iter_mut().zip(row).zip(factors) {
                *sum += weight * p * factor / total;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_probabilities_equal_class_frequencies() {
        let classes: Vec<u32> =
            (0..300).map(|row| u32::from(row % 10 == 0) + u32::from(row % 50 == 0)).collect();
        let p = |row: usize| {
            let a = 0.05 + 0.1 * (row % 7) as f64;
            let b = 0.02 + 0.04 * (row % 3) as f64;
            [1.0 - a - b, a, b]
        };
        let held_out =
            HeldOutProba { weights: vec![2.0; 300], proba: (0..300).flat_map(p).collect(), classes };
        let predicted = held_out.rescaled_proba_sums(&held_out.base_rate_factors(3));
        for (predicted, mass) in predicted.iter().zip([540.0, 48.0, 12.0]) {
            assert!((predicted / mass - 1.0).abs() < 1e-6, "{predicted} {mass}");
        }
    }

    #[test]
    fn factors_are_bounded() {
        // Every row has a predicted probability near 1 for class 0, but one in four is of class 1.
        let proba = (0..40).flat_map(|_| [1.0 - 1e-9, 1e-9]).collect();
        let held_out = HeldOutProba {
            classes: (0..40).map(|row| u32::from(row % 4 == 0)).collect(),
            weights: vec![1.0; 40],
            proba,
        };
        assert_eq!(held_out.base_rate_factors(2), [1.0 / 20.0, 1.0]);
    }
}

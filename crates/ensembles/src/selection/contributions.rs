//! Contributions to a probability, from contributions to the values that determine it.
//!
//! A model may be additive in log-odds, scores or uncorrected probabilities instead of probabilities. Each
//! feature then contributes to each of these values.
//!
//! The contribution of a feature to the probability is the sum of its contributions to the values, each
//! multiplied by a mean gradient of the probability. The mean is taken along the straight line from the base
//! values to the values of the row (integrated gradients, Sundararajan, Taly and Yan 2017). With two classes
//! this is the rescale rule of Shrikumar, Greenside and Kundaje (2017).

use imbcore_trees::gauss_legendre;

const POINTS: usize = 64;
/// Up to this change of the log-odds, the slope at the midpoint replaces the mean slope.
const SMALL: f64 = 1e-5;

/// Contributions of features to the values that determine the probabilities of rows.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveContributions<'a> {
    /// For each value that determines the probabilities, the features' contributions to it.
    ///
    /// Each array has the shape `n_rows x n_features`. If there is only one value, it is the log-odds of the
    /// class whose probability is explained.
    pub values: &'a [&'a [f64]],
    /// For each array in `values`, the base value to which its contributions are added.
    pub bases: &'a [f64],
    /// Number of features, at least 1.
    pub n_features: usize,
    /// Factor of the prior correction for each class, if the values are probabilities.
    ///
    /// `None` if the values are scores or log-odds.
    pub factors: Option<&'a [f64]>,
}

impl AdditiveContributions<'_> {
    /// Contributions to the probability of a class, `n_rows x n_features`, and its base value.
    pub fn probability_contributions(&self, class: usize) -> (Vec<f64>, f64) {
        let (n_features, rule) = (self.n_features.max(1), gauss_legendre(POINTS));
        let n_rows = self.values.first().map_or(0, |values| values.len() / n_features);
        let base = self.probability(self.bases, class);
        let mut found = vec![0.0; n_rows * n_features];
        for (row, cells) in found.chunks_exact_mut(n_features).enumerate() {
            let of_row = |values: &&[f64]| values[row * n_features..(row + 1) * n_features].to_vec();
            let parts: Vec<Vec<f64>> = self.values.iter().map(of_row).collect();
            let changes: Vec<f64> = parts.iter().map(|part| part.iter().sum()).collect();
            for (part, slope) in parts.iter().zip(self.mean_probability_gradient(&changes, class, &rule)) {
                cells.iter_mut().zip(part).for_each(|(cell, part)| *cell += slope * part);
            }
            // The contributions must sum to the change of the probability. Each feature gets a part of the
            // integration error, in proportion to its absolute contribution.
            let ends: Vec<f64> =
                self.bases.iter().zip(&changes).map(|(base, change)| base + change).collect();
            let error = self.probability(&ends, class) - base - cells.iter().sum::<f64>();
            let size: f64 = cells.iter().map(|cell| cell.abs()).sum();
            if size > 0.0 {
                for cell in cells {
                    *cell += error * cell.abs() / size;
                }
            }
        }
        (found, base)
    }

    /// Probabilities of all classes, and the sum by which they were divided.
    fn probabilities(&self, numbers: &[f64]) -> (Vec<f64>, f64) {
        let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let masses: Vec<f64> = match self.factors {
            Some(factors) => numbers.iter().zip(factors).map(|(p, factor)| p.max(0.0) * factor).collect(),
            None => numbers.iter().map(|score| (score - largest).exp()).collect(),
        };
        let total: f64 = masses.iter().sum();
        (masses.iter().map(|mass| mass / total).collect(), total)
    }

    fn probability(&self, numbers: &[f64], class: usize) -> f64 {
        if let [log_odds] = *numbers { logistic(log_odds) } else { self.probabilities(numbers).0[class] }
    }

    /// For each value, the mean derivative of the probability of `class` with respect to it.
    ///
    /// The mean is taken on the straight line from the base values to the base values plus `changes`.
    fn mean_probability_gradient(&self, changes: &[f64], class: usize, rule: &[(f64, f64)]) -> Vec<f64> {
        if let ([base], [change]) = (self.bases, changes) {
            let middle = logistic(base + change / 2.0);
            let slope = if change.abs() > SMALL {
                (logistic(base + change) - logistic(*base)) / change
            } else {
                middle * (1.0 - middle)
            };
            return vec![slope];
        }
        let mut mean = vec![0.0; changes.len()];
        for &(point, weight) in rule {
            let numbers: Vec<f64> =
                self.bases.iter().zip(changes).map(|(base, change)| base + point * change).collect();
            let (proba, total) = self.probabilities(&numbers);
            for (other, mean) in mean.iter_mut().enumerate() {
                let own = if other == class { 1.0 } else { 0.0 };
                *mean += weight
                    * match self.factors {
                        Some(factors) => factors[other] * (own - proba[class]) / total,
                        None => proba[class] * (own - proba[other]),
                    };
            }
        }
        mean
    }
}

fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_scores_and_log_odds_agree() {
        let (values, none) = ([1.5, -0.5, 2.0, 0.0, 0.0, 0.0], [0.0; 6]);
        let log_odds =
            AdditiveContributions { values: &[&values], bases: &[-1.0], n_features: 3, factors: None };
        let scores = AdditiveContributions {
            values: &[&none, &values],
            bases: &[0.0, -1.0],
            n_features: 3,
            factors: None,
        };
        let ((one, base), (two, other)) =
            (log_odds.probability_contributions(0), scores.probability_contributions(1));
        assert!((base - other).abs() < 1e-15);
        for (one, two) in one.iter().zip(&two) {
            assert!((one - two).abs() < 1e-12, "{one} {two}");
        }
        assert!((base + one[..3].iter().sum::<f64>() - logistic(2.0)).abs() < 1e-15);
        assert!(one[0] > 0.0 && one[1] < 0.0 && one[3..] == [0.0; 3]);
    }

    #[test]
    fn corrected_probabilities_are_reached() {
        let (values, others) = ([0.2, 0.1], [-0.2, -0.1]);
        let numbers = AdditiveContributions {
            values: &[&others, &values],
            bases: &[0.5, 0.5],
            n_features: 2,
            factors: Some(&[1.9, 0.1]),
        };
        let (found, base) = numbers.probability_contributions(1);
        assert!((base - 0.05).abs() < 1e-15);
        assert!((base + found[0] + found[1] - 0.08 / (0.08 + 0.2 * 1.9)).abs() < 1e-12);
        assert!((found[0] - 2.0 * found[1]).abs() < 1e-12);
    }
}

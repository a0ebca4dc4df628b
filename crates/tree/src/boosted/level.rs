//! Probabilities on the level of the data: what an objective does to shares of classes is undone on rows that tell.

/// Steps towards the level, at most, and what they may change any ratio of probabilities by.
const STEPS: usize = 100;
const MOST: f64 = 20.0;

/// What rows of known classes are said to be.
pub(crate) struct Told {
    pub(crate) classes: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// Row-major.
    pub(crate) proba: Vec<f64>,
}

impl Told {
    /// Factors of the classes after which probabilities are as large on average as the classes are frequent: what a logistic regression
    /// on nothing but a constant would add. They are found by proportional fitting (Deming and Stephan 1940).
    pub(crate) fn factors(&self, n_classes: usize) -> Vec<f64> {
        let mut factors = vec![1.0; n_classes];
        let mut masses = vec![0.0; n_classes];
        for (&class, weight) in self.classes.iter().zip(&self.weights) {
            masses[class as usize] += weight;
        }
        for _ in 0..STEPS {
            let said = self.said(&factors);
            let mut change: f64 = 0.0;
            for ((factor, &mass), said) in factors.iter_mut().zip(&masses).zip(said) {
                let wanted = if mass > 0.0 && said > 0.0 { mass / said } else { 1.0 };
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

    /// Weighted sums of the probabilities times factors.
    fn said(&self, factors: &[f64]) -> Vec<f64> {
        let mut said = vec![0.0; factors.len()];
        for (row, weight) in self.proba.chunks_exact(factors.len()).zip(&self.weights) {
            let total: f64 = row.iter().zip(factors).map(|(p, factor)| p * factor).sum();
            for ((said, p), factor) in said.iter_mut().zip(row).zip(factors) {
                *said += weight * p * factor / total;
            }
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_the_shares_of_the_classes() {
        let classes: Vec<u32> =
            (0..300).map(|row| u32::from(row % 10 == 0) + u32::from(row % 50 == 0)).collect();
        let p = |row: usize| {
            let a = 0.05 + 0.1 * (row % 7) as f64;
            let b = 0.02 + 0.04 * (row % 3) as f64;
            [1.0 - a - b, a, b]
        };
        let told = Told { weights: vec![2.0; 300], proba: (0..300).flat_map(p).collect(), classes };
        let said = told.said(&told.factors(3));
        for (said, mass) in said.iter().zip([540.0, 48.0, 12.0]) {
            assert!((said / mass - 1.0).abs() < 1e-6, "{said} {mass}");
        }
    }

    #[test]
    fn what_rows_cannot_tell_is_held_in_bounds() {
        // Every row is certain, and one in four is wrong.
        let proba = (0..40).flat_map(|_| [1.0 - 1e-9, 1e-9]).collect();
        let told = Told {
            classes: (0..40).map(|row| u32::from(row % 4 == 0)).collect(),
            weights: vec![1.0; 40],
            proba,
        };
        assert_eq!(told.factors(2), [1.0 / 20.0, 1.0]);
    }
}

//! Traits of learning methods and fitted models.

use crate::dataset::Dataset;
use crate::error::Result;
use crate::frame::Frame;
use crate::rng::SeedKey;
use crate::run_context::RunContext;

/// A method with validated parameters, ready to fit.
pub trait Learner: Sync {
    /// Type of the fitted model.
    type Model: Classifier;

    /// Fits one model.
    /// Equal data, key and parameters give equal models for any number of threads.
    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<Self::Model>;
}

/// A fitted model that predicts class probabilities.
pub trait Classifier: Send + Sync {
    /// Number of classes.
    fn n_classes(&self) -> usize;

    /// Class probabilities, row-major `n_rows x n_classes`; every row sums to 1.
    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>>;

    /// The most probable class code of every row, the lowest on ties.
    fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        Ok(self.predict_with_proba(frame, ctl)?.0)
    }

    /// Results of [`Self::predict`] and [`Self::proba`] in one pass.
    /// A model whose predicted class may differ from the most probable class must override this method.
    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        let proba = self.proba(frame, ctl)?;
        Ok((proba.chunks_exact(self.n_classes()).map(index_of_first_largest).collect(), proba))
    }
}

/// Index of the largest value, the first on ties.
pub fn index_of_first_largest(values: &[f64]) -> u32 {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if value.total_cmp(&values[best]).is_gt() {
            best = index;
        }
    }
    best as u32
}

#[cfg(test)]
mod tests {
    use super::index_of_first_largest;

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(index_of_first_largest(&[0.2, 0.4, 0.4]), 1);
        assert_eq!(index_of_first_largest(&[0.5, 0.5]), 0);
    }
}

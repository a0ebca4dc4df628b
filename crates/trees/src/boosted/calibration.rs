//! Predictions for training and held-out rows, which are used to correct base rates.

use crate::boosted::base_rate_correction::HeldOutProba;
use crate::boosted::booster::Booster;
use imbcore_core::Result;

pub(crate) struct InnerFoldModels<'t> {
    pub(crate) predictions: HeldOutProba,
    pub(crate) boosters: Vec<Booster<'t>>,
    pub(crate) share: f64,
    /// Whether held-out rows are later in time than the training rows.
    pub(crate) is_later: bool,
}

pub(crate) struct CalibrationData<'t> {
    pub(crate) trained: HeldOutProba,
    pub(crate) held_out: Option<InnerFoldModels<'t>>,
}

impl InnerFoldModels<'_> {
    /// Estimates a statistic of the full model's predictions for new rows.
    ///
    /// `trained` is the statistic on the training rows of the full model. The fold models give a difference:
    /// the statistic on all held-out rows, minus the mean over the fold models of the statistic on their
    /// training rows. The result is `trained + difference * sqrt(share)`, where `share` is the fraction of
    /// rows on which fold models are trained. The square root is used because errors of estimates are
    /// proportional to `1 / sqrt(number of rows)`.
    ///
    /// If held-out rows are later than training rows, the difference also contains changes of class
    /// frequencies over time. Such changes do not apply to a model trained on all rows, so the result is then
    /// `trained`.
    fn extrapolate_statistic(
        &self,
        trained: f64,
        statistic: impl Fn(&HeldOutProba) -> Result<f64>,
    ) -> Result<f64> {
        if self.is_later {
            return Ok(trained);
        }
        let mut fold_trained = 0.0;
        for booster in &self.boosters {
            fold_trained += statistic(&booster.predictions(true))?;
        }
        let fold_trained = fold_trained / self.boosters.len() as f64;
        Ok(trained + self.share.sqrt() * (statistic(&self.predictions)? - fold_trained))
    }
}

impl CalibrationData<'_> {
    /// Returns class factors that make mean probabilities of new rows match class frequencies.
    ///
    /// # Errors
    /// No errors occur for valid probabilities.
    pub(crate) fn base_rate_factors(&self, n_classes: usize) -> Result<Vec<f64>> {
        let trained = self.trained.base_rate_factors(n_classes);
        let Some(held_out) = &self.held_out else { return Ok(trained) };
        let factor_of_class = |(class, factor): (usize, f64)| {
            Ok(held_out
                .extrapolate_statistic(factor.ln(), |predictions| {
                    Ok(predictions.base_rate_factors(n_classes)[class].ln())
                })?
                .exp())
        };
        trained.into_iter().enumerate().map(factor_of_class).collect()
    }

    /// Returns the slope and intercept that map ranking scores of two classes to log-odds.
    /// The slope is 1 if no rows were held out.
    ///
    /// # Errors
    /// No errors occur for valid probabilities.
    pub(crate) fn fit_calibration_line(&self) -> Result<[f64; 2]> {
        let Some(held_out) = &self.held_out else { return Ok([1.0, self.trained.base_rate_intercept(1.0)?]) };
        let [slope, _] = held_out.predictions.fit_calibration_line();
        Ok([
            slope,
            held_out.extrapolate_statistic(self.trained.base_rate_intercept(slope)?, |predictions| {
                predictions.base_rate_intercept(slope)
            })?,
        ])
    }
}

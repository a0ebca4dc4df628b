//! What the level of a model's probabilities is told by: rows that trained it, and rows that inner folds held out.

use crate::boosted::level::Told;
use crate::boosted::rounds::Booster;
use imbcore_base::Result;

/// Rows that inner folds held out.
pub(crate) struct HeldOut<'t> {
    /// What the models of the folds say of them.
    pub(crate) told: Told,
    /// Those models.
    pub(crate) boosters: Vec<Booster<'t>>,
    /// The share of all rows that trained each.
    pub(crate) share: f64,
}

/// Rows that tell the level of a model.
pub(crate) struct Evidence<'t> {
    /// Those that trained it.
    pub(crate) trained: Told,
    pub(crate) held_out: Option<HeldOut<'t>>,
}

impl HeldOut<'_> {
    /// Of something that is told by rows, what it is for new rows of a model of all rows, whose own rows tell `trained`: as much more as rows that are held
    /// out tell more than those that trained, of models of a share of the rows. These are further off, and what models are off falls about as the
    /// root of the number of rows, as errors of estimates do.
    fn carried(&self, trained: f64, of: impl Fn(&Told) -> Result<f64>) -> Result<f64> {
        let mut own = 0.0;
        for booster in &self.boosters {
            own += of(&booster.told(true))?;
        }
        let own = own / self.boosters.len() as f64;
        Ok(trained + self.share.sqrt() * (of(&self.told)? - own))
    }
}

impl Evidence<'_> {
    /// Factors of the classes that bring probabilities to the level of the data.
    ///
    /// # Errors
    /// None for probabilities.
    pub(crate) fn factors(&self, n_classes: usize) -> Result<Vec<f64>> {
        let trained = self.trained.factors(n_classes);
        let Some(held_out) = &self.held_out else { return Ok(trained) };
        let of_class = |(class, factor): (usize, f64)| {
            Ok(held_out.carried(factor.ln(), |told| Ok(told.factors(n_classes)[class].ln()))?.exp())
        };
        trained.into_iter().enumerate().map(of_class).collect()
    }

    /// The line from scores of two classes that only rank to log-odds; its slope is 1 where no rows were held out.
    ///
    /// # Errors
    /// None for probabilities.
    pub(crate) fn line(&self) -> Result<[f64; 2]> {
        let Some(held_out) = &self.held_out else { return Ok([1.0, self.trained.level(1.0)?]) };
        let [slope, _] = held_out.told.line();
        Ok([slope, held_out.carried(self.trained.level(slope)?, |told| told.level(slope))?])
    }
}

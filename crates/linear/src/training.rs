//! Training rows, and their encoding.

use crate::design::Design;
use crate::encoding::TableEncoding;
use crate::lbfgs::{HessianCache, MinimizationResult, minimize};
use crate::model::ScorePredictor;
use crate::objective::Objective;
use crate::params::LogisticParams;
use imbcore_core::{Dataset, Result, RunContext};

/// Training rows with positive weight, and their weights.
#[derive(Clone, Debug)]
pub(crate) struct TrainingRows<'t, 'd> {
    pub(crate) params: &'t LogisticParams,
    pub(crate) data: &'t Dataset<'d>,
    pub(crate) rows: Vec<u32>,
    pub(crate) weights: Vec<f64>,
}

impl<'t, 'd> TrainingRows<'t, 'd> {
    pub(crate) fn new(
        params: &'t LogisticParams,
        data: &'t Dataset<'d>,
        class_weight: Option<&[f64]>,
    ) -> Self {
        let weight = |row: usize| {
            data.weight(row) * class_weight.map_or(1.0, |weights| weights[data.class_codes()[row] as usize])
        };
        let rows: Vec<u32> =
            (0..data.n_rows()).filter(|&row| weight(row) > 0.0).map(|row| row as u32).collect();
        let weights = rows.iter().map(|&row| weight(row as usize)).collect();
        Self { params, data, rows, weights }
    }

    pub(crate) fn select_rows(&self, places: &[u32]) -> Self {
        let rows = places.iter().map(|&place| self.rows[place as usize]).collect();
        let weights = places.iter().map(|&place| self.weights[place as usize]).collect();
        Self { params: self.params, data: self.data, rows, weights }
    }

    /// Fits the encoding of the columns to the rows, and encodes the rows.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub(crate) fn encode(&self, ctl: RunContext<'_>) -> Result<EncodedTraining> {
        let frame = self.data.frame();
        let encoding = TableEncoding::fit(self.params, frame, (&self.rows, &self.weights), ctl)?;
        let mut position = vec![u32::MAX; self.data.n_classes()];
        for &row in &self.rows {
            position[self.data.class_codes()[row as usize] as usize] = 0;
        }
        let present: Vec<u32> =
            (0..position.len() as u32).filter(|&class| position[class as usize] == 0).collect();
        (0..).zip(&present).for_each(|(at, &class)| position[class as usize] = at);
        let classes = self.rows.iter().map(|&row| position[self.data.class_codes()[row as usize] as usize]);
        let labels = (classes.collect(), self.weights.clone());
        let design = Design::new(&encoding, frame, &self.rows, labels, ctl)?;
        Ok(EncodedTraining { encoding, design, present })
    }
}

#[derive(Debug)]
pub(crate) struct EncodedTraining {
    pub(crate) encoding: TableEncoding,
    pub(crate) design: Design,
    pub(crate) present: Vec<u32>,
}

impl EncodedTraining {
    pub(crate) fn objective_for_penalty(&self, value: f64) -> Objective<'_> {
        let n_scores = if self.present.len() == 2 { 1 } else { self.present.len() };
        Objective { encoding: &self.encoding, design: &self.design, n_scores, penalty: value.recip() }
    }

    pub(crate) fn initial_coefficients(&self) -> Vec<f64> {
        let objective = self.objective_for_penalty(1.0);
        let mut masses = vec![0.0; self.present.len()];
        for (&class, weight) in self.design.classes.iter().zip(&self.design.weights) {
            masses[class as usize] += weight;
        }
        let logs: Vec<f64> = masses.iter().map(|mass: &f64| mass.ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let mut coefficients = vec![0.0; objective.n_scores * objective.n_coefficients_per_score()];
        for (score, of_score) in
            coefficients.chunks_exact_mut(objective.n_coefficients_per_score()).enumerate()
        {
            of_score[0] = if logs.len() == 2 { logs[1] - logs[0] } else { logs[score] - mean };
        }
        coefficients
    }

    /// Minimizes the log loss with the penalty for C = `value`.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub(crate) fn minimize(
        &self,
        value: f64,
        start: Vec<f64>,
        accuracy: f64,
        cache: &mut HessianCache,
        ctl: RunContext<'_>,
    ) -> Result<MinimizationResult> {
        let objective = self.objective_for_penalty(value);
        let mut minimum = minimize(&objective, start, accuracy, cache, ctl)?;
        // The mean intercept is subtracted: a number added to all intercepts changes no probability.
        let stride = objective.n_coefficients_per_score();
        if objective.n_scores > 1 {
            let mean = minimum.coefficients.iter().step_by(stride).sum::<f64>() / objective.n_scores as f64;
            minimum.coefficients.iter_mut().step_by(stride).for_each(|intercept| *intercept -= mean);
        }
        Ok(minimum)
    }

    pub(crate) fn predictor(&self, coefficients: &[f64], n_classes: usize) -> ScorePredictor {
        ScorePredictor::new(self.encoding.clone(), self.present.clone(), n_classes, coefficients.to_vec())
    }
}

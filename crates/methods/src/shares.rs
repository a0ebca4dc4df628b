//! Shares of the classes that a model's probabilities speak of: those of training, and those it was adapted to.
//!
//! A model knows the shares of its training, and where it has out-of-bag answers how it confuses the classes. Adapted probabilities
//! are multiplied by the new over the old shares (Saerens, Latinne and Decaestecker 2002, eq. 2.4).

use crate::fitted::Fitted;
use imbcore_base::{Dataset, Error, PriorShift, Result, first_largest};
use imbcore_eval::{Drift, answered_by_growth, ratios, reweigh};
use serde::{Deserialize, Serialize};

/// Shares of the classes that a model's probabilities speak of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shares {
    /// In training; none in files that say nothing of them.
    pub(crate) known: Vec<f64>,
    /// Rows of each class answered as each by models that did not see them, as [`answered_by_growth`]; none where unknown.
    pub(crate) confused: Vec<f64>,
    /// What they are now, where the model was adapted.
    pub(crate) adapted: Option<Adapted>,
}

/// What a model was adapted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adapted {
    /// How the shares were estimated: "em", "bbse", or "given".
    pub method: String,
    /// Rows they were estimated from.
    pub n_rows: usize,
    /// Shares of the classes in training.
    pub before: Vec<f64>,
    /// Shares of the classes now.
    #[serde(flatten)]
    pub now: Drift,
}

impl Shares {
    /// Of a model fitted to rows with these weights of their classes.
    pub(crate) fn of_fit(fitted: &Fitted, data: &Dataset<'_>, class_weight: Option<&[f64]>) -> Result<Self> {
        let mut masses = data.class_masses();
        // Probabilities of forests that are recalibrated speak of the data, all others of what weighed in training.
        let of_data = fitted.forest().is_some_and(|forest| forest.recalibration().is_some());
        if let Some(weights) = class_weight.filter(|_| !of_data) {
            for (mass, weight) in masses.iter_mut().zip(weights) {
                *mass *= weight;
            }
        }
        let total: f64 = masses.iter().sum();
        let known: Vec<f64> = masses.iter().map(|mass| mass / total).collect();
        let confused = match fitted.out_of_bag() {
            Some(answers) => {
                answered_by_growth(&answers.decision, Some(data.classes()), &known, data.weights())?
            }
            None => Vec::new(),
        };
        Ok(Self { known, confused, adapted: None })
    }

    /// What a file holds, if it can be right.
    pub(crate) fn checked(self, n_classes: usize) -> Result<Self> {
        let shares =
            |law: &[f64]| law.len() == n_classes && law.iter().all(|share| (0.0..=1.0).contains(share));
        let counts = self.confused.iter().all(|count| *count >= 0.0 && count.is_finite());
        let adapted = self.adapted.as_ref().is_none_or(|to| {
            shares(&to.before) && shares(&to.now.prior) && shares(&to.now.low) && shares(&to.now.high)
        });
        let known = self.known.is_empty() && self.confused.is_empty() && self.adapted.is_none();
        if known
            || shares(&self.known)
                && counts
                && adapted
                && [0, n_classes * n_classes].contains(&self.confused.len())
        {
            return Ok(self);
        }
        Err(Error::damaged("the shares of its classes are impossible"))
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.known.is_empty()
    }

    pub(crate) fn adapted(&self) -> Option<&Adapted> {
        self.adapted.as_ref()
    }

    /// Shares that the model's answers speak of now.
    pub(crate) fn now(&self) -> &[f64] {
        self.adapted.as_ref().map_or(&self.known, |to| &to.now.prior)
    }

    /// What probabilities are multiplied by, before they are brought back to a sum of 1, where the model was adapted to other shares.
    pub(crate) fn factors(&self) -> Option<Vec<f64>> {
        let now = &self.adapted.as_ref()?.now.prior;
        (*now != self.known).then(|| ratios(now, &self.known))
    }

    /// Brings row-major probabilities to the shares of now.
    pub(crate) fn apply(&self, proba: &mut [f64]) {
        if let Some(to) = &self.adapted {
            reweigh(proba, &self.known, &to.now.prior);
        }
    }
}

/// Most probable classes of an adapted model: where answers are those of votes that were recalibrated, the votes as they move with
/// the shares.
pub(crate) fn most_probable(proba: &[f64], recalibration: Option<&PriorShift>, n_classes: usize) -> Vec<u32> {
    let votes = |row: &[f64]| match recalibration {
        None => first_largest(row),
        Some(shift) => {
            first_largest(&row.iter().zip(shift.factors()).map(|(p, factor)| p / factor).collect::<Vec<_>>())
        }
    };
    proba.chunks_exact(n_classes).map(votes).collect()
}

//! Class proportions that a model's probabilities refer to.
//!
//! These are the proportions in training, or those to which the model was adapted.
//!
//! A model stores the class proportions in training. A model with out-of-bag predictions also stores the
//! confusion matrix of these predictions. An adapted model multiplies the probability of each class by the
//! ratio of its new to its old proportion and renormalizes (Saerens, Latinne and Decaestecker 2002, eq. 2.4).

use crate::fitted::FittedEstimator;
use imbcore_core::{Dataset, Error, PriorShift, Result, RowGroups, index_of_first_largest};
use imbcore_metrics::{PriorEstimate, confusion_of_prior_ratio_rule, elementwise_ratios, reweight_by_priors};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassPriors {
    /// Class proportions in training; empty if the model file lacks them.
    ///
    /// The probabilities of the model before an adaptation refer to them.
    pub(crate) known: Vec<f64>,
    /// Confusion matrix of the out-of-bag predictions; empty if the model has none.
    ///
    /// It is computed by [`confusion_of_prior_ratio_rule`].
    pub(crate) confused: Vec<f64>,
    pub(crate) adapted: Option<PriorAdaptation>,
    /// Number of groups in the training rows of a forest; 0 if the rows have no groups.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) n_groups: usize,
    /// Sum of the row weights in training; without weights, each row has weight 1.
    ///
    /// None if the model file lacks the sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) training_mass: Option<f64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // The signature that serde expects.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Adaptation of a model to new class proportions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorAdaptation {
    /// Estimation method: "em", "bbse", or "given".
    pub method: String,
    /// Number of new rows that the caller passed for the adaptation.
    pub n_rows: usize,
    /// Class proportions in training.
    pub before: Vec<f64>,
    /// New class proportions, to which the model was adapted.
    #[serde(flatten)]
    pub now: PriorEstimate,
}

impl ClassPriors {
    pub(crate) fn from_fit(
        fitted: &FittedEstimator,
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
    ) -> Result<Self> {
        let mut masses = data.class_masses();
        let training_mass = Some(masses.iter().sum());
        // Forests with prior correction return probabilities for the class proportions of the data. The
        // probabilities of other models are for the proportions after multiplication by the class weights.
        let of_data = fitted.forest().is_some_and(|forest| forest.prior_correction().is_some());
        if let Some(weights) = class_weight.filter(|_| !of_data) {
            for (mass, weight) in masses.iter_mut().zip(weights) {
                *mass *= weight;
            }
        }
        let total: f64 = masses.iter().sum();
        let known: Vec<f64> = masses.iter().map(|mass| mass / total).collect();
        let confused = match fitted.out_of_bag() {
            Some(answers) => confusion_of_prior_ratio_rule(
                &answers.decision,
                Some(data.class_codes()),
                &known,
                data.weights(),
            )?,
            None => Vec::new(),
        };
        let groups = data.dependence().groups().filter(|_| fitted.forest().is_some());
        let n_groups = groups.map_or(0, |codes| RowGroups::new(codes.iter().copied()).n_groups());
        Ok(Self { known, confused, adapted: None, n_groups, training_mass })
    }

    pub(crate) fn validated(self, n_classes: usize) -> Result<Self> {
        let shares =
            |proba: &[f64]| proba.len() == n_classes && proba.iter().all(|share| (0.0..=1.0).contains(share));
        let counts = self.confused.iter().all(|count| *count >= 0.0 && count.is_finite());
        let adapted = self.adapted.as_ref().is_none_or(|to| {
            shares(&to.before) && shares(&to.now.prior) && shares(&to.now.low) && shares(&to.now.high)
        });
        let is_empty = self.known.is_empty() && self.confused.is_empty() && self.adapted.is_none();
        if is_empty
            || shares(&self.known)
                && counts
                && adapted
                && [0, n_classes * n_classes].contains(&self.confused.len())
                && self.training_mass.is_none_or(|mass| mass > 0.0 && mass.is_finite())
        {
            return Ok(self);
        }
        Err(Error::damaged("its class proportions are invalid"))
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.known.is_empty()
    }

    pub(crate) fn prior_adaptation(&self) -> Option<&PriorAdaptation> {
        self.adapted.as_ref()
    }

    /// Class proportions that the probabilities of the model refer to.
    pub(crate) fn current_priors(&self) -> &[f64] {
        self.adapted.as_ref().map_or(&self.known, |to| &to.now.prior)
    }

    /// Ratio of new to old proportion of each class; `None` if the proportions did not change.
    pub(crate) fn prior_ratios(&self) -> Option<Vec<f64>> {
        let now = &self.adapted.as_ref()?.now.prior;
        (*now != self.known).then(|| elementwise_ratios(now, &self.known))
    }

    pub(crate) fn adapt_proba(&self, proba: &mut [f64]) {
        if let Some(to) = &self.adapted {
            reweight_by_priors(proba, &self.known, &to.now.prior);
        }
    }
}

/// Most probable class of each row for an adapted model, from its row-major probabilities.
///
/// A forest with prior correction predicts the class with the most votes. Its probabilities are votes times
/// the factors in `recalibration`. Division by the factors gives the votes, corrected only for the
/// adaptation.
pub(crate) fn most_probable(proba: &[f64], recalibration: Option<&PriorShift>, n_classes: usize) -> Vec<u32> {
    let votes = |row: &[f64]| match recalibration {
        None => index_of_first_largest(row),
        Some(shift) => index_of_first_largest(
            &row.iter().zip(shift.factors()).map(|(p, factor)| p / factor).collect::<Vec<_>>(),
        ),
    };
    proba.chunks_exact(n_classes).map(votes).collect()
}

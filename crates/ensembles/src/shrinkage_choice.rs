//! Amount of hierarchical shrinkage of a forest.

use serde::{Deserialize, Serialize};

/// Amount of hierarchical shrinkage chosen on held-out rows, with their mean log losses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShrinkageChoice {
    /// Amount, as a number of rows of mean weight.
    pub amount: f64,
    /// Log loss with this amount.
    pub log_loss: f64,
    /// Log loss of the class proportions of the training rows.
    pub prior_log_loss: f64,
    /// Number of held-out rows.
    pub n_rows: usize,
    /// Whether the best amount is better than the class proportions.
    ///
    /// Its log loss must be lower by at least one standard error. Otherwise the largest amount is chosen.
    pub beats_prior: bool,
}

impl ShrinkageChoice {
    /// Whether values from an untrusted file are possible.
    pub(crate) fn is_valid(&self) -> bool {
        let Self { amount, log_loss, prior_log_loss, .. } = *self;
        [amount, log_loss, prior_log_loss].iter().all(|value| value.is_finite() && *value >= 0.0)
    }
}

/// Rows and shrinkage of trees.
#[derive(Clone, Copy)]
pub(crate) struct TreeOptions<'p> {
    /// Whether each row of the table may be used; `None` if all may.
    pub(crate) trains: Option<&'p [bool]>,
    /// Amount of hierarchical shrinkage.
    pub(crate) shrinkage: f64,
}

//! Amount of hierarchical shrinkage of a forest.

use imbcore_metrics::SignalEvidence;
use serde::{Deserialize, Serialize};

/// Hierarchical shrinkage chosen on held-out rows, and the held-out loss of the forest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShrinkageChoice {
    /// Amount of shrinkage; its unit is one training row of mean weight.
    pub amount: f64,
    /// Factor for the predictions' deviations from the class proportions, at most 1.
    ///
    /// It is 1 if the log loss of the forest is more than one standard error below that of the class
    /// proportions.
    pub scale: f64,
    /// Comparison of the forest with the class proportions of the training rows.
    ///
    /// The log loss is that of the scaled predictions. Scaled predictions count as better than the class
    /// proportions only if the unscaled predictions are better.
    pub evidence: SignalEvidence,
}

impl ShrinkageChoice {
    pub(crate) fn is_valid(&self) -> bool {
        self.amount.is_finite()
            && self.amount >= 0.0
            && (0.0..=1.0).contains(&self.scale)
            && self.evidence.is_valid()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct TreeGrowthOptions<'p> {
    /// For each row, whether trees may train on it; `None` if they may train on all rows.
    pub(crate) trains: Option<&'p [bool]>,
    pub(crate) amount: f64,
    /// Factor for the deviations of leaf probabilities from the class proportions.
    pub(crate) scale: f64,
}

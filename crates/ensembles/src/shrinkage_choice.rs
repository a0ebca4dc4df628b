//! Amount of hierarchical shrinkage of a forest.

use imbcore_metrics::SignalEvidence;
use serde::{Deserialize, Serialize};

/// Hierarchical shrinkage chosen on held-out rows, with their mean log losses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShrinkageChoice {
    /// Amount, as a number of rows of mean weight.
    pub amount: f64,
    /// Factor of the deviations from the class proportions, at most 1.
    ///
    /// It is 1 if the amount beats the class proportions.
    pub scale: f64,
    /// Comparison of the forest with the class proportions of the training rows.
    ///
    /// The log loss includes the scale. The forest with the scale counts as better than the class proportions
    /// only if it is better without the scale.
    pub evidence: SignalEvidence,
}

impl ShrinkageChoice {
    /// Whether values from an untrusted file are possible.
    pub(crate) fn is_valid(&self) -> bool {
        self.amount.is_finite()
            && self.amount >= 0.0
            && (0.0..=1.0).contains(&self.scale)
            && self.evidence.is_valid()
    }
}

/// Rows and shrinkage of trees.
#[derive(Clone, Copy)]
pub(crate) struct TreeOptions<'p> {
    /// Whether each row of the table may be used; `None` if all rows may be used.
    pub(crate) trains: Option<&'p [bool]>,
    /// Amount of hierarchical shrinkage.
    pub(crate) amount: f64,
    /// Factor of the deviations from the class proportions.
    pub(crate) scale: f64,
}

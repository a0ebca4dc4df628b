//! By what the threshold of a model was chosen.

use imbcore_base::Asked;
use imbcore_eval::Expected;
use serde::{Deserialize, Serialize};

/// Where the rows came from that a threshold was chosen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Inner folds: each row was answered by a model of the other folds.
    OutOfFold,
    /// Each row was answered by the members whose bags it is not in.
    OutOfBag,
    /// Rows that the model was not fitted to.
    HeldOut,
    /// Rows without labels, by probabilities that were adapted to the shares of their classes.
    Adapted,
}

/// By what a threshold was chosen, and what to expect of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// The goal.
    pub goal: Asked,
    /// On which rows.
    pub source: Source,
    /// How many rows.
    pub n_rows: usize,
    /// How many of them are positive.
    pub n_positives: usize,
    /// Probability that the goal is met on rows to come, where it is promised.
    pub confidence: Option<f64>,
    /// What the threshold does on these rows.
    pub expected: Expected,
}

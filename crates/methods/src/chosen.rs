//! By what the threshold of a model was chosen, and on what its probabilities were calibrated.

use imbcore_base::{Asked, CalibrationMethod};
use imbcore_eval::{Calibration, Expected, ExpectedByClass};
use serde::{Deserialize, Serialize};

/// Where the rows came from that a threshold was chosen on, or probabilities were calibrated on.
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
    /// How many of them are positive, of two classes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub n_positives: Option<usize>,
    /// Probability that the goal is met on rows to come, where it is promised.
    pub confidence: Option<f64>,
    /// What the threshold does on these rows.
    pub expected: Expectation,
}

/// What a threshold of two classes, or those of several, do on the rows that they were chosen on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Expectation {
    Positive(Expected),
    ByClass(ExpectedByClass),
}

/// Curves that calibrate the probabilities of a model, and what they rest on.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    /// The curves.
    pub curves: Calibration,
    /// What they rest on.
    pub facts: CalibrationFacts,
}

/// On what probabilities were calibrated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationFacts {
    /// By which method.
    pub method: CalibrationMethod,
    /// On which rows.
    pub source: Source,
    /// How many rows of weight.
    pub n_rows: usize,
    /// How many of them are of each class, in the order of the classes.
    pub rows_by_class: Vec<usize>,
}

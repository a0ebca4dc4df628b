//! Records of how a threshold was chosen and how probabilities were calibrated.

use imbcore_core::{CalibrationMethod, GoalSpec};
use imbcore_metrics::{Calibration, ExpectedByClass, ExpectedPerformance};
use serde::{Deserialize, Serialize};

/// Origin of the rows that a threshold was chosen on, or probabilities were calibrated on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PredictionSource {
    /// Inner folds: each row is predicted by a model of the other folds.
    OutOfFold,
    /// Each row is predicted by the members whose bags do not contain it.
    OutOfBag,
    /// Rows that the model was not fitted to.
    HeldOut,
    /// Rows without labels, using probabilities adapted to their class proportions.
    Adapted,
}

/// Record of a tuned threshold, with its expected performance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedThreshold {
    /// The goal.
    pub goal: GoalSpec,
    /// Origin of the rows.
    pub source: PredictionSource,
    /// Number of rows.
    pub n_rows: usize,
    /// Number of positive rows, for two classes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub n_positives: Option<usize>,
    /// Probability that the goal is met on new rows, if it has a guarantee.
    pub confidence: Option<f64>,
    /// Assumption of the guarantee, if the rows have groups or times.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub assumes: Option<String>,
    /// Performance of the threshold on these rows.
    pub expected: TuningPerformance,
    /// Performance of the threshold on a random row of a random group, if the rows have groups.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected_by_group: Option<ExpectedPerformance>,
}

/// Performance of one threshold, or of one per class, on the rows used to choose it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum TuningPerformance {
    Positive(ExpectedPerformance),
    ByClass(ExpectedByClass),
}

/// Calibration curves of a model, and the rows they were fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedCalibration {
    /// The curves.
    pub curves: Calibration,
    /// Method and rows.
    pub facts: CalibrationStats,
}

/// Method and rows of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationStats {
    /// Calibration method.
    pub method: CalibrationMethod,
    /// Origin of the rows.
    pub source: PredictionSource,
    /// Number of rows with positive weight.
    pub n_rows: usize,
    /// Number of calibration rows per class, in the order of the classes.
    pub rows_by_class: Vec<usize>,
}

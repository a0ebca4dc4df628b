//! Records of how a threshold was chosen and how probabilities were calibrated.

use imbcore_core::{CalibrationMethod, GoalSpec};
use imbcore_metrics::{Calibration, ClassThresholdPerformance, ExpectedPerformance};
use serde::{Deserialize, Serialize};

/// Method that computed the predictions on which a threshold or a calibration is based.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PredictionSource {
    /// Inner cross-validation: a row is predicted by a model that was not fitted to its fold.
    ///
    /// With times, the models are fitted to earlier rows only, and the earliest rows are not predicted.
    OutOfFold,
    /// Each row is predicted by the ensemble members whose bags do not contain the row.
    OutOfBag,
    /// The model predicts rows that were held out of its fit.
    HeldOut,
    /// The adapted model predicts the new rows from which its class proportions come.
    Adapted,
}

/// Record of a tuned threshold, with its expected performance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedThreshold {
    /// Goal for which the threshold was chosen.
    pub goal: GoalSpec,
    /// Origin of the predictions.
    pub source: PredictionSource,
    /// Number of rows on which the threshold was chosen.
    pub n_rows: usize,
    /// Number of positive rows on which the threshold was chosen; None for several classes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub n_positives: Option<usize>,
    /// Probability that the goal is met on new rows; None for a goal without a guarantee.
    pub confidence: Option<f64>,
    /// Assumption of the guarantee about groups or times of rows; None without them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub assumes: Option<String>,
    /// Performance of the threshold on the rows on which it was chosen.
    pub expected: TuningPerformance,
    /// Performance on a random row of a random group; `None` if the rows have no groups.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected_by_group: Option<ExpectedPerformance>,
}

/// Performance of a tuned threshold, or of one per class, on the rows used to choose it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum TuningPerformance {
    Positive(ExpectedPerformance),
    ByClass(ClassThresholdPerformance),
}

/// Calibration curves of a model, and a record of the rows to which they were fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedCalibration {
    /// The curves.
    pub curves: Calibration,
    /// Record of how the curves were fitted.
    pub facts: CalibrationRecord,
}

/// Calibration method, and a record of the rows to which the calibration was fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationRecord {
    /// Calibration method.
    pub method: CalibrationMethod,
    /// Origin of the predictions.
    pub source: PredictionSource,
    /// Number of calibration rows with positive weight.
    pub n_rows: usize,
    /// Number of calibration rows per class, in the order of the classes.
    pub rows_by_class: Vec<usize>,
}

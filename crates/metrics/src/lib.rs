//! Classification scores, curves, imbalance measures, stratified folds, comparison tests.
//!
//! Labels are class codes. Decision scores are numbers that increase with the probability of the positive
//! class. Every row may have a weight. A metric that is undefined for the data, such as the AUC with a single
//! class, is NaN. Invalid data, such as NaN scores or unequal lengths, are an error.
//!
//! ```
//! use imbcore_metrics::{BinaryScore, Confusion, ThresholdSweep, ZeroDivision};
//!
//! let truth = [0, 0, 0, 1];
//! let confusion = Confusion::new(&truth, &[0, 0, 1, 1], 2, None)?;
//! assert_eq!(BinaryScore::Precision.compute(confusion.one_vs_rest(1)?, ZeroDivision::Zero), 0.5);
//! let sweep = ThresholdSweep::new(&truth, 1, &[0.1, 0.2, 0.7, 0.6], None)?;
//! assert_eq!(sweep.auc(), 2.0 / 3.0);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod alert_periods;
mod bayesian;
mod binary;
mod calibrate;
mod check;
mod choice;
mod class_thresholds;
mod conformal;
mod confusion;
mod curves;
mod cv_splits;
mod drift;
mod evaluator;
mod folds;
mod goal;
mod group_losses;
mod group_performance;
mod groups;
mod guarantee;
mod held_out;
mod held_out_rows;
mod hodges_lehmann;
mod hull;
mod imbalance;
mod left_out;
mod losses;
mod multiclass;
mod probability;
mod ranked;
mod recalibration;
mod reliability;
mod resampled;
mod scores;
mod signal;
mod summary;
mod tails;
mod thinned;
mod threshold;
mod time_splits;
mod total_costs;
mod unlabelled;

pub use alert_periods::{AlertEstimate, AlertRows};
pub use bayesian::{EquivalenceProbabilities, Posterior, bayesian_signed_rank};
pub use binary::{BinaryScore, Counts, ZeroDivision, f_of_rates};
pub use calibrate::{Calibration, sigmoid_line};
pub use choice::{ChoiceRule, SettingChoice, choose};
pub use class_thresholds::{ExpectedByClass, class_thresholds};
pub use conformal::{
    Conformal, conformal_answers, conformal_sets, cross_coverage, miss_level, rows_needed, too_few,
};
pub use confusion::{Average, Confusion, Normalize, power_mean};
pub use curves::{PrPoint, RocPoint, ThresholdSweep};
pub use cv_splits::{CvSplits, SplitStrategy, fewest_groups};
pub use drift::{
    PriorEstimate, answered_by_growth, bbse_prior, choose_threshold_unlabeled, em_prior, ratios, reweigh,
};
pub use evaluator::{CostMatrices, Evaluator};
pub use folds::{block_folds, stratified_folds, stratified_split};
pub use goal::{ExpectedPerformance, ProportionEstimate};
pub use group_losses::check_group_sizes;
pub use guarantee::{FoundThreshold, meet, performance_at};
pub use held_out::{HeldOutSplit, assumption};
pub use held_out_rows::{HeldOutGroups, HeldOutRows, one_row_per_group};
pub use hodges_lehmann::{Interval, TestMethod, hodges_lehmann, hodges_lehmann_interval};
pub use hull::Hull;
pub use imbalance::{
    class_counts, coefficient_of_variation, entropy_deficit, imbalance_ratio, minority_fraction,
};
pub use imbcore_core::TimeGap;
pub use left_out::{JackknifeConformal, left_out_coverage, left_out_scores, members_drawn};
pub use multiclass::{
    ClassWeighting, class_mean, hand_till, mean_roc, micro_sweep, one_vs_rest_auc,
    one_vs_rest_average_precision, wauroc,
};
pub use probability::{brier, brier_by_class, brier_multiclass, log_loss, with_complement};
pub use ranked::{AucRegion, GainSlice};
pub use recalibration::{CalibrationLine, calibration_line};
pub use reliability::{
    Binning, BrierParts, CalibrationBin, CalibrationErrors, brier_parts, calibration_bins,
    calibration_errors, class_bins, class_errors,
};
pub use resampled::{
    Alternative, CorrectedT, MeanInterval, PairedComparison, bayesian_t, corrected_interval, corrected_pairs,
    corrected_t,
};
pub use scores::{EvaluatedPredictions, SCORE_NAMES, ScoreKind, scores};
pub use signal::{LossDifferences, SignalEvidence};
pub use summary::{MeanAndSd, answered, spread};
pub use thinned::{CurvePoint, DownsampledCurve, HistogramBin};
pub use total_costs::CostSummary;
pub use unlabelled::{label_frequency, positive_proba, unlabelled_weights};

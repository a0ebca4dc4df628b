//! Classification scores, curves, imbalance measures, stratified folds, comparison tests.
//!
//! Labels are class codes. Decision scores are numbers that increase with the probability of the positive
//! class. Every row may have a weight. Most metrics that are undefined for the data, such as the AUC with a
//! single class, are NaN. Invalid data, such as NaN scores or unequal lengths, are an error.
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
mod argument_checks;
mod bayesian;
mod binary;
mod calibrate;
mod class_thresholds;
mod conformal;
mod confusion;
mod corrected_t;
mod cv_splits;
mod downsampled_curve;
mod evaluator;
mod goal;
mod group_losses;
mod group_performance;
mod grouped_folds;
mod guarantee;
mod held_out_rows;
mod held_out_split;
mod hodges_lehmann;
mod hull;
mod imbalance;
mod jackknife_conformal;
mod losses;
mod multiclass;
mod positive_unlabelled;
mod prior_estimate;
mod probability;
mod recalibration;
mod reliability;
mod score_scale;
mod scores;
mod setting_choice;
mod signal_evidence;
mod stratified_folds;
mod summary;
mod tails;
mod threshold;
mod threshold_sweep;
mod time_splits;
mod top_k;
mod total_costs;

pub use alert_periods::{AlertEstimate, RowTimesAndGroups};
pub use bayesian::{EquivalenceProbabilities, SignedRankPosteriorParams, bayesian_signed_rank};
pub use binary::{BinaryScore, Counts, ZeroDivision, f_beta_from_rates};
pub use calibrate::{Calibration, platt_slope_and_intercept};
pub use class_thresholds::{ClassThresholdPerformance, class_thresholds};
pub use conformal::{
    Conformal, conformal_sets, cross_conformal_coverage, level_for_miss_rate, min_calibration_rows,
    predict_conformal_classes, too_few_rows_error,
};
pub use confusion::{Average, Confusion, Normalize, power_mean};
pub use corrected_t::{
    Alternative, CorrectedT, MeanInterval, PairedComparison, bayesian_t, compare_paired_scores,
    corrected_interval, corrected_t,
};
pub use cv_splits::{CvSplits, LatestFolds, SplitStrategy, min_groups_per_class};
pub use downsampled_curve::{DownsampledThresholds, HistogramBin, ThresholdConfusion};
pub use evaluator::{CostMatrices, Evaluator};
pub use goal::{ExpectedPerformance, ProportionEstimate};
pub use group_losses::check_group_sizes;
pub use guarantee::{FoundThreshold, find_threshold, performance_at_threshold};
pub use held_out_rows::{HeldOutGroups, HeldOutRows, draw_one_row_per_group};
pub use held_out_split::{HeldOutSplit, guarantee_assumption_text};
pub use hodges_lehmann::{Interval, SignedRankMethod, hodges_lehmann, hodges_lehmann_interval};
pub use hull::Hull;
pub use imbalance::{
    class_counts, coefficient_of_variation, entropy_deficit, imbalance_ratio, minority_fraction,
};
pub use imbcore_core::TimeGap;
pub use jackknife_conformal::{JackknifeConformal, draw_member_count, jackknife_coverage, jackknife_scores};
pub use multiclass::{
    ClassWeighting, hand_till_auc, macro_average_roc, mean_over_classes, micro_average_sweep,
    one_vs_rest_auc, one_vs_rest_average_precision, wauroc,
};
pub use positive_unlabelled::{estimate_label_frequency, positive_proba, positive_proba_if_unlabelled};
pub use prior_estimate::{
    PriorEstimate, choose_threshold_unlabeled, confusion_of_prior_ratio_rule, elementwise_ratios,
    estimate_prior_bbse, estimate_prior_em, reweight_by_priors,
};
pub use probability::{brier, brier_by_class, brier_multiclass, log_loss, with_complement};
pub use recalibration::{CalibrationLine, calibration_line};
pub use reliability::{
    Binning, BrierParts, CalibrationBin, CalibrationErrors, brier_parts, calibration_bins,
    calibration_bins_per_class, calibration_errors, class_calibration_errors,
};
pub use score_scale::ScoreScaleMap;
pub use scores::{ClassifierOutput, EvaluatedPredictions, SCORE_NAMES, scores};
pub use setting_choice::{ChoiceRule, SettingChoice, choose_setting};
pub use signal_evidence::{LossDifferences, SignalEvidence};
pub use stratified_folds::{stratified_block_folds, stratified_folds, stratified_split};
pub use summary::{MeanAndSd, mean_and_sd, weighted_fraction};
pub use threshold_sweep::{PrPoint, RocPoint, ThresholdSweep};
pub use top_k::{AucRegion, GainSlice};
pub use total_costs::CostSummary;

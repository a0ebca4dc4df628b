//! Scores of class predictions and rankings that `evaluate` reports.

use crate::argument_checks;
use crate::binary::{BinaryScore, ZeroDivision};
use crate::confusion::{Average, Confusion};
use crate::multiclass::{ClassWeighting, mean_over_classes, one_vs_rest_average_precision, wauroc};
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::{Error, Result};

/// Names of the scores, in the order in which [`scores`] returns them.
pub const SCORE_NAMES: [&str; 11] = [
    "accuracy",
    "precision",
    "recall",
    "specificity",
    "npv",
    "f1",
    "g_mean",
    "balanced_accuracy",
    "mcc",
    "roc_auc",
    "average_precision",
];

/// Confidence output of a classifier.
#[derive(Clone, Copy, Debug)]
pub enum ClassifierOutput<'a> {
    /// Class probabilities, row-major, one column per class.
    Proba(&'a [f64]),
    /// One number per row, larger for the positive class.
    Scores(&'a [f64]),
    /// The classifier predicts labels only.
    Unknown,
}

/// Predictions of a classifier for rows with known classes.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedPredictions<'a> {
    /// True class codes.
    pub truth: &'a [u32],
    /// Predicted class codes.
    pub predicted: &'a [u32],
    /// Scores or probabilities, if the classifier has any.
    pub belief: ClassifierOutput<'a>,
    /// Number of classes.
    pub n_classes: usize,
    /// Row weights.
    pub weights: Option<&'a [f64]>,
}

/// Computes every score of [`SCORE_NAMES`], in that order.
///
/// If there are two classes, precision, recall, F1 and average precision are those of class `positive`.
/// Specificity and negative predictive value are those of the other class. The AUC is computed from the
/// scores of class `positive`.
///
/// If there are more classes, these scores are means over the classes that have rows, each against all
/// others. The AUC is weighted by prevalence (WAUROC).
///
/// If a classifier never predicts a class, the precision of the class is 0.
///
/// Undefined scores are NaN:
/// - the scores of class `positive`, if it has no rows;
/// - specificity and negative predictive value, if no other class has rows;
/// - the negative predictive value of two classes, if the classifier always predicts `positive`;
/// - scores that compare two classes, if only one class has rows;
/// - scores that need probabilities or decision values, if the classifier has none.
///
/// # Errors
/// [`Error::Data`] for wrong sizes, class codes or weights, fewer than two classes, or probabilities that are
/// not finite.
pub fn scores(answers: &EvaluatedPredictions<'_>, positive: u32) -> Result<Vec<(&'static str, f64)>> {
    let EvaluatedPredictions { truth, predicted, n_classes, weights, .. } = *answers;
    if n_classes < 2 {
        return Err(Error::Data(format!("scores need at least 2 classes, got {n_classes}")));
    }
    argument_checks::check_class(positive, n_classes)?;
    let confusion = Confusion::new(truth, predicted, n_classes, weights)?;
    let classes = if n_classes == 2 { vec![positive] } else { confusion.present_classes() };
    let macro_mean =
        |score| confusion.average_over_classes(score, Average::Macro, &classes, ZeroDivision::Zero);
    // If a binary classifier never predicts negative, its negative predictive value is NaN, because a value
    // of 0 would mean that all its negative predictions are wrong. Precision is 0 by convention if no row is
    // predicted positive.
    let no_negatives = if n_classes == 2 { ZeroDivision::Nan } else { ZeroDivision::Zero };
    let npv = confusion.average_over_classes(BinaryScore::Npv, Average::Macro, &classes, no_negatives)?;
    let (auc, average_precision) = auc_and_average_precision(answers, positive)?;
    let present = confusion.present_classes();
    let has_positives = present.contains(&positive) || n_classes > 2;
    let has_both = present.len() > 1;
    let has_negatives = if n_classes == 2 { present.contains(&(1 - positive)) } else { has_both };
    let defined = |known: bool, value: f64| if known { value } else { f64::NAN };
    let values = [
        confusion.accuracy(),
        defined(has_positives, macro_mean(BinaryScore::Precision)?),
        defined(has_positives, macro_mean(BinaryScore::Recall)?),
        defined(has_negatives, macro_mean(BinaryScore::Specificity)?),
        defined(has_negatives, npv),
        defined(has_positives, macro_mean(BinaryScore::FBeta(1.0))?),
        defined(has_both, confusion.g_mean(0.0)),
        defined(has_both, confusion.balanced_accuracy()),
        defined(has_both, confusion.mcc()),
        auc,
        defined(has_positives, average_precision),
    ];
    Ok(SCORE_NAMES.into_iter().zip(values).collect())
}

fn auc_and_average_precision(answers: &EvaluatedPredictions<'_>, positive: u32) -> Result<(f64, f64)> {
    let EvaluatedPredictions { truth, belief, n_classes, weights, .. } = *answers;
    let of_column = |scores: &[f64]| {
        let sweep = ThresholdSweep::new(truth, positive, scores, weights)?;
        Ok((sweep.auc(), sweep.average_precision()))
    };
    match belief {
        ClassifierOutput::Proba(proba) => {
            argument_checks::check_matrix_size(proba, truth.len(), n_classes)?;
            argument_checks::check_scores_finite(proba)?;
            if n_classes == 2 {
                return of_column(&extract_class_column(proba, n_classes, positive));
            }
            let areas = one_vs_rest_average_precision(truth, proba, n_classes, weights)?;
            let mean = mean_over_classes(&areas, truth, weights, ClassWeighting::Equal)?;
            Ok((wauroc(truth, proba, n_classes, weights)?, mean))
        }
        ClassifierOutput::Scores(scores) if n_classes == 2 => of_column(scores),
        ClassifierOutput::Scores(_) | ClassifierOutput::Unknown => Ok((f64::NAN, f64::NAN)),
    }
}

pub(crate) fn extract_class_column(proba: &[f64], n_classes: usize, class: u32) -> Vec<f64> {
    proba.iter().skip(class as usize).step_by(n_classes).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(answers: &EvaluatedPredictions<'_>, positive: u32, name: &str) -> f64 {
        let table = scores(answers, positive).unwrap();
        table.into_iter().find(|(known, _)| *known == name).unwrap().1
    }

    #[test]
    fn two_classes_are_scored_by_the_positive_one() {
        let answers = EvaluatedPredictions {
            truth: &[0, 0, 0, 1],
            predicted: &[0, 0, 1, 1],
            belief: ClassifierOutput::Proba(&[0.9, 0.1, 0.8, 0.2, 0.3, 0.7, 0.4, 0.6]),
            n_classes: 2,
            weights: None,
        };
        let names: Vec<&str> = scores(&answers, 1).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, SCORE_NAMES);
        let of = |positive| SCORE_NAMES.map(|name| value(&answers, positive, name));
        let g_mean = (2.0_f64 / 3.0).sqrt();
        let mcc = 2.0 / 12.0_f64.sqrt();
        let expected = [0.75, 0.5, 1.0, 2.0 / 3.0, 1.0, 2.0 / 3.0, g_mean, 5.0 / 6.0, mcc, 2.0 / 3.0, 0.5];
        for (name, (found, expected)) in SCORE_NAMES.iter().zip(of(1).iter().zip(expected)) {
            assert!((found - expected).abs() < 1e-15, "{name}: {found}");
        }
        // If the other class is positive, precision and NPV are exchanged, and so are recall and specificity.
        assert_eq!(&of(0)[1..5], [1.0, 2.0 / 3.0, 1.0, 0.5]);
    }

    #[test]
    fn several_classes_are_averaged_over_those_present() {
        let answers = EvaluatedPredictions {
            truth: &[0, 0, 1, 1],
            predicted: &[0, 2, 1, 1],
            belief: ClassifierOutput::Proba(&[0.8, 0.1, 0.1, 0.2, 0.2, 0.6, 0.1, 0.8, 0.1, 0.1, 0.9, 0.0]),
            n_classes: 3,
            weights: None,
        };
        assert_eq!(value(&answers, 0, "recall"), 0.75);
        assert_eq!(value(&answers, 0, "precision"), 1.0);
        assert_eq!(value(&answers, 0, "specificity"), 1.0);
        assert_eq!(value(&answers, 0, "npv"), f64::midpoint(2.0 / 3.0, 1.0));
        assert_eq!(value(&answers, 0, "balanced_accuracy"), 0.75);
        assert_eq!((value(&answers, 0, "roc_auc"), value(&answers, 0, "average_precision")), (1.0, 1.0));
    }

    #[test]
    fn a_class_without_rows_leaves_its_scores_undefined() {
        let answers = EvaluatedPredictions {
            truth: &[0, 0],
            predicted: &[0, 0],
            belief: ClassifierOutput::Proba(&[0.9, 0.1, 0.8, 0.2]),
            n_classes: 2,
            weights: None,
        };
        assert!(value(&answers, 1, "roc_auc").is_nan());
        assert_eq!(value(&answers, 1, "accuracy"), 1.0);
        // No row is positive, and no row is predicted positive. The following scores are NaN instead of 0,
        // because the predictions have no error.
        for name in ["precision", "recall", "f1", "average_precision", "g_mean", "balanced_accuracy", "mcc"] {
            assert!(value(&answers, 1, name).is_nan(), "{name}");
        }
        assert_eq!((value(&answers, 0, "recall"), value(&answers, 0, "f1")), (1.0, 1.0));
        // For class 1 as positive, both rows are negative. For class 0 as positive, no row is negative.
        assert_eq!((value(&answers, 1, "specificity"), value(&answers, 1, "npv")), (1.0, 1.0));
        assert!(value(&answers, 0, "specificity").is_nan() && value(&answers, 0, "npv").is_nan());
        // No row is predicted negative.
        let always = EvaluatedPredictions { truth: &[0, 1], predicted: &[1, 1], ..answers };
        assert!(value(&always, 1, "npv").is_nan());
        let weightless = EvaluatedPredictions { weights: Some(&[0.0, 0.0]), ..answers };
        assert!(value(&weightless, 1, "accuracy").is_nan());
        assert_eq!(
            scores(
                &EvaluatedPredictions {
                    truth: &[0],
                    predicted: &[0],
                    belief: ClassifierOutput::Proba(&[0.9, 0.1]),
                    ..answers
                },
                1
            )
            .unwrap()
            .len(),
            11
        );
    }

    #[test]
    fn invalid_predictions_are_errors() {
        let good = EvaluatedPredictions {
            truth: &[0, 1],
            predicted: &[0, 1],
            belief: ClassifierOutput::Proba(&[0.9, 0.1, 0.2, 0.8]),
            n_classes: 2,
            weights: None,
        };
        assert!(scores(&good, 2).is_err());
        assert!(scores(&EvaluatedPredictions { n_classes: 1, ..good }, 0).is_err());
        assert!(
            scores(&EvaluatedPredictions { belief: ClassifierOutput::Proba(&[0.9, 0.1, 0.2]), ..good }, 1)
                .is_err()
        );
        assert!(
            scores(
                &EvaluatedPredictions { belief: ClassifierOutput::Proba(&[0.9, f64::NAN, 0.2, 0.8]), ..good },
                1
            )
            .is_err()
        );
        assert!(scores(&EvaluatedPredictions { predicted: &[0], ..good }, 1).is_err());
        assert!(scores(&EvaluatedPredictions { weights: Some(&[1.0, -1.0]), ..good }, 1).is_err());
    }

    #[test]
    fn scores_that_are_no_probabilities_rank_and_nothing_ranks_without() {
        let sure = EvaluatedPredictions {
            truth: &[0, 0, 1],
            predicted: &[0, 1, 1],
            belief: ClassifierOutput::Scores(&[-3.0, 5.0, 4.0]),
            n_classes: 2,
            weights: None,
        };
        assert_eq!((value(&sure, 1, "roc_auc"), value(&sure, 1, "average_precision")), (0.5, 0.5));
        let silent = EvaluatedPredictions { belief: ClassifierOutput::Unknown, ..sure };
        assert!(value(&silent, 1, "roc_auc").is_nan() && value(&silent, 1, "average_precision").is_nan());
        assert_eq!(value(&silent, 1, "recall"), 1.0);
    }
}

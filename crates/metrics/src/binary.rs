//! Confusion counts of one class against the rest, and the scores computed from them.

use imbcore_core::{Error, Result, unknown_name_error};

/// Value of a score whose denominator is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ZeroDivision {
    /// A score with the denominator 0 is 0, the usual convention.
    #[default]
    Zero,
    /// A score with the denominator 0 is 1.
    One,
    /// A score with the denominator 0 is NaN.
    ///
    /// [`crate::Confusion::average_over_classes`] leaves a class whose score is NaN out of the mean.
    Nan,
}

impl ZeroDivision {
    /// Converts 0, 1 or NaN to the variant that uses this value for 0/0.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless `value` is 0, 1 or NaN.
    pub fn from_value(value: f64) -> Result<Self> {
        match value {
            0.0 => Ok(Self::Zero),
            1.0 => Ok(Self::One),
            value if value.is_nan() => Ok(Self::Nan),
            value => Err(Error::parameter("metrics", "zero_division", "0, 1 or NaN", value)),
        }
    }

    /// The convention as a number.
    pub fn value(self) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::One => 1.0,
            Self::Nan => f64::NAN,
        }
    }

    fn ratio(self, numerator: f64, denominator: f64) -> f64 {
        if denominator > 0.0 { numerator / denominator } else { self.value() }
    }
}

/// Confusion counts, as weights of rows; one class is positive, all other classes negative.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Counts {
    /// Positive rows predicted positive.
    pub tp: f64,
    /// Positive rows predicted negative.
    pub fn_: f64,
    /// Negative rows predicted positive.
    pub fp: f64,
    /// Negative rows predicted negative.
    pub tn: f64,
}

impl Counts {
    /// Weight of all rows.
    pub fn total(self) -> f64 {
        self.tp + self.fn_ + self.fp + self.tn
    }

    /// Whether all predictions are the same class.
    pub fn has_single_predicted_class(self) -> bool {
        self.tp + self.fp == 0.0 || self.fn_ + self.tn == 0.0
    }

    /// Sum of two sets of confusion counts, for micro averages.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tp: self.tp + other.tp,
            fn_: self.fn_ + other.fn_,
            fp: self.fp + other.fp,
            tn: self.tn + other.tn,
        }
    }
}

/// A score of binary predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BinaryScore {
    /// Fraction of correct predictions; NaN without rows.
    Accuracy,
    /// Mean of recall and specificity.
    BalancedAccuracy,
    /// Square root of recall times specificity (Kubat and Matwin 1997).
    GMean,
    /// tp / (tp + fp), the positive predictive value.
    Precision,
    /// tp / (tp + fn), sensitivity, the true positive rate.
    Recall,
    /// tn / (tn + fp), the true negative rate.
    Specificity,
    /// tn / (tn + fn), the negative predictive value.
    Npv,
    /// Weighted harmonic mean of precision and recall.
    ///
    /// `beta` above 1 favors recall (van Rijsbergen 1979).
    FBeta(f64),
    /// Correlation of true and predicted class; 0 if either is constant (Matthews 1975).
    Mcc,
}

impl BinaryScore {
    /// Returns the score with this name; `beta` is used only for the F-beta score, "f".
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest names; [`Error::Parameter`] for a negative or NaN `beta`.
    pub fn parse(name: &str, beta: f64) -> Result<Self> {
        const NAMES: [&str; 11] = [
            "accuracy",
            "balanced_accuracy",
            "g_mean",
            "precision",
            "recall",
            "specificity",
            "npv",
            "f",
            "f1",
            "f2",
            "mcc",
        ];
        Ok(match name {
            "accuracy" => Self::Accuracy,
            "balanced_accuracy" => Self::BalancedAccuracy,
            "g_mean" => Self::GMean,
            "precision" => Self::Precision,
            "recall" => Self::Recall,
            "specificity" => Self::Specificity,
            "npv" => Self::Npv,
            "f" if beta >= 0.0 => Self::FBeta(beta),
            "f" => return Err(Error::parameter("metrics", "beta", "at least 0", beta)),
            "f1" => Self::FBeta(1.0),
            "f2" => Self::FBeta(2.0),
            "mcc" => Self::Mcc,
            _ => return Err(unknown_name_error("metric", name, NAMES)),
        })
    }

    /// Computes the score from the counts `c`; `empty` is the value of 0/0.
    ///
    /// Two scores ignore `empty`: if their denominator is 0, the accuracy is NaN, and the correlation is 0.
    pub fn compute(self, c: Counts, empty: ZeroDivision) -> f64 {
        match self {
            Self::Accuracy => ZeroDivision::Nan.ratio(c.tp + c.tn, c.total()),
            Self::BalancedAccuracy => {
                f64::midpoint(Self::Recall.compute(c, empty), Self::Specificity.compute(c, empty))
            }
            Self::GMean => (Self::Recall.compute(c, empty) * Self::Specificity.compute(c, empty)).sqrt(),
            Self::Precision => empty.ratio(c.tp, c.tp + c.fp),
            Self::Recall => empty.ratio(c.tp, c.tp + c.fn_),
            Self::Specificity => empty.ratio(c.tn, c.tn + c.fp),
            Self::Npv => empty.ratio(c.tn, c.tn + c.fn_),
            // For infinite `beta`, the formula of the next case would be infinity over infinity. Its limit is
            // recall.
            Self::FBeta(f64::INFINITY) => Self::Recall.compute(c, empty),
            Self::FBeta(beta) => {
                let square = beta * beta;
                let hits = (1.0 + square) * c.tp;
                empty.ratio(hits, hits + square * c.fn_ + c.fp)
            }
            Self::Mcc => {
                let sides = [c.tp + c.fp, c.tp + c.fn_, c.tn + c.fp, c.tn + c.fn_];
                // Square roots are taken first, because the product of four large counts may overflow.
                let scale: f64 = sides.iter().map(|side| side.sqrt()).product();
                if sides.contains(&0.0) { 0.0 } else { (c.tp * c.tn - c.fp * c.fn_) / scale }
            }
        }
    }
}

/// Computes `F_beta` from precision and recall; NaN if either is NaN or both are 0.
///
/// For finite positive `beta`, it differs from [`BinaryScore::FBeta`], which is computed from the counts,
/// only in these NaN cases. A classifier without a true positive has the value 0 by the counts, but NaN by
/// this function. Park and Ghosh 2012 report such values as "nan".
pub fn f_beta_from_rates(precision: f64, recall: f64, beta: f64) -> f64 {
    let square = beta * beta;
    (1.0 + square) * precision * recall / (square * precision + recall)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: Counts = Counts { tp: 6.0, fn_: 2.0, fp: 4.0, tn: 12.0 };

    fn score(name: &str, counts: Counts) -> f64 {
        BinaryScore::parse(name, 2.0).unwrap().compute(counts, ZeroDivision::Zero)
    }

    #[test]
    fn hand_worked_scores() {
        assert_eq!(score("accuracy", SOME), 0.75);
        assert_eq!(score("precision", SOME), 0.6);
        assert_eq!(score("recall", SOME), 0.75);
        assert_eq!(score("specificity", SOME), 0.75);
        assert_eq!(score("npv", SOME), 12.0 / 14.0);
        assert_eq!(score("f1", SOME), 12.0 / 18.0);
        assert_eq!(score("f", SOME), 30.0 / 42.0);
        assert_eq!(score("balanced_accuracy", SOME), 0.75);
        assert_eq!(score("g_mean", SOME), 0.75);
        assert!((score("mcc", SOME) - 64.0 / 17920.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn empty_denominators_follow_the_convention() {
        let none_positive = Counts { fn_: 2.0, tn: 3.0, ..Counts::default() };
        let precision = |zero| BinaryScore::Precision.compute(none_positive, zero);
        assert_eq!(precision(ZeroDivision::Zero), 0.0);
        assert_eq!(precision(ZeroDivision::One), 1.0);
        assert!(precision(ZeroDivision::Nan).is_nan());
        assert_eq!(score("f1", none_positive), 0.0);
        assert_eq!(score("mcc", none_positive), 0.0);
        assert!(BinaryScore::Accuracy.compute(Counts::default(), ZeroDivision::Zero).is_nan());
        assert_eq!(ZeroDivision::from_value(1.0), Ok(ZeroDivision::One));
        assert_eq!(ZeroDivision::from_value(f64::NAN), Ok(ZeroDivision::Nan));
        assert!(ZeroDivision::from_value(0.5).is_err());
    }

    #[test]
    fn beta_moves_f_from_precision_to_recall() {
        let skewed = Counts { tp: 1.0, fn_: 3.0, fp: 0.0, tn: 5.0 };
        let f = |beta| BinaryScore::FBeta(beta).compute(skewed, ZeroDivision::Zero);
        assert_eq!(f(0.0), 1.0);
        assert_eq!(f(f64::INFINITY), 0.25);
        assert!(f(0.5) > f(1.0) && f(1.0) > f(2.0));
        assert!((f_beta_from_rates(1.0, 0.25, 2.0) - f(2.0)).abs() < 1e-15);
        assert!(f_beta_from_rates(0.0, 0.0, 1.0).is_nan());
        assert!(BinaryScore::parse("f", -1.0).is_err() && BinaryScore::parse("f", f64::NAN).is_err());
    }

    #[test]
    fn mcc_of_large_counts_does_not_overflow() {
        let large = Counts { tp: 1e100, fn_: 0.0, fp: 0.0, tn: 1e100 };
        assert!((score("mcc", large) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_unknown_metric_suggests_the_nearest() {
        assert!(BinaryScore::parse("gmean", 1.0).unwrap_err().to_string().contains("`g_mean`"));
    }
}

//! Values of scores and split criteria at the points of the ROC square.
//!
//! The contour lines of these values are isometrics (Flach 2003).

use imbcore_core::{Error, Result, unknown_name_error};
use imbcore_criteria::{AnyCriterion, BranchMasses, Criterion, CriterionVisitor, DataProperties, NodeScorer};
use imbcore_metrics::{BinaryScore, Counts, ZeroDivision};

const SCORES: [&str; 10] = [
    "accuracy",
    "balanced_accuracy",
    "g_mean",
    "precision",
    "recall",
    "specificity",
    "npv",
    "f1",
    "f2",
    "mcc",
];

/// A score or split criterion, with a value at each point (fpr, tpr) of the ROC square.
///
/// The value also depends on the skew c, the number of negative rows per positive row.
#[derive(Clone, Debug, PartialEq)]
pub enum IsometricQuantity {
    /// Score of a classifier with these rates.
    Score(BinaryScore),
    /// Weighted relative accuracy, `4 c / (1 + c)^2 (tpr - fpr)`, where c is the skew.
    WeightedRelativeAccuracy,
    /// Value of a split criterion for the split into predicted positives and predicted negatives.
    ///
    /// Gini and DKM are doubled, so that a perfect split of equal classes has the value 1, as with entropy in
    /// bits (Flach 2003). Hellinger is the distance, not the squared distance. Other criteria are not scaled.
    Split(AnyCriterion),
}

impl IsometricQuantity {
    /// Parses JSON text: a name, or an object for a criterion with options.
    ///
    /// The name is that of a score or of a split criterion.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown name; [`Error::Parameter`] if an option of a criterion has an
    /// invalid value.
    pub fn from_json(text: &str) -> Result<Self> {
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|e| Error::Internal(format!("invalid JSON of a quantity: {e}")))?;
        if let Some(name) = value.as_str() {
            if name == "wracc" {
                return Ok(Self::WeightedRelativeAccuracy);
            }
            if SCORES.contains(&name) {
                return Ok(Self::Score(BinaryScore::parse(name, 1.0)?));
            }
            if !AnyCriterion::NAMES.contains(&name) {
                let known = SCORES.iter().chain(["wracc"].iter()).chain(AnyCriterion::NAMES).copied();
                return Err(unknown_name_error("quantity", name, known));
            }
        }
        if value["name"] == "f_beta" {
            return parse_f_beta(&value);
        }
        let criterion: AnyCriterion = serde_json::from_value(value.clone()).map_err(|error| {
            Error::parameter("isometrics", "quantity", &format!("a score or a criterion ({error})"), &value)
        })?;
        criterion.accept(CriterionCheck)?;
        Ok(Self::Split(criterion))
    }

    /// Values at the points (`fpr[i]`, `tpr[i]`); NaN where a score is undefined.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless `skew` is positive and finite; [`Error::Data`] for unequal lengths or
    /// rates outside [0, 1].
    pub fn values(&self, skew: f64, fpr: &[f64], tpr: &[f64]) -> Result<Vec<f64>> {
        if !(skew > 0.0 && skew.is_finite()) {
            return Err(Error::parameter("isometrics", "skew", "positive and finite", skew));
        }
        if fpr.len() != tpr.len() {
            return Err(Error::Data(format!("fpr has {} values, but tpr has {}", fpr.len(), tpr.len())));
        }
        if let Some(rate) = fpr.iter().chain(tpr).find(|rate| !(0.0..=1.0).contains(*rate)) {
            return Err(Error::Data(format!("rates must lie in [0, 1]; one is {rate}")));
        }
        Ok(match self {
            Self::Score(score) => evaluate_points(skew, fpr, tpr, |c| score.compute(c, ZeroDivision::Nan)),
            Self::WeightedRelativeAccuracy => {
                let scale = 4.0 * skew / (1.0 + skew).powi(2);
                fpr.iter().zip(tpr).map(|(f, t)| scale * (t - f)).collect()
            }
            Self::Split(criterion) => {
                criterion.accept(CriterionValuesVisitor { skew, fpr, tpr, name: criterion.name() })
            }
        })
    }
}

fn parse_f_beta(value: &serde_json::Value) -> Result<IsometricQuantity> {
    let fields = value.as_object().map_or(0, serde_json::Map::len);
    match value["beta"].as_f64() {
        Some(beta) if fields == 2 && beta > 0.0 => Ok(IsometricQuantity::Score(BinaryScore::FBeta(beta))),
        _ => {
            let expected = "for \"f_beta\" a dict with \"beta\", a number above 0, and its name";
            Err(Error::parameter("isometrics", "quantity", expected, value))
        }
    }
}

impl IsometricQuantity {
    /// For each skew, the mean absolute difference between the values at this skew and at skew 1.
    ///
    /// For skew c, this is the mean of `|q_c / max q_c - q_1 / max q_1|`, where `q_c` is the quantity at skew
    /// c. The mean is over those points of a grid of `points` by `points` at which both terms are defined. It
    /// is 0 if a change of the skew multiplies all values by the same factor.
    ///
    /// # Errors
    /// Same errors as [`IsometricQuantity::values`]; [`Error::Parameter`] for fewer than two points.
    pub fn skew_sensitivity(&self, skews: &[f64], points: u32) -> Result<Vec<f64>> {
        if points < 2 {
            return Err(Error::parameter("skew_sensitivity", "points", "at least 2", points));
        }
        let axis: Vec<f64> = (0..points).map(|i| f64::from(i) / f64::from(points - 1)).collect();
        let tpr: Vec<f64> = axis.iter().flat_map(|&t| vec![t; axis.len()]).collect();
        let fpr: Vec<f64> = axis.iter().flat_map(|_| axis.iter().copied()).collect();
        let scaled = |skew: f64| -> Result<Vec<f64>> {
            let values = self.values(skew, &fpr, &tpr)?;
            let most = values.iter().copied().fold(f64::NAN, f64::max);
            Ok(values.into_iter().map(|value| value / most).collect())
        };
        let even = scaled(1.0)?;
        let distance = |&skew: &f64| -> Result<f64> {
            let (mut sum, mut n) = (0.0, 0.0);
            for (a, b) in scaled(skew)?.iter().zip(&even).filter(|(a, b)| !a.is_nan() && !b.is_nan()) {
                sum += (a - b).abs();
                n += 1.0;
            }
            Ok(sum / n)
        };
        skews.iter().map(distance).collect()
    }
}

/// Values of the function `worth` at all points.
///
/// The argument of `worth` is the confusion counts as fractions of all rows.
fn evaluate_points(skew: f64, fpr: &[f64], tpr: &[f64], mut worth: impl FnMut(Counts) -> f64) -> Vec<f64> {
    let (positives, negatives) = (1.0 / (1.0 + skew), skew / (1.0 + skew));
    let counts = |(&f, &t): (&f64, &f64)| Counts {
        tp: positives * t,
        fn_: positives * (1.0 - t),
        fp: negatives * f,
        tn: negatives * (1.0 - f),
    };
    fpr.iter().zip(tpr).map(|point| worth(counts(point))).collect()
}

struct CriterionCheck;

impl CriterionVisitor for CriterionCheck {
    type Out = Result<()>;

    fn visit<C: Criterion>(self, criterion: &C) -> Result<()> {
        criterion.check(DataProperties { n_classes: 2, multiway: false })
    }
}

struct CriterionValuesVisitor<'a> {
    skew: f64,
    fpr: &'a [f64],
    tpr: &'a [f64],
    name: &'static str,
}

impl CriterionVisitor for CriterionValuesVisitor<'_> {
    type Out = Vec<f64>;

    fn visit<C: Criterion>(self, criterion: &C) -> Vec<f64> {
        let mut node = criterion.node_scorer(&[self.skew / (1.0 + self.skew), 1.0 / (1.0 + self.skew)]);
        evaluate_points(self.skew, self.fpr, self.tpr, |c| {
            let score = node.score(BranchMasses::new(&[c.fp, c.tp, c.tn, c.fn_], 2));
            match self.name {
                "gini" | "dkm" => 2.0 * score,
                "hellinger" => score.sqrt(),
                _ => score,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(quantity: &str, skew: f64, fpr: f64, tpr: f64) -> f64 {
        IsometricQuantity::from_json(&format!("\"{quantity}\""))
            .unwrap()
            .values(skew, &[fpr], &[tpr])
            .unwrap()[0]
    }

    #[test]
    fn a_perfect_split_of_equal_classes_is_worth_one() {
        for name in ["gini", "entropy", "dkm", "accuracy", "precision", "f1", "wracc"] {
            assert!((value(name, 1.0, 0.0, 1.0) - 1.0).abs() < 1e-15, "{name}");
        }
        assert!((value("hellinger", 1.0, 0.0, 1.0) - 2.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn every_criterion_has_a_surface_that_vanishes_on_the_diagonal() {
        for name in AnyCriterion::NAMES {
            assert!(value(name, 7.0, 0.3, 0.3).abs() < 1e-12, "{name}");
            assert!(value(name, 7.0, 0.1, 0.6) > 1e-3, "{name}");
        }
    }

    #[test]
    fn lines_of_an_f_score_meet_left_of_the_square() {
        // F-beta with beta = b has the same value at all points of a line through (-b^2 / c, 0) (Flach 2003).
        let (b, c) = (2.0, 5.0);
        let f = IsometricQuantity::from_json(r#"{"name": "f_beta", "beta": 2}"#).unwrap();
        let on_the_line = |fpr: f64| 0.4 * (fpr + b * b / c) / (0.1 + b * b / c);
        let found = f.values(c, &[0.0, 0.1, 0.6], &[0.0, 0.1, 0.6].map(on_the_line)).unwrap();
        let expected = (1.0 + b * b) * 0.4 / (0.4 + c * 0.1 + b * b);
        assert!(found.iter().all(|value| (value - expected).abs() < 1e-15), "{found:?}");
        for wrong in [
            r#"{"name": "f_beta"}"#,
            r#"{"name": "f_beta", "beta": 0}"#,
            r#"{"name": "f_beta", "beta": 1, "b": 1}"#,
        ] {
            assert!(IsometricQuantity::from_json(wrong).unwrap_err().to_string().contains("beta"));
        }
    }

    #[test]
    fn quantities_that_the_skew_only_scales_are_not_sensitive_to_it() {
        let sensitivity = |name: &str| {
            IsometricQuantity::from_json(&format!("\"{name}\""))
                .unwrap()
                .skew_sensitivity(&[1.0, 10.0], 41)
                .unwrap()
        };
        for name in ["hellinger", "g_mean", "balanced_accuracy", "wracc"] {
            assert!(sensitivity(name).iter().all(|&far| far < 1e-12), "{name}");
        }
        let [gini, entropy, dkm] = ["gini", "entropy", "dkm"].map(|name| sensitivity(name)[1]);
        assert!(dkm < entropy && entropy < gini, "{dkm} {entropy} {gini}");
        assert_eq!(sensitivity("gini")[0], 0.0);
        assert!(IsometricQuantity::from_json("\"gini\"").unwrap().skew_sensitivity(&[1.0], 1).is_err());
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| IsometricQuantity::from_json(text).unwrap_err().to_string();
        assert!(error("\"dkn\"").contains("did you mean `dkm`?"));
        assert!(error("\"acuracy\"").contains("did you mean `accuracy`?"));
        assert!(error(r#"{"name": "alpha", "alpha": 3}"#).contains("alpha"));
        assert!(error(r#"{"name": "alpha", "alfa": 1}"#).contains("alfa"));
        let gini = IsometricQuantity::from_json("\"gini\"").unwrap();
        for (skew, fpr, tpr) in [
            (0.0, &[0.5][..], &[0.5][..]),
            (1.0, &[0.5], &[]),
            (1.0, &[1.5], &[0.5]),
            (f64::NAN, &[0.5], &[0.5]),
        ] {
            assert!(gini.values(skew, fpr, tpr).is_err());
        }
    }
}

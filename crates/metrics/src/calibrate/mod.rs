//! Calibration curves that convert scores of held-out rows into calibrated probabilities.
//!
//! Each class has a curve for the class against all other classes. With two classes, only the second class
//! has a curve, and the first class gets the complement. Rows of equal score are summed to one group. Thus,
//! the row order has no effect, and a row of weight 2 equals two rows. The curves are implemented here
//! because packages for isotonic regression handle neither ties nor the two curves of Venn-Abers predictors.

mod beta;
mod formula;
pub(crate) mod groups;
mod isotonic;
pub(crate) mod logistic;
mod sigmoid;
mod venn_abers;

use crate::argument_checks;
use beta::Beta;
use groups::ScoreGroup;
use imbcore_core::{CalibrationMethod, Error, Result, parallel};
use isotonic::Isotonic;
use sigmoid::fit_sigmoid;
use venn_abers::VennAbers;

const BLOCK: usize = 1024;

/// Slope and intercept of Platt's curve, which maps scores to log-odds by a linear function.
///
/// Each group is a score with the weights of its negative and positive rows. The slope is finite even if the
/// scores separate the classes. The slope is positive even if rows with higher scores are less often
/// positive.
pub fn platt_slope_and_intercept(groups: impl IntoIterator<Item = (f64, [f64; 2])>) -> [f64; 2] {
    let group = |(score, [negative, positive]): (f64, [f64; 2])| ScoreGroup {
        score,
        weight: negative + positive,
        positive,
    };
    let groups: Vec<ScoreGroup> = groups.into_iter().map(group).collect();
    fit_sigmoid(&groups)
}

/// Fitted calibration curves: a single curve for two classes, otherwise one per class.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    method: CalibrationMethod,
    n_classes: usize,
    curves: Vec<CalibrationCurve>,
}

#[derive(Clone, Debug, PartialEq)]
enum CalibrationCurve {
    Isotonic(Isotonic),
    Beta(Beta),
    VennAbers(VennAbers),
}

impl Calibration {
    /// Fits the curves to row-major probabilities `proba` of rows with the classes `truth`.
    ///
    /// # Errors
    /// [`Error::Data`] without rows of positive weight, for fewer than two classes, wrong sizes, class codes
    /// or weights, or a probability outside [0, 1].
    pub fn fit(
        method: CalibrationMethod,
        truth: &[u32],
        proba: &[f64],
        n_classes: usize,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        argument_checks::check_matrix_size(proba, truth.len(), n_classes)?;
        argument_checks::check_class_codes("y_true", truth, n_classes)?;
        argument_checks::check_weights(weights, truth.len())?;
        argument_checks::check_probabilities(proba)?;
        if n_classes < 2 || (0..truth.len()).all(|row| argument_checks::weight_or_one(weights, row) == 0.0) {
            return Err(Error::Data(
                "calibration needs rows of positive weight and at least two classes".into(),
            ));
        }
        let curve = |class: usize| {
            let groups = groups::group_by_class_probability(class, truth, proba, n_classes, weights);
            CalibrationCurve::fit(method, &groups)
        };
        Ok(Self { method, n_classes, curves: parallel::map(classes_with_curves(n_classes), curve) })
    }

    /// Calibration method.
    pub fn method(&self) -> CalibrationMethod {
        self.method
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Calibrates row-major probabilities and divides each row by its sum.
    ///
    /// If the curves of all classes give 0 for a row, its probabilities are uniform.
    ///
    /// # Errors
    /// [`Error::Data`] if the number of values is not a multiple of the number of classes.
    pub fn apply(&self, proba: &[f64]) -> Result<Vec<f64>> {
        let k = self.n_classes;
        argument_checks::check_matrix_size(proba, proba.len() / k, k)?;
        let calibrated = |rows: &[f64]| {
            let mut found = Vec::with_capacity(rows.len());
            for row in rows.chunks_exact(k) {
                if let [curve] = &self.curves[..] {
                    let p = curve.calibrate(row[1]);
                    found.extend([1.0 - p, p]);
                    continue;
                }
                let start = found.len();
                found.extend(self.curves.iter().zip(row).map(|(curve, &p)| curve.calibrate(p)));
                let total: f64 = found[start..].iter().sum();
                let normalized = |p: f64| if total > 0.0 { p / total } else { 1.0 / k as f64 };
                found[start..].iter_mut().for_each(|p| *p = normalized(*p));
            }
            found
        };
        Ok(parallel::map(proba.chunks(BLOCK * k), calibrated).concat())
    }

    /// Lower and upper ends of the interval of every probability, row-major.
    ///
    /// The lower end is the calibrated probability of the class, if the new row is added to the calibration
    /// rows as a row of another class. For the upper end, the new row is added as a row of the class. The
    /// ends are not normalized over the classes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the calibration method has no intervals; [`Error::Data`] as for
    /// [`Self::apply`].
    pub fn interval(&self, proba: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let k = self.n_classes;
        argument_checks::check_matrix_size(proba, proba.len() / k, k)?;
        let mut both = (Vec::with_capacity(proba.len()), Vec::with_capacity(proba.len()));
        let mut push = |(low, high): (f64, f64)| {
            both.0.push(low);
            both.1.push(high);
        };
        for row in proba.chunks_exact(k) {
            if let [curve] = &self.curves[..] {
                let (low, high) = curve.interval(row[1])?;
                push((1.0 - high, 1.0 - low));
                push((low, high));
                continue;
            }
            for (curve, &p) in self.curves.iter().zip(row) {
                push(curve.interval(p)?);
            }
        }
        Ok(both)
    }

    /// Returns the number of parameters of each curve, and the parameters of all curves.
    ///
    /// A model file stores these numbers.
    pub fn parameters(&self) -> (Vec<u32>, Vec<f64>) {
        let numbers: Vec<Vec<f64>> = self.curves.iter().map(CalibrationCurve::parameters).collect();
        (numbers.iter().map(|one| one.len() as u32).collect(), numbers.concat())
    }

    /// Restores the calibration from [`Self::parameters`].
    ///
    /// # Errors
    /// [`Error::Format`] for invalid parameters.
    pub fn from_parameters(
        method: CalibrationMethod,
        n_classes: usize,
        lengths: &[u32],
        mut numbers: &[f64],
    ) -> Result<Self> {
        let damaged = || Error::damaged("its calibration is invalid");
        let mut curves = Vec::with_capacity(lengths.len());
        for &length in lengths {
            let (own, rest) = numbers.split_at_checked(length as usize).ok_or_else(damaged)?;
            curves.push(CalibrationCurve::from_parameters(method, own).ok_or_else(damaged)?);
            numbers = rest;
        }
        if !numbers.is_empty() || n_classes < 2 || curves.len() != classes_with_curves(n_classes).len() {
            return Err(damaged());
        }
        Ok(Self { method, n_classes, curves })
    }
}

fn classes_with_curves(n_classes: usize) -> std::ops::Range<usize> {
    if n_classes == 2 { 1..2 } else { 0..n_classes }
}

impl CalibrationCurve {
    fn fit(method: CalibrationMethod, groups: &[ScoreGroup]) -> Self {
        match method {
            CalibrationMethod::Sigmoid => Self::Beta(Beta::fit_log_odds(groups)),
            CalibrationMethod::Isotonic => Self::Isotonic(Isotonic::fit(groups)),
            CalibrationMethod::Beta => Self::Beta(Beta::fit(groups)),
            CalibrationMethod::VennAbers => Self::VennAbers(VennAbers::fit(groups)),
        }
    }

    fn calibrate(&self, score: f64) -> f64 {
        match self {
            Self::Isotonic(curve) => curve.calibrate(score),
            Self::Beta(curve) => curve.calibrate(score),
            Self::VennAbers(curve) => curve.calibrate(score),
        }
    }

    fn interval(&self, score: f64) -> Result<(f64, f64)> {
        match self {
            Self::VennAbers(curve) => Ok(curve.interval(score)),
            _ => Err(Error::Unsupported("probability intervals require calibrate=\"venn_abers\"".into())),
        }
    }

    fn parameters(&self) -> Vec<f64> {
        match self {
            Self::Isotonic(curve) => curve.parameters(),
            Self::Beta(curve) => curve.parameters(),
            Self::VennAbers(curve) => curve.parameters(),
        }
    }

    fn from_parameters(method: CalibrationMethod, numbers: &[f64]) -> Option<Self> {
        match method {
            CalibrationMethod::Isotonic => Isotonic::from_parameters(numbers).map(Self::Isotonic),
            CalibrationMethod::Sigmoid | CalibrationMethod::Beta => {
                Beta::from_parameters(numbers).map(Self::Beta)
            }
            CalibrationMethod::VennAbers => VennAbers::from_parameters(numbers).map(Self::VennAbers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHODS: [CalibrationMethod; 4] = [
        CalibrationMethod::Sigmoid,
        CalibrationMethod::Isotonic,
        CalibrationMethod::Beta,
        CalibrationMethod::VennAbers,
    ];

    fn rows() -> (Vec<u32>, Vec<f64>) {
        let truth: Vec<u32> = (0..60).map(|row| u32::from(row % 3 == 0) + u32::from(row % 7 == 0)).collect();
        let distribution = |row: usize| {
            let a = f64::from(truth[row] + 1) * 0.2 + (row % 5) as f64 * 0.05;
            [a * 0.3, a * 0.7, 1.0 - a]
        };
        let proba = (0..60).flat_map(distribution).collect();
        (truth, proba)
    }

    #[test]
    fn numbers_give_the_calibration_back() {
        let (truth, proba) = rows();
        for method in METHODS {
            let fitted = Calibration::fit(method, &truth, &proba, 3, None).unwrap();
            let (lengths, numbers) = fitted.parameters();
            assert_eq!(Calibration::from_parameters(method, 3, &lengths, &numbers).unwrap(), fitted);
            let some = &numbers[..numbers.len() - 1];
            assert!(Calibration::from_parameters(method, 3, &lengths, some).is_err());
            assert!(Calibration::from_parameters(method, 4, &lengths, &numbers).is_err());
            let wild = vec![f64::NAN; numbers.len()];
            assert!(Calibration::from_parameters(method, 3, &lengths, &wild).is_err());
        }
    }

    #[test]
    fn probabilities_sum_to_one_at_any_number_of_threads() {
        let (truth, proba) = rows();
        for method in METHODS {
            let fit = || {
                let fitted = Calibration::fit(method, &truth, &proba, 3, None).unwrap();
                (fitted.apply(&proba.repeat(90)).unwrap(), fitted)
            };
            let (found, fitted) = fit();
            assert!(found.chunks_exact(3).all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            assert_eq!(pool.install(fit), (found, fitted));
        }
    }

    #[test]
    fn a_weight_of_two_is_two_rows_and_none_is_no_row() {
        let (truth, proba) = rows();
        let truth: Vec<u32> = truth.iter().map(|&class| class.min(1)).collect();
        let proba: Vec<f64> = proba.chunks_exact(3).flat_map(|p| [1.0 - p[1], p[1]]).collect();
        let times = |row: usize| row % 3;
        let weights: Vec<f64> = (0..60).map(|row| times(row) as f64).collect();
        let again: Vec<usize> = (0..60).flat_map(|row| vec![row; times(row)]).rev().collect();
        let truth_again: Vec<u32> = again.iter().map(|&row| truth[row]).collect();
        let proba_again: Vec<f64> = again.iter().flat_map(|&row| proba[2 * row..][..2].to_vec()).collect();
        for method in METHODS {
            let weighed = Calibration::fit(method, &truth, &proba, 2, Some(&weights)).unwrap();
            assert_eq!(Calibration::fit(method, &truth_again, &proba_again, 2, None).unwrap(), weighed);
        }
    }

    #[test]
    fn swapping_two_classes_gives_the_same_probabilities() {
        let truth = [0, 1, 0, 1, 1, 0, 0, 1];
        let p = [0.1, 0.4, 0.35, 0.8, 0.7, 0.35, 0.2, 1.0];
        let both = |turned: bool| -> Vec<f64> {
            p.iter().flat_map(|&p| if turned { [p, 1.0 - p] } else { [1.0 - p, p] }).collect()
        };
        let turned: Vec<u32> = truth.iter().map(|class| 1 - class).collect();
        for method in METHODS {
            let one = Calibration::fit(method, &truth, &both(false), 2, None).unwrap();
            let other = Calibration::fit(method, &turned, &both(true), 2, None).unwrap();
            let (one, other) = (one.apply(&both(false)).unwrap(), other.apply(&both(true)).unwrap());
            let gap = one.iter().zip(other.chunks_exact(2).flat_map(|p| [p[1], p[0]]));
            assert!(gap.into_iter().all(|(a, b)| (a - b).abs() < 1e-9), "{method:?}");
        }
    }

    #[test]
    fn bad_input_is_refused() {
        let fit = |truth: &[u32], proba: &[f64], n: usize, weights: Option<&[f64]>| {
            Calibration::fit(CalibrationMethod::Beta, truth, proba, n, weights)
        };
        assert!(fit(&[0, 1], &[0.5; 3], 2, None).is_err() && fit(&[0, 2], &[0.5; 4], 2, None).is_err());
        assert!(fit(&[0, 1], &[0.5; 4], 2, Some(&[0.0, 0.0])).is_err() && fit(&[], &[], 2, None).is_err());
        assert!(fit(&[0, 1], &[0.5, 1.5, 0.5, 0.5], 2, None).is_err());
        let fitted = fit(&[0, 1], &[0.6, 0.4, 0.3, 0.7], 2, None).unwrap();
        assert!(fitted.apply(&[0.5; 3]).is_err());
        assert!(matches!(fitted.interval(&[0.5; 4]), Err(Error::Unsupported(_))));
    }
}

//! Scores, curves, calibration and imbalance measures.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::contiguous_values;
use crate::calls::{error_to_exception, run_short};
use crate::costs::CostArray;
use crate::training_args::parse_labels;
use imbcore_core::{PositiveClass, Result, unknown_name_error};
use imbcore_metrics as eval;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::borrow::Cow;

pub(crate) type Codes<'py> = PyReadonlyArray1<'py, u32>;
pub(crate) type Numbers<'py> = PyReadonlyArray1<'py, f64>;
pub(crate) type Matrix<'py> = PyReadonlyArray2<'py, f64>;
pub(crate) type FloatArray<'py> = Bound<'py, PyArray1<f64>>;

pub(crate) fn optional_values<'a>(array: Option<&'a Numbers<'_>>) -> Option<Cow<'a, [f64]>> {
    array.map(contiguous_values)
}

/// Row-major values of a matrix, and its number of columns.
pub(crate) fn row_major_values<'a>(matrix: &'a Matrix<'_>) -> (Cow<'a, [f64]>, usize) {
    let values = match matrix.as_slice() {
        Ok(values) if matrix.is_c_contiguous() => Cow::Borrowed(values),
        _ => Cow::Owned(matrix.as_array().iter().copied().collect()),
    };
    (values, matrix.shape()[1])
}

/// Expands a single column, the probability of class 1, to the columns of classes 0 and 1.
fn expand_binary_proba(proba: Cow<'_, [f64]>, n_columns: usize) -> (Cow<'_, [f64]>, usize) {
    match n_columns {
        1 => (Cow::Owned(eval::with_complement(&proba)), 2),
        n => (proba, n),
    }
}

fn parse_average(name: &str) -> Result<eval::Average> {
    match name {
        "macro" => Ok(eval::Average::Macro),
        "weighted" => Ok(eval::Average::Weighted),
        "micro" => Ok(eval::Average::Micro),
        _ => Err(unknown_name_error("average", name, ["macro", "weighted", "micro"])),
    }
}

fn parse_class_weighting(name: &str) -> Result<eval::ClassWeighting> {
    match name {
        "macro" => Ok(eval::ClassWeighting::Equal),
        "weighted" => Ok(eval::ClassWeighting::Prevalence),
        _ => Err(unknown_name_error("average", name, ["macro", "weighted"])),
    }
}

#[pyclass(frozen, module = "imbcore._imbcore")]
pub(crate) struct Confusion(eval::Confusion);

#[pymethods]
impl Confusion {
    #[new]
    #[pyo3(signature = (truth, answers, n_classes, sample_weight))]
    fn new(
        py: Python<'_>,
        truth: Codes<'_>,
        answers: Codes<'_>,
        n_classes: usize,
        sample_weight: Option<Numbers<'_>>,
    ) -> PyResult<Self> {
        let (truth, answers, weight) =
            (contiguous_values(&truth), contiguous_values(&answers), optional_values(sample_weight.as_ref()));
        run_short(py, || Ok(Self(eval::Confusion::new(&truth, &answers, n_classes, weight.as_deref())?)))
    }

    fn select(&self, py: Python<'_>, classes: Codes<'_>) -> PyResult<Self> {
        let classes = contiguous_values(&classes);
        run_short(py, || Ok(Self(self.0.select_classes(&classes)?)))
    }

    #[pyo3(signature = (normalize))]
    fn matrix<'py>(&self, py: Python<'py>, normalize: Option<&str>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let entries = run_short(py, || {
            Ok(match normalize {
                None => self.0.counts().to_vec(),
                Some("true") => self.0.normalized(eval::Normalize::Truth),
                Some("pred") => self.0.normalized(eval::Normalize::Answer),
                Some("all") => self.0.normalized(eval::Normalize::All),
                Some(name) => return Err(unknown_name_error("normalize", name, ["true", "pred", "all"])),
            })
        })?;
        let n = self.0.n_classes();
        PyArray1::from_vec(py, entries).reshape([n, n])
    }

    fn class_scores<'py>(
        &self,
        py: Python<'py>,
        score: &str,
        beta: f64,
        zero_division: f64,
    ) -> PyResult<FloatArray<'py>> {
        let values = run_short(py, || {
            let zero = eval::ZeroDivision::from_value(zero_division)?;
            Ok(self.0.score_per_class(eval::BinaryScore::parse(score, beta)?, zero))
        })?;
        Ok(PyArray1::from_vec(py, values))
    }

    fn over_classes(
        &self,
        py: Python<'_>,
        score: &str,
        how: &str,
        classes: Codes<'_>,
        beta: f64,
        zero_division: f64,
    ) -> PyResult<f64> {
        let classes = contiguous_values(&classes);
        run_short(py, || {
            let score = eval::BinaryScore::parse(score, beta)?;
            self.0.average_over_classes(
                score,
                parse_average(how)?,
                &classes,
                eval::ZeroDivision::from_value(zero_division)?,
            )
        })
    }

    fn accuracy(&self) -> f64 {
        self.0.accuracy()
    }

    fn error(&self) -> f64 {
        self.0.error_rate()
    }

    fn correct(&self) -> f64 {
        self.0.correct_weight()
    }

    fn balanced_accuracy(&self) -> f64 {
        self.0.balanced_accuracy()
    }

    fn g_mean(&self, correction: f64) -> f64 {
        self.0.g_mean(correction)
    }

    fn power_mean(&self, py: Python<'_>, p: f64, prevalence: bool) -> PyResult<f64> {
        run_short(py, || self.0.power_mean(p, prevalence))
    }

    fn kappa(&self, undefined: f64) -> f64 {
        self.0.kappa(undefined)
    }

    fn mcc(&self) -> f64 {
        self.0.mcc()
    }

    fn mean_cost(&self, py: Python<'_>, costs: Matrix<'_>) -> PyResult<f64> {
        let (costs, _) = row_major_values(&costs);
        run_short(py, || self.0.mean_cost(&costs))
    }

    fn is_trivial(&self) -> bool {
        self.0.has_single_predicted_class()
    }
}

/// Total cost, mean cost per row, and savings relative to the best constant prediction.
#[pyfunction]
pub(crate) fn cost_summary(
    py: Python<'_>,
    truth: Codes<'_>,
    answers: Codes<'_>,
    n_classes: usize,
    cost_matrix: CostArray<'_>,
    weights: Option<Numbers<'_>>,
) -> PyResult<(f64, f64, f64)> {
    let (truth, answers, weights) =
        (contiguous_values(&truth), contiguous_values(&answers), optional_values(weights.as_ref()));
    let costs = cost_matrix.to_row_costs(truth.len()).map_err(error_to_exception)?;
    let cost_summary =
        run_short(py, || eval::CostSummary::new(&costs, (&truth, &answers), n_classes, weights.as_deref()))?;
    Ok((cost_summary.total, cost_summary.mean(), cost_summary.savings()))
}

#[pyfunction]
pub(crate) fn power_mean(
    py: Python<'_>,
    values: Numbers<'_>,
    p: f64,
    weights: Option<Numbers<'_>>,
) -> PyResult<f64> {
    let (values, weights) = (contiguous_values(&values), optional_values(weights.as_ref()));
    run_short(py, || eval::power_mean(&values, p, weights.as_deref()))
}

/// Upper convex hull of ROC points: false positive rates, true positive rates, and area.
#[pyfunction]
pub(crate) fn convex_hull<'py>(
    py: Python<'py>,
    fpr: Numbers<'_>,
    tpr: Numbers<'_>,
) -> PyResult<(FloatArray<'py>, FloatArray<'py>, f64)> {
    let (fpr, tpr) = (contiguous_values(&fpr), contiguous_values(&tpr));
    let hull = run_short(py, || eval::Hull::from_points(&fpr, &tpr))?;
    let column = |axis: fn(&(f64, f64)) -> f64| PyArray1::from_iter(py, hull.vertices().iter().map(axis));
    Ok((column(|v| v.0), column(|v| v.1), hull.area()))
}

#[pyfunction]
pub(crate) fn hull_operating_point(
    py: Python<'_>,
    fpr: Numbers<'_>,
    tpr: Numbers<'_>,
    skew: f64,
    cost_fp: f64,
    cost_fn: f64,
) -> PyResult<(f64, f64)> {
    let (fpr, tpr) = (contiguous_values(&fpr), contiguous_values(&tpr));
    run_short(py, || eval::Hull::from_points(&fpr, &tpr)?.operating_point(skew, cost_fp, cost_fn))
}

/// AUC or average precision of each class against all others.
///
/// `area` is `auc` or `average_precision`.
#[pyfunction]
pub(crate) fn one_vs_rest<'py>(
    py: Python<'py>,
    area: &str,
    truth: Codes<'_>,
    scores: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<FloatArray<'py>> {
    let (truth, (scores, n), weight) =
        (contiguous_values(&truth), row_major_values(&scores), optional_values(sample_weight.as_ref()));
    let areas = run_short(py, || one_vs_rest_areas(area, &truth, &scores, n, weight.as_deref()))?;
    Ok(PyArray1::from_vec(py, areas))
}

/// Mean of [`one_vs_rest`] over the classes that have rows.
///
/// With "macro", all classes have the same weight; with "weighted", the weight is the prevalence of the
/// class.
#[pyfunction]
pub(crate) fn one_vs_rest_mean(
    py: Python<'_>,
    area: &str,
    truth: Codes<'_>,
    scores: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
    how: &str,
) -> PyResult<f64> {
    let (truth, (scores, n), weight) =
        (contiguous_values(&truth), row_major_values(&scores), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let areas = one_vs_rest_areas(area, &truth, &scores, n, weight.as_deref())?;
        eval::mean_over_classes(&areas, &truth, weight.as_deref(), parse_class_weighting(how)?)
    })
}

fn one_vs_rest_areas(
    area: &str,
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    match area {
        "auc" => eval::one_vs_rest_auc(truth, scores, n_classes, weights),
        "average_precision" => eval::one_vs_rest_average_precision(truth, scores, n_classes, weights),
        _ => Err(unknown_name_error("area", area, ["auc", "average_precision"])),
    }
}

#[pyfunction]
pub(crate) fn hand_till(
    py: Python<'_>,
    truth: Codes<'_>,
    scores: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
    how: &str,
) -> PyResult<f64> {
    let (truth, (scores, n), weight) =
        (contiguous_values(&truth), row_major_values(&scores), optional_values(sample_weight.as_ref()));
    run_short(py, || eval::hand_till_auc(&truth, &scores, n, weight.as_deref(), parse_class_weighting(how)?))
}

#[pyfunction]
pub(crate) fn brier(
    py: Python<'_>,
    truth: Codes<'_>,
    positive: u32,
    proba: Numbers<'_>,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<f64> {
    let (truth, proba, weight) =
        (contiguous_values(&truth), contiguous_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || eval::brier(&truth, positive, &proba, weight.as_deref()))
}

#[pyfunction]
pub(crate) fn brier_by_class(
    py: Python<'_>,
    truth: Codes<'_>,
    positive: u32,
    proba: Numbers<'_>,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<(f64, f64)> {
    let (truth, proba, weight) =
        (contiguous_values(&truth), contiguous_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || Ok(eval::brier_by_class(&truth, positive, &proba, weight.as_deref())?.into()))
}

/// Multiclass Brier score; `proba` has a column per class, or only the column of class 1.
#[pyfunction]
pub(crate) fn brier_multiclass(
    py: Python<'_>,
    truth: Codes<'_>,
    proba: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
    halved: bool,
) -> PyResult<f64> {
    let (truth, (proba, n), weight) =
        (contiguous_values(&truth), row_major_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let (proba, n) = expand_binary_proba(proba, n);
        eval::brier_multiclass(&truth, &proba, n, weight.as_deref(), halved)
    })
}

/// Log loss; `proba` has a column per class, or only the column of class 1.
#[pyfunction]
pub(crate) fn log_loss(
    py: Python<'_>,
    truth: Codes<'_>,
    proba: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
    normalize: bool,
) -> PyResult<f64> {
    let (truth, (proba, n), weight) =
        (contiguous_values(&truth), row_major_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let (proba, n) = expand_binary_proba(proba, n);
        eval::log_loss(&truth, &proba, n, weight.as_deref(), normalize)
    })
}

/// Imbalance measure of the class counts; `measure` is its name, such as `imbalance_ratio`.
#[pyfunction]
pub(crate) fn imbalance(
    py: Python<'_>,
    measure: &str,
    codes: Codes<'_>,
    n_classes: usize,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<f64> {
    const KNOWN: [&str; 4] =
        ["imbalance_ratio", "minority_fraction", "coefficient_of_variation", "entropy_deficit"];
    let (codes, weight) = (contiguous_values(&codes), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let counts = eval::class_counts(&codes, n_classes, weight.as_deref())?;
        match measure {
            "imbalance_ratio" => Ok(eval::imbalance_ratio(&counts)),
            "minority_fraction" => Ok(eval::minority_fraction(&counts)),
            "coefficient_of_variation" => Ok(eval::coefficient_of_variation(&counts)),
            "entropy_deficit" => Ok(eval::entropy_deficit(&counts)),
            _ => Err(unknown_name_error("measure", measure, KNOWN)),
        }
    })
}

/// Code of the default positive class, and its prevalence.
///
/// The class with label 1 or True is the default if the labels are 0 and 1, -1 and 1, or False and True.
/// Otherwise it is the class of least weight. If the only label is 0, -1 or False, the code is 1, and the
/// prevalence is 0. `labels` is a sorted JSON list.
#[pyfunction]
pub(crate) fn positive_class(
    py: Python<'_>,
    labels: &str,
    codes: Codes<'_>,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<(u32, f64)> {
    let (codes, weight) = (contiguous_values(&codes), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let labels = parse_labels(labels)?;
        let found = PositiveClass::default_for(
            &labels,
            &eval::class_counts(&codes, labels.len(), weight.as_deref())?,
        );
        Ok((found.code, found.share))
    })
}

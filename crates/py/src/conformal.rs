//! Conformal prediction: p-values, prediction sets, and checks for enough rows.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::contiguous_values;
use crate::calls::{run_short, run_without_gil};
use crate::metrics::{Codes, FloatArray, Matrix, Numbers, row_major_values};
use imbcore_core::{SeedKey, tags};
use imbcore_metrics as eval;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::borrow::Cow;

/// Calibration scores by class and group, for cross-conformal prediction.
///
/// Each group of rows is scored by a model that was not fitted to the rows of this group.
#[pyclass(frozen, module = "imbcore._imbcore")]
pub(crate) struct Conformal(eval::Conformal);

#[pymethods]
impl Conformal {
    #[new]
    #[pyo3(signature = (truth, groups, scores, n_classes))]
    fn new(
        py: Python<'_>,
        truth: Codes<'_>,
        groups: Codes<'_>,
        scores: Numbers<'_>,
        n_classes: usize,
    ) -> PyResult<Self> {
        let (truth, groups, scores) =
            (contiguous_values(&truth), contiguous_values(&groups), contiguous_values(&scores));
        run_short(py, || Ok(Self(eval::Conformal::new(&truth, &groups, &scores, n_classes)?)))
    }

    /// P-values of every row and class.
    ///
    /// `proba` has the predictions of all rows by the model of the first group, then of the next group, and
    /// so on.
    fn p_values<'py>(
        &self,
        py: Python<'py>,
        proba: Matrix<'_>,
        seed: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (proba, n) = row_major_values(&proba);
        let found = run_short(py, || self.0.p_values(&proba, seed.map(SeedKey::root)))?;
        let n_rows = found.len() / n.max(1);
        PyArray1::from_vec(py, found).reshape([n_rows, n])
    }

    /// Minimum probability of a class for which the p-value of this class exceeds `level`.
    ///
    /// `None` for cross-conformal prediction with several models, or if every probability suffices.
    fn min_score(&self, py: Python<'_>, code: u32, level: f64) -> PyResult<Option<f64>> {
        run_short(py, || self.0.min_proba_in_set(code, level))
    }
}

/// Conformal predictor; each calibration row is scored by members not fitted to this row.
#[pyclass(frozen, module = "imbcore._imbcore")]
pub(crate) struct JackknifeConformal(eval::JackknifeConformal, usize);

#[pymethods]
impl JackknifeConformal {
    #[new]
    #[pyo3(signature = (truth, left_out, scores, n_classes))]
    fn new(
        py: Python<'_>,
        truth: Codes<'_>,
        left_out: PyReadonlyArray2<'_, bool>,
        scores: Numbers<'_>,
        n_classes: usize,
    ) -> PyResult<Self> {
        let (truth, scores) = (contiguous_values(&truth), contiguous_values(&scores));
        let left_out: Vec<bool> = left_out.as_array().iter().copied().collect();
        run_short(py, || {
            Ok(Self(eval::JackknifeConformal::new(&truth, &left_out, &scores, n_classes)?, n_classes))
        })
    }

    /// P-values of every row and class.
    ///
    /// `predictions` has the predictions of the members, `n_members x n_rows x n_classes`.
    fn p_values<'py>(
        &self,
        py: Python<'py>,
        predictions: PyReadonlyArray3<'_, f64>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n_rows = predictions.shape()[1];
        let predictions: Cow<'_, [f64]> = match predictions.as_slice() {
            Ok(values) if predictions.is_c_contiguous() => Cow::Borrowed(values),
            _ => Cow::Owned(predictions.as_array().iter().copied().collect()),
        };
        let found = run_without_gil(py, None, n_threads, |ctl| self.0.p_values(&predictions, n_rows, ctl))?;
        PyArray1::from_vec(py, found).reshape([n_rows, self.1])
    }
}

/// Score of each row: probability of its true class, summed over its out-of-bag members.
#[pyfunction]
pub(crate) fn jackknife_scores<'py>(
    py: Python<'py>,
    truth: Codes<'_>,
    left_out: PyReadonlyArray2<'_, bool>,
    predictions: PyReadonlyArray3<'_, f64>,
) -> PyResult<FloatArray<'py>> {
    let truth = contiguous_values(&truth);
    let n_classes = predictions.shape()[2];
    let left_out: Vec<bool> = left_out.as_array().iter().copied().collect();
    let predictions: Vec<f64> = predictions.as_array().iter().copied().collect();
    let found = run_short(py, || eval::jackknife_scores(&truth, &left_out, &predictions, n_classes))?;
    Ok(PyArray1::from_vec(py, found))
}

/// Draws the number of ensemble members at random; its expected value is `members`.
#[pyfunction]
pub(crate) fn draw_n_members(py: Python<'_>, n: usize, members: u32, seed: u64) -> PyResult<u32> {
    run_short(py, || eval::draw_member_count(n, members, SeedKey::root(seed)))
}

/// Guaranteed coverage of prediction sets that are calibrated by out-of-bag predictions.
#[pyfunction]
pub(crate) fn jackknife_coverage(
    py: Python<'_>,
    alpha: f64,
    counts: Vec<usize>,
    members: u32,
) -> PyResult<f64> {
    run_short(py, || eval::jackknife_coverage(alpha, &counts, members))
}

#[pyfunction]
pub(crate) fn check_levels(
    py: Python<'_>,
    counts: Vec<usize>,
    alphas: Vec<f64>,
    names: Vec<String>,
) -> PyResult<()> {
    run_short(py, || {
        for ((&n, &alpha), name) in counts.iter().zip(&alphas).zip(&names) {
            let least = eval::min_calibration_rows(alpha)?;
            if n < least {
                return Err(eval::too_few_rows_error(&format!("class {name}"), n, alpha, least));
            }
        }
        Ok(())
    })
}

/// Threshold of the p-value at which at most a fraction `miss` of positives is missed.
///
/// Rows with a larger p-value are predicted positive. The limit holds on average or, if `confidence` is
/// given, with this probability.
#[pyfunction]
#[pyo3(signature = (n, miss, confidence, of_groups=false))]
pub(crate) fn miss_level(
    py: Python<'_>,
    n: usize,
    miss: f64,
    confidence: Option<f64>,
    of_groups: bool,
) -> PyResult<f64> {
    run_short(py, || eval::level_for_miss_rate(n, miss, confidence, of_groups))
}

/// Draws one random row of each class in each group; returns row positions, ascending.
#[pyfunction]
pub(crate) fn one_row_per_group_and_class<'py>(
    py: Python<'py>,
    codes: Codes<'_>,
    groups: Codes<'_>,
    n_classes: u32,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (codes, groups) = (contiguous_values(&codes), contiguous_values(&groups));
    let rows = run_short(py, || {
        let of_class = |class: u32| {
            let key = SeedKey::root(seed).child(tags::folds::CLASS, class);
            eval::draw_one_row_per_group(&groups, |row| codes[row] == class, key)
        };
        let mut rows: Vec<u32> = (0..n_classes).flat_map(of_class).collect();
        rows.sort_unstable();
        Ok(rows)
    })?;
    Ok(PyArray1::from_vec(py, rows))
}

/// Guaranteed coverage of cross-conformal prediction sets for a class with `n` rows.
#[pyfunction]
pub(crate) fn cross_conformal_coverage(alpha: f64, n: usize, folds: usize) -> f64 {
    eval::cross_conformal_coverage(alpha, n, folds)
}

/// For each row and class, whether the prediction set of the row contains the class.
#[pyfunction]
pub(crate) fn conformal_sets<'py>(
    py: Python<'py>,
    p_values: Matrix<'_>,
    alphas: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let (p_values, n) = row_major_values(&p_values);
    let found = run_short(py, || Ok(eval::conformal_sets(&p_values, &alphas)))?;
    let n_rows = found.len() / n.max(1);
    PyArray1::from_vec(py, found).reshape([n_rows, n])
}

/// Predicted class code of each row, or the number of classes if the model abstains.
#[pyfunction]
pub(crate) fn conformal_classes<'py>(
    py: Python<'py>,
    p_values: Matrix<'_>,
    alphas: Vec<f64>,
    abstaining: bool,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (p_values, _) = row_major_values(&p_values);
    let found = run_short(py, || Ok(eval::predict_conformal_classes(&p_values, &alphas, abstaining)))?;
    Ok(PyArray1::from_vec(py, found))
}

//! Conformal prediction: p-values, sets, and what they take.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::slice;
use crate::border::quick;
use crate::measure::{Codes, Matrix, Numbers, rows};
use imbcore_base::SeedKey;
use imbcore_eval as eval;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Calibration rows by the model that did not see them and by class.
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
        let (truth, groups, scores) = (slice(&truth), slice(&groups), slice(&scores));
        quick(py, || Ok(Self(eval::Conformal::new(&truth, &groups, &scores, n_classes)?)))
    }

    /// P-values of every row and class; `proba` has the rows of one group's model after those of another.
    fn p_values<'py>(
        &self,
        py: Python<'py>,
        proba: Matrix<'_>,
        seed: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (proba, n) = rows(&proba);
        let found = quick(py, || self.0.p_values(&proba, seed.map(SeedKey::root)))?;
        let n_rows = found.len() / n.max(1);
        PyArray1::from_vec(py, found).reshape([n_rows, n])
    }

    /// Score from which the p-value of a class is above a level.
    fn least_score(&self, py: Python<'_>, code: u32, level: f64) -> PyResult<Option<f64>> {
        quick(py, || self.0.least_score(code, level))
    }
}

/// Refuses levels for which a class has too few calibration rows; `names` are the classes' in words.
#[pyfunction]
pub(crate) fn check_levels(
    py: Python<'_>,
    counts: Vec<usize>,
    alphas: Vec<f64>,
    names: Vec<String>,
) -> PyResult<()> {
    quick(py, || {
        for ((&n, &alpha), name) in counts.iter().zip(&alphas).zip(&names) {
            let least = eval::rows_needed(alpha)?;
            if n < least {
                return Err(eval::too_few(&format!("class {name}"), n, alpha, least));
            }
        }
        Ok(())
    })
}

/// Level of the p-values above which rows are positive.
#[pyfunction]
#[pyo3(signature = (n, miss, confidence))]
pub(crate) fn miss_level(py: Python<'_>, n: usize, miss: f64, confidence: Option<f64>) -> PyResult<f64> {
    quick(py, || eval::miss_level(n, miss, confidence))
}

/// What cross-conformal sets are proved to cover of a class.
#[pyfunction]
pub(crate) fn cross_coverage(alpha: f64, n: usize, folds: usize) -> f64 {
    eval::cross_coverage(alpha, n, folds)
}

/// Which classes are in the set of each row.
#[pyfunction]
pub(crate) fn conformal_sets<'py>(
    py: Python<'py>,
    p_values: Matrix<'_>,
    alphas: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let (p_values, n) = rows(&p_values);
    let found = quick(py, || Ok(eval::conformal_sets(&p_values, &alphas)))?;
    let n_rows = found.len() / n.max(1);
    PyArray1::from_vec(py, found).reshape([n_rows, n])
}

/// Class of each row; the number of classes where it abstains.
#[pyfunction]
pub(crate) fn conformal_answers<'py>(
    py: Python<'py>,
    p_values: Matrix<'_>,
    alphas: Vec<f64>,
    abstaining: bool,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (p_values, _) = rows(&p_values);
    let found = quick(py, || Ok(eval::conformal_answers(&p_values, &alphas, abstaining)))?;
    Ok(PyArray1::from_vec(py, found))
}

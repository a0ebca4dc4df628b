//! Calibrated probabilities and calibration errors.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::contiguous_values;
use crate::calls::run_short;
use crate::metrics::{Codes, FloatArray, Matrix, Numbers, optional_values, row_major_values};
use imbcore_core::{CalibrationMethod, Result, unknown_name_error};
use imbcore_metrics::{self as eval, Binning};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

type Table<'py> = Bound<'py, PyArray2<f64>>;

fn parse_binning(strategy: &str, n_bins: usize) -> Result<Binning> {
    match strategy {
        "uniform" => Ok(Binning::Uniform(n_bins)),
        "quantile" => Ok(Binning::Quantile(n_bins)),
        "distinct" => Ok(Binning::Distinct),
        _ => Err(unknown_name_error("strategy", strategy, ["uniform", "quantile", "distinct"])),
    }
}

/// Calibration table, with a row for each bin of predicted probabilities.
///
/// Its columns are the bin, number of rows, weight, mean probability, fraction of positives, and the ends of
/// the confidence interval of this fraction.
#[pyfunction]
pub(crate) fn calibration_table<'py>(
    py: Python<'py>,
    truth: Codes<'_>,
    positive: u32,
    proba: Numbers<'_>,
    sample_weight: Option<Numbers<'_>>,
    n_bins: usize,
    strategy: &str,
) -> PyResult<Table<'py>> {
    let (truth, proba, weight) =
        (contiguous_values(&truth), contiguous_values(&proba), optional_values(sample_weight.as_ref()));
    let bins = run_short(py, || {
        eval::calibration_bins(&truth, positive, &proba, weight.as_deref(), parse_binning(strategy, n_bins)?)
    })?;
    let row = |b: &eval::CalibrationBin| {
        let numbers = [b.bin as f64, b.rows as f64, b.weight];
        [&numbers[..], &[b.mean_probability, b.positive_fraction, b.low, b.high]].concat()
    };
    PyArray1::from_iter(py, bins.iter().flat_map(row)).reshape([bins.len(), 7])
}

/// Slope and intercept of the linear calibration curve of the log-odds.
#[pyfunction]
pub(crate) fn calibration_line(
    py: Python<'_>,
    truth: Codes<'_>,
    positive: u32,
    proba: Numbers<'_>,
    sample_weight: Option<Numbers<'_>>,
) -> PyResult<(f64, f64)> {
    let (truth, proba, weight) =
        (contiguous_values(&truth), contiguous_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let line = eval::calibration_line(&truth, positive, &proba, weight.as_deref())?;
        Ok((line.slope, line.intercept))
    })
}

/// Calibration errors: expected, maximum, expected bias-corrected, squared bias-corrected.
///
/// If `proba` has a single column, it has the probabilities of class 1.
#[pyfunction]
pub(crate) fn calibration_errors(
    py: Python<'_>,
    truth: Codes<'_>,
    proba: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
    n_bins: usize,
    strategy: &str,
) -> PyResult<(f64, f64, f64, f64)> {
    let (truth, (proba, n), weight) =
        (contiguous_values(&truth), row_major_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let bins = eval::calibration_bins_per_class(
            &truth,
            &proba,
            n,
            weight.as_deref(),
            parse_binning(strategy, n_bins)?,
        )?;
        let found = eval::class_calibration_errors(&bins);
        Ok((found.expected, found.maximum, found.expected_corrected, found.squared_corrected))
    })
}

/// Brier score, and its components: reliability, resolution, uncertainty, within-bin part.
///
/// If `proba` has a single column, it has the probabilities of class 1.
#[pyfunction]
pub(crate) fn brier_parts(
    py: Python<'_>,
    truth: Codes<'_>,
    proba: Matrix<'_>,
    sample_weight: Option<Numbers<'_>>,
    n_bins: usize,
    strategy: &str,
    corrected: bool,
) -> PyResult<(f64, f64, f64, f64, f64)> {
    let (truth, (proba, n), weight) =
        (contiguous_values(&truth), row_major_values(&proba), optional_values(sample_weight.as_ref()));
    run_short(py, || {
        let binning = parse_binning(strategy, n_bins)?;
        let found = eval::brier_parts(&truth, &proba, n, weight.as_deref(), binning, corrected)?;
        Ok((found.brier, found.reliability, found.resolution, found.uncertainty, found.within))
    })
}

/// Fitted calibration curves; the constructor restores curves that were stored.
#[pyclass(frozen, module = "imbcore._imbcore.metrics")]
pub(crate) struct Calibration(eval::Calibration);

#[pymethods]
impl Calibration {
    #[new]
    fn new(
        py: Python<'_>,
        method: &str,
        n_classes: usize,
        lengths: Codes<'_>,
        numbers: Numbers<'_>,
    ) -> PyResult<Self> {
        let (lengths, numbers) = (contiguous_values(&lengths), contiguous_values(&numbers));
        run_short(py, || {
            let method = CalibrationMethod::parse(method)?;
            Ok(Self(eval::Calibration::from_parameters(method, n_classes, &lengths, &numbers)?))
        })
    }

    #[staticmethod]
    #[pyo3(signature = (method, truth, proba, sample_weight))]
    fn fit(
        py: Python<'_>,
        method: &str,
        truth: Codes<'_>,
        proba: Matrix<'_>,
        sample_weight: Option<Numbers<'_>>,
    ) -> PyResult<Self> {
        let (truth, (proba, n), weight) =
            (contiguous_values(&truth), row_major_values(&proba), optional_values(sample_weight.as_ref()));
        run_short(py, || {
            let method = CalibrationMethod::parse(method)?;
            Ok(Self(eval::Calibration::fit(method, &truth, &proba, n, weight.as_deref())?))
        })
    }

    #[getter]
    fn rows_needed(&self) -> usize {
        self.0.method().rows_needed()
    }

    fn apply<'py>(&self, py: Python<'py>, proba: Matrix<'_>) -> PyResult<Table<'py>> {
        let (proba, n) = row_major_values(&proba);
        run_short(py, || self.0.apply(&proba))?.into_pyarray(py).reshape([proba.len() / n.max(1), n])
    }

    fn interval<'py>(&self, py: Python<'py>, proba: Matrix<'_>) -> PyResult<(Table<'py>, Table<'py>)> {
        let (proba, n) = row_major_values(&proba);
        let (low, high) = run_short(py, || self.0.interval(&proba))?;
        let table = |values: Vec<f64>| values.into_pyarray(py).reshape([proba.len() / n.max(1), n]);
        Ok((table(low)?, table(high)?))
    }

    /// Arguments of the constructor that restore the object.
    fn parts<'py>(
        &self,
        py: Python<'py>,
    ) -> (&'static str, usize, Bound<'py, PyArray1<u32>>, FloatArray<'py>) {
        let (lengths, numbers) = self.0.parameters();
        (self.0.method().name(), self.0.n_classes(), lengths.into_pyarray(py), numbers.into_pyarray(py))
    }
}

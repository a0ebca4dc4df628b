//! Cost matrices and decisions.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::border::{quick, to_python};
use imbcore_base::{
    self as base, CalibrationMethod, CostMatrix, CostPlan, CostStrategy, Costs, Decision, Error, Result,
    Threshold,
};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

type Matrix<'py> = PyReadonlyArray2<'py, f64>;

/// Cells of a matrix in row-major order.
pub(crate) fn cells(matrix: &Matrix<'_>) -> Vec<f64> {
    matrix.as_array().iter().copied().collect()
}

fn costs_of(matrix: &Matrix<'_>) -> Result<Costs> {
    let shape = matrix.shape();
    if shape[0] != shape[1] {
        return Err(Error::Data(format!(
            "cost_matrix must be square, got shape ({}, {})",
            shape[0], shape[1]
        )));
    }
    Costs::new(cells(matrix), shape[0])
}

/// `"balanced"`, or the matrix.
#[derive(FromPyObject)]
enum MatrixArg<'py> {
    Name(String),
    Given(Matrix<'py>),
}

/// A number, or how it follows from the data.
#[derive(FromPyObject)]
enum ThresholdArg {
    Number(f64),
    Word(String),
}

impl ThresholdArg {
    fn resolve(&self) -> Result<Threshold> {
        match self {
            Self::Number(threshold) => Ok(Threshold::At(*threshold)),
            Self::Word(word) => Threshold::parse(word),
        }
    }
}

/// Cost matrix, strategy, threshold and calibration as Python hands them over.
#[derive(FromPyObject)]
pub(crate) struct CostArg<'py>(Option<MatrixArg<'py>>, String, Option<ThresholdArg>, Option<String>);

impl CostArg<'_> {
    pub(crate) fn plan(&self) -> Result<CostPlan> {
        let matrix = match &self.0 {
            None => None,
            Some(MatrixArg::Given(matrix)) => Some(CostMatrix::Given(costs_of(matrix)?)),
            Some(MatrixArg::Name(name)) if name == "balanced" => Some(CostMatrix::Balanced),
            Some(MatrixArg::Name(name)) => {
                let expected = "\"balanced\", a matrix, a dict of costs, or None";
                return Err(Error::parameter("fit", "cost_matrix", expected, format!("{name:?}")));
            }
        };
        let threshold = self.2.as_ref().map(ThresholdArg::resolve).transpose()?;
        let calibration = self.3.as_deref().map(CalibrationMethod::parse).transpose()?;
        Ok(CostPlan { matrix, strategy: CostStrategy::parse(&self.1)?, threshold, calibration })
    }
}

/// Class codes by cost matrix, by threshold, or else the most probable.
#[pyfunction]
#[pyo3(signature = (proba, cost_matrix, threshold, positive))]
pub(crate) fn decide<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    cost_matrix: Option<Matrix<'_>>,
    threshold: Option<f64>,
    positive: u32,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (laws, n_classes) = (cells(&proba), proba.shape()[1]);
    let decision = match (cost_matrix.as_ref().map(costs_of).transpose().map_err(to_python)?, threshold) {
        (Some(costs), _) => Decision::Costs(costs),
        (None, Some(at)) => Decision::Threshold { at, positive },
        (None, None) => Decision::Argmax,
    };
    let codes = quick(py, || decision.decide(&laws, n_classes))?;
    Ok(codes.into_pyarray(py))
}

/// Costs and threshold of a decision, for answers that are given in Python.
#[allow(clippy::type_complexity)]
pub(crate) fn parts_of<'py>(
    py: Python<'py>,
    decision: &Decision,
) -> PyResult<(Option<Bound<'py, PyArray2<f64>>>, Option<f64>)> {
    match decision {
        Decision::Argmax => Ok((None, None)),
        Decision::Threshold { at, .. } => Ok((None, Some(*at))),
        Decision::Costs(costs) => {
            let n = costs.n_classes();
            Ok((Some(costs.cells().to_vec().into_pyarray(py).reshape([n, n])?), None))
        }
        Decision::Prior(_) => {
            Err(to_python(Error::Unsupported("members of other libraries know no prior law".into())))
        }
    }
}

#[pyfunction]
#[pyo3(signature = (cost_matrix, codes, n_classes))]
pub(crate) fn ting_weights<'py>(
    py: Python<'py>,
    cost_matrix: Matrix<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    n_classes: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let costs = costs_of(&cost_matrix).map_err(to_python)?;
    let codes: Vec<u32> = codes.as_array().to_vec();
    let weights = quick(py, || {
        let mut mass = vec![0.0; n_classes];
        for code in codes {
            let slot = mass.get_mut(code as usize);
            *slot.ok_or_else(|| Error::Internal("a class code is outside the classes".into()))? += 1.0;
        }
        costs.ting_weights(&mass)
    })?;
    Ok(weights.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (cost_matrix))]
pub(crate) fn elkan_threshold(py: Python<'_>, cost_matrix: Matrix<'_>) -> PyResult<f64> {
    let costs = costs_of(&cost_matrix).map_err(to_python)?;
    quick(py, || costs.elkan_threshold())
}

#[pyfunction]
#[pyo3(signature = (target, standard))]
pub(crate) fn elkan_negative_weight(py: Python<'_>, target: f64, standard: f64) -> PyResult<f64> {
    quick(py, || base::elkan_negative_weight(target, standard))
}

#[pyfunction]
#[pyo3(signature = (proba, rate, new_rate))]
pub(crate) fn prior_shift<'py>(
    py: Python<'py>,
    proba: PyReadonlyArray1<'_, f64>,
    rate: f64,
    new_rate: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let proba: Vec<f64> = proba.as_array().iter().copied().collect();
    Ok(quick(py, || base::prior_shift(&proba, rate, new_rate))?.into_pyarray(py))
}

/// Expected cost of every answer, a row a law.
#[pyfunction]
#[pyo3(signature = (proba, cost_matrix))]
pub(crate) fn expected_cost<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    cost_matrix: Matrix<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (laws, n_classes) = (cells(&proba), proba.shape()[1]);
    let costs = costs_of(&cost_matrix).map_err(to_python)?;
    let expected = quick(py, || {
        Decision::Costs(costs.clone()).check(n_classes)?;
        let of = |law| (0..n_classes).map(|answer| costs.expected(law, answer)).collect::<Vec<_>>();
        Ok(laws.chunks_exact(n_classes).flat_map(of).collect::<Vec<_>>())
    })?;
    expected.into_pyarray(py).reshape([proba.shape()[0], n_classes])
}

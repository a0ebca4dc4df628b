//! Cost matrices and decisions.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short};
use imbcore_core::{
    self as base, CalibrationMethod, CostCell, CostCells, CostMatrixSpec, CostRule, CostStrategy, Costs,
    Decision, DecisionPlan, Error, Result, RowCosts, Threshold,
};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

type Matrix<'py> = PyReadonlyArray2<'py, f64>;

pub(crate) fn row_major_cells(matrix: &Matrix<'_>) -> Vec<f64> {
    matrix.as_array().iter().copied().collect()
}

fn parse_costs(matrix: &Matrix<'_>) -> Result<Costs> {
    let shape = matrix.shape();
    if shape[0] != shape[1] {
        return Err(Error::Data(format!(
            "cost_matrix must be square, got shape ({}, {})",
            shape[0], shape[1]
        )));
    }
    Costs::new(row_major_cells(matrix), shape[0])
}

#[derive(FromPyObject)]
pub(crate) enum CostArray<'py> {
    Same(Matrix<'py>),
    Each(PyReadonlyArray3<'py, f64>),
}

impl CostArray<'_> {
    pub(crate) fn to_row_costs(&self, n_rows: usize) -> Result<RowCosts<'_>> {
        match self {
            Self::Same(matrix) => Ok(RowCosts::from_matrix(parse_costs(matrix)?, n_rows)),
            Self::Each(each) => per_row_costs(each, Some(n_rows)),
        }
    }
}

fn per_row_costs<'a>(each: &'a PyReadonlyArray3<'_, f64>, n_rows: Option<usize>) -> Result<RowCosts<'a>> {
    let &[given, truths, answers] = each.shape() else {
        return Err(Error::Internal("costs per row must have three dimensions".into()));
    };
    if truths != answers || n_rows.is_some_and(|n_rows| n_rows != given) {
        let rows = n_rows.map_or("n_rows".into(), |n_rows| n_rows.to_string());
        return Err(Error::Data(format!(
            "cost_matrix must have the shape ({rows}, n_classes, n_classes), one matrix per row, got ({given}, {truths}, \
             {answers})"
        )));
    }
    let values = each.as_slice().map_err(|error| Error::Internal(error.to_string()))?;
    RowCosts::from_row_matrices(values, given, truths)
}

/// Cell of a cost matrix: a number, and the table column that replaces the number, if any.
pub(crate) type CostCellParts = (f64, Option<u32>);

/// Cost matrix from Python: a name, a matrix for all rows, a matrix per row, or cells.
///
/// The name is `"balanced"` or `"imbalance"`. A cell is a number, or a table column with a cost per row.
#[derive(FromPyObject)]
enum MatrixArg<'py> {
    Name(String),
    Given(Matrix<'py>),
    Each(PyReadonlyArray3<'py, f64>),
    Cells(Vec<CostCellParts>),
}

fn cost_matrix_from_cells(cells: &[CostCellParts]) -> Result<CostMatrixSpec> {
    let n_classes = cells.len().isqrt();
    if cells.iter().all(|(_, column)| column.is_none()) {
        let numbers = cells.iter().map(|&(number, _)| number).collect();
        return Costs::new(numbers, n_classes).map(CostMatrixSpec::Given);
    }
    let cell = |&(number, column): &CostCellParts| column.map_or(CostCell::Number(number), CostCell::Column);
    CostCells::new(cells.iter().map(cell).collect(), n_classes).map(CostMatrixSpec::Columns)
}

/// Row-major cells of a cost matrix with table columns; `None` for any other decision rule.
pub(crate) fn cost_cells_of_rule(decision: &Decision) -> Option<Vec<CostCellParts>> {
    let Decision::Costs(CostRule::Columns(cells)) = decision else { return None };
    let parts = |cell: &CostCell| match *cell {
        CostCell::Number(number) => (number, None),
        CostCell::Column(column) => (0.0, Some(column)),
    };
    Some(cells.cells().iter().map(parts).collect())
}

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

/// Cost matrix, strategy, threshold and calibration passed from Python.
#[derive(FromPyObject)]
pub(crate) struct DecisionPlanArg<'py>(Option<MatrixArg<'py>>, String, Option<ThresholdArg>, Option<String>);

impl DecisionPlanArg<'_> {
    pub(crate) fn to_decision_plan(&self) -> Result<DecisionPlan> {
        let matrix = match &self.0 {
            None => None,
            Some(MatrixArg::Given(matrix)) => Some(CostMatrixSpec::Given(parse_costs(matrix)?)),
            Some(MatrixArg::Each(each)) => {
                per_row_costs(each, None)?;
                Some(CostMatrixSpec::PerRow(each.shape()[0], each.shape()[1]))
            }
            Some(MatrixArg::Cells(cells)) => Some(cost_matrix_from_cells(cells)?),
            Some(MatrixArg::Name(name)) if name == "balanced" => Some(CostMatrixSpec::Balanced),
            Some(MatrixArg::Name(name)) if name == "imbalance" => Some(CostMatrixSpec::Imbalance),
            Some(MatrixArg::Name(name)) => {
                let expected = "\"balanced\", \"imbalance\", a matrix, a dict of costs, or None";
                return Err(Error::parameter("fit", "cost_matrix", expected, format!("{name:?}")));
            }
        };
        let threshold = self.2.as_ref().map(ThresholdArg::resolve).transpose()?;
        let calibration = self.3.as_deref().map(CalibrationMethod::parse).transpose()?;
        Ok(DecisionPlan { matrix, strategy: CostStrategy::parse(&self.1)?, threshold, calibration })
    }
}

/// Predicts classes by a cost matrix or a threshold, otherwise by the largest probability.
#[pyfunction]
#[pyo3(signature = (proba, cost_matrix, threshold, positive))]
pub(crate) fn decide<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    cost_matrix: Option<CostArray<'_>>,
    threshold: Option<f64>,
    positive: u32,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let (probabilities, n_rows, n_classes) = (row_major_cells(&proba), proba.shape()[0], proba.shape()[1]);
    let costs = cost_matrix
        .as_ref()
        .map(|costs| costs.to_row_costs(n_rows))
        .transpose()
        .map_err(error_to_exception)?;
    let codes = run_short(py, || match (costs, threshold) {
        (Some(costs), _) => {
            costs.check(n_rows, n_classes)?;
            costs.cheapest_classes(&probabilities)
        }
        (None, Some(at)) => Decision::Threshold { at, positive }.decide(&probabilities, n_classes),
        (None, None) => Decision::Argmax.decide(&probabilities, n_classes),
    })?;
    Ok(codes.into_pyarray(py))
}

/// Cost matrix of a decision rule; `None` if the costs differ from row to row.
pub(crate) fn cost_matrix_array<'py>(
    py: Python<'py>,
    rule: &CostRule,
) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
    let Some(costs) = rule.matrix() else { return Ok(None) };
    let n = costs.n_classes();
    costs.cells().to_vec().into_pyarray(py).reshape([n, n]).map(Some)
}

/// Cost matrix and threshold of a decision rule; each is `None` if it is not used.
#[allow(clippy::type_complexity)]
pub(crate) fn matrix_and_threshold<'py>(
    py: Python<'py>,
    decision: &Decision,
) -> PyResult<(Option<Bound<'py, PyArray2<f64>>>, Option<f64>)> {
    match decision {
        Decision::Argmax => Ok((None, None)),
        Decision::Threshold { at, .. } => Ok((None, Some(*at))),
        Decision::Costs(rule) => match cost_matrix_array(py, rule)? {
            Some(matrix) => Ok((Some(matrix), None)),
            None => Err(error_to_exception(Error::Unsupported(
                "costs of single rows are supported only for members of imbcore; for other members use \
                 imbcore.costs.minimum_expected_cost(\
                 model.predict_proba(X), costs) with an array of shape (n_rows, n_classes, n_classes)"
                    .into(),
            ))),
        },
        Decision::Prior(_) | Decision::Thresholds(_) => Err(error_to_exception(Error::Unsupported(
            "members of other libraries do not support decisions by class prior or class thresholds".into(),
        ))),
    }
}

/// Class weights that have the effect of misclassification costs (Ting 2002).
///
/// Rows have weight 1 by default.
#[pyfunction]
#[pyo3(signature = (cost_matrix, codes, n_classes, weights))]
pub(crate) fn ting_weights<'py>(
    py: Python<'py>,
    cost_matrix: Matrix<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    n_classes: usize,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let costs = parse_costs(&cost_matrix).map_err(error_to_exception)?;
    let codes: Vec<u32> = codes.as_array().to_vec();
    let weights: Option<Vec<f64>> = weights.map(|weights| weights.as_array().to_vec());
    let weights = run_short(py, || {
        let mut mass = vec![0.0; n_classes];
        for (row, code) in codes.into_iter().enumerate() {
            let slot = mass.get_mut(code as usize);
            let weight = weights.as_ref().map_or(Some(1.0), |weights| weights.get(row).copied());
            let outside = || Error::Internal("a class code or a weight is outside the rows".into());
            *slot.ok_or_else(outside)? += weight.ok_or_else(outside)?;
        }
        costs.ting_class_weights(&mass)
    })?;
    Ok(weights.into_pyarray(py))
}

#[pyfunction]
#[pyo3(signature = (cost_matrix))]
pub(crate) fn elkan_threshold(py: Python<'_>, cost_matrix: Matrix<'_>) -> PyResult<f64> {
    let costs = parse_costs(&cost_matrix).map_err(error_to_exception)?;
    run_short(py, || costs.elkan_threshold())
}

#[pyfunction]
#[pyo3(signature = (target, standard))]
pub(crate) fn elkan_negative_weight(py: Python<'_>, target: f64, standard: f64) -> PyResult<f64> {
    run_short(py, || base::elkan_negative_weight(target, standard))
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
    Ok(run_short(py, || base::prior_shift(&proba, rate, new_rate))?.into_pyarray(py))
}

/// Expected cost of predicting each class, for each row of class probabilities.
#[pyfunction]
#[pyo3(signature = (proba, cost_matrix))]
pub(crate) fn expected_cost<'py>(
    py: Python<'py>,
    proba: Matrix<'_>,
    cost_matrix: CostArray<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (probabilities, n_rows, n_classes) = (row_major_cells(&proba), proba.shape()[0], proba.shape()[1]);
    let costs = cost_matrix.to_row_costs(n_rows).map_err(error_to_exception)?;
    let expected = run_short(py, || {
        costs.check(n_rows, n_classes)?;
        costs.expected_costs(&probabilities)
    })?;
    expected.into_pyarray(py).reshape([n_rows, n_classes])
}

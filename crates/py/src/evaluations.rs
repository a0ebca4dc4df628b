//! Evaluations: cross-validation splits on which classifiers are scored.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::training_args::{Codes, RunOptionsArg, TrainingArg, Weights, contiguous_slice};
use imbcore_methods::{self as methods, EvaluationPlan, FitContext};
use imbcore_metrics::{
    self as eval, ClassifierOutput, CostMatrices, CvSplits, EvaluatedPredictions, SplitStrategy, TimeGap,
};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Positions<'py> = Bound<'py, PyArray1<i64>>;
type Values<'py> = PyReadonlyArray1<'py, f64>;
type Int64Values<'py> = PyReadonlyArray1<'py, i64>;

#[derive(FromPyObject)]
pub(crate) struct EvaluationPlanArg<'py> {
    folds: u32,
    repeats: u32,
    groups: Option<Codes<'py>>,
    time: Option<Values<'py>>,
    gap_rows: usize,
    gap_time: Option<f64>,
    alerts: Option<(f64, Option<f64>)>,
}

impl EvaluationPlanArg<'_> {
    fn split_strategy(&self) -> PyResult<SplitStrategy<'_>> {
        Ok(match (&self.groups, &self.time) {
            (Some(groups), None) => SplitStrategy::Groups(contiguous_slice(groups)?),
            (_, Some(time)) => {
                let gap = self.gap_time.map_or(TimeGap::Rows(self.gap_rows), TimeGap::Time);
                SplitStrategy::Time(contiguous_slice(time)?, gap)
            }
            (None, None) => SplitStrategy::Stratified,
        })
    }
}

#[pyclass(frozen, module = "imbcore._imbcore.models")]
pub(crate) struct NativeEvaluation(methods::EvaluationSetup);

/// Creates splits and metrics; `training` has the labels, costs and positive class.
#[pyfunction]
#[pyo3(signature = (training, plan, options))]
pub(crate) fn create_evaluation(
    py: Python<'_>,
    training: TrainingArg<'_>,
    plan: EvaluationPlanArg<'_>,
    options: RunOptionsArg,
) -> PyResult<NativeEvaluation> {
    let (rows, key) = (training.rows()?, options.seed_key());
    let plan = EvaluationPlan {
        by: plan.split_strategy()?,
        folds: plan.folds,
        repeats: plan.repeats,
        positive: rows.positive,
        costs: &rows.costs,
        alerts: plan.alerts,
    };
    let made = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        rows.with_dataset(|data, schema| methods::EvaluationSetup::new(plan, (data, &schema), key, ctl))
    })?;
    Ok(NativeEvaluation(made))
}

fn row_positions(rows: &Int64Values<'_>) -> PyResult<Vec<u32>> {
    let position =
        |&row: &i64| u32::try_from(row).map_err(|_| PyIndexError::new_err("a row position is out of range"));
    rows.as_array().iter().map(position).collect()
}

#[pymethods]
impl NativeEvaluation {
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        self.0.judge.score_names()
    }

    #[getter]
    fn positive(&self) -> u32 {
        self.0.judge.positive_class()
    }

    /// Costs of some rows; `None` if the expected cost is not among the metrics.
    ///
    /// The result is a matrix for all rows, or a matrix per row.
    fn costs<'py>(
        &self,
        py: Python<'py>,
        rows: Int64Values<'_>,
        n_classes: usize,
    ) -> PyResult<Option<Bound<'py, PyArrayDyn<f64>>>> {
        let n = n_classes;
        let (cells, shape) = match self.0.judge.costs() {
            None => return Ok(None),
            Some(CostMatrices::Same(costs)) => (costs.cells().to_vec(), vec![n, n]),
            Some(CostMatrices::Own(cells)) => {
                let rows = row_positions(&rows)?;
                let matrix = |&row: &u32| cells[row as usize * n * n..][..n * n].to_vec();
                (rows.iter().flat_map(matrix).collect(), vec![rows.len(), n, n])
            }
        };
        cells.into_pyarray(py).reshape(shape).map(Some)
    }

    /// Test folds as pairs: index of the repeat, and index of the fold within this repeat.
    #[getter]
    fn tests(&self) -> Vec<(u32, u32)> {
        self.0.deal.tested_folds()
    }

    #[getter]
    fn advice(&self) -> &'static str {
        self.0.deal.advice_for_single_class_error()
    }

    #[getter]
    fn test_to_train(&self) -> f64 {
        self.0.deal.test_train_ratio()
    }

    /// Index of each row's test fold in a repeat; -1 for a row that is in no test fold.
    fn folds<'py>(&self, py: Python<'py>, repeat: u32) -> Positions<'py> {
        let fold = |&fold: &u32| if fold == CvSplits::NEVER { -1 } else { i64::from(fold) };
        self.0.deal.test_fold_per_row(repeat).iter().map(fold).collect::<Vec<_>>().into_pyarray(py)
    }

    fn rows<'py>(&self, py: Python<'py>, repeat: u32, fold: u32) -> (Positions<'py>, Positions<'py>) {
        let (train, test) = self.0.deal.train_and_test_rows(repeat, fold);
        let array = |rows: Vec<u32>| rows.into_iter().map(i64::from).collect::<Vec<_>>().into_pyarray(py);
        (array(train), array(test))
    }

    /// Values of all metrics on the rows of a test fold.
    ///
    /// Without probabilities, ranking metrics use `scores`, the scores of the positive class.
    #[pyo3(signature = (rows, truth, predicted, n_classes, proba, scores, sample_weight))]
    #[allow(clippy::too_many_arguments)]
    fn metric_values<'py>(
        &self,
        py: Python<'py>,
        rows: Int64Values<'_>,
        truth: Codes<'_>,
        predicted: Codes<'_>,
        n_classes: usize,
        proba: Option<PyReadonlyArray2<'_, f64>>,
        scores: Option<Values<'_>>,
        sample_weight: Weights<'_>,
    ) -> PyResult<Numbers<'py>> {
        let rows = row_positions(&rows)?;
        let proba: Option<Vec<f64>> = proba.map(|proba| proba.as_array().iter().copied().collect());
        let belief = match (&proba, &scores) {
            (Some(proba), _) => ClassifierOutput::Proba(proba),
            (None, Some(scores)) => ClassifierOutput::Scores(contiguous_slice(scores)?),
            (None, None) => ClassifierOutput::Unknown,
        };
        let answers = EvaluatedPredictions {
            truth: contiguous_slice(&truth)?,
            predicted: contiguous_slice(&predicted)?,
            belief,
            n_classes,
            weights: sample_weight.as_ref().map(contiguous_slice).transpose()?,
        };
        Ok(run_short(py, || self.0.judge.score_values(&answers, &rows))?.into_pyarray(py))
    }
}

/// Result of a cross-validation.
///
/// `values` has the values of the metrics on each test fold. `proba` and `predicted` are the predictions of
/// the first repeat.
#[derive(IntoPyObject)]
pub(crate) struct EvaluationOut<'py> {
    values: Bound<'py, PyArray2<f64>>,
    proba: Bound<'py, PyArray2<f64>>,
    predicted: Bound<'py, PyArray1<u32>>,
}

/// Cross-validates a method; `name` is its name in warnings.
#[pyfunction]
#[pyo3(signature = (method, name, params, training, trial, options))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    method: &str,
    name: &str,
    params: &str,
    training: TrainingArg<'_>,
    trial: &NativeEvaluation,
    options: RunOptionsArg,
) -> PyResult<EvaluationOut<'py>> {
    let (rows, key) = (training.rows()?, options.seed_key());
    let found = run_without_gil(py, options.callback, options.n_threads, |ctl| {
        rows.with_dataset(|data, schema| {
            let task = rows.fit_task(method, params, key, FitContext::default());
            methods::evaluate(&task, data, &schema, (&trial.0, name), ctl)
        })
    })?;
    let (n_tests, n_scores) = (found.values.len(), found.values.first().map_or(0, Vec::len));
    let (n_rows, n_classes) = (found.predicted.len(), found.proba.len() / found.predicted.len().max(1));
    Ok(EvaluationOut {
        values: found.values.concat().into_pyarray(py).reshape([n_tests, n_scores])?,
        proba: found.proba.into_pyarray(py).reshape([n_rows, n_classes])?,
        predicted: found.predicted.into_pyarray(py),
    })
}

/// Mean over test folds, ends of its confidence interval, and number of values except NaN.
#[pyfunction]
pub(crate) fn corrected_interval(
    values: Values<'_>,
    test_to_train: f64,
    level: f64,
) -> PyResult<(f64, f64, f64, usize)> {
    let values = values.as_array().to_vec();
    let found = eval::corrected_interval(&values, test_to_train, level).map_err(error_to_exception)?;
    Ok((found.mean, found.low, found.high, found.n))
}

/// Mean difference of paired scores over test folds, its confidence interval and p-value.
///
/// The difference is `first - second`.
#[pyfunction]
pub(crate) fn corrected_pairs(
    first: Values<'_>,
    second: Values<'_>,
    test_to_train: f64,
    level: f64,
) -> PyResult<(f64, f64, f64, f64)> {
    let (first, second) = (first.as_array().to_vec(), second.as_array().to_vec());
    let found =
        eval::compare_paired_scores(&first, &second, test_to_train, level).map_err(error_to_exception)?;
    Ok((found.difference.mean, found.difference.low, found.difference.high, found.p))
}

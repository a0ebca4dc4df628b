//! Predictions of all trees of a pruning path, and selection of a tree by cross-validation.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short};
use crate::models::tree::TreeModel;
use imbcore_core::{CostRule, Decision, Error, Result, RowCosts};
use imbcore_metrics::{ChoiceRule, choose_setting};
use imbcore_trees::{PruningPath, StagedPredictions, geometric_mean_alphas};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;

/// Alpha that represents each tree of a pruning path in cross-validation.
#[pyfunction]
pub(crate) fn pruning_betas<'py>(
    py: Python<'py>,
    alphas: PyReadonlyArray1<'py, f64>,
) -> PyResult<Numbers<'py>> {
    Ok(geometric_mean_alphas(alphas.as_slice()?).into_pyarray(py))
}

/// Selects a tree of a pruning path; returns its index.
///
/// `scores` has a row per fold and a column per tree, and `rule` is the name of the selection rule. Also
/// returns the means and standard deviations of the scores over the folds.
#[pyfunction]
pub(crate) fn choose_pruning<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray2<'py, f64>,
    rule: &str,
) -> PyResult<(usize, Numbers<'py>, Numbers<'py>)> {
    let rule = parse_choice_rule(rule).map_err(error_to_exception)?;
    let scores = scores.as_array();
    let scores: Vec<Vec<f64>> = scores.outer_iter().map(|fold| fold.to_vec()).collect();
    let choice = choose_setting(&scores, rule);
    Ok((choice.step, choice.mean.into_pyarray(py), choice.sd.into_pyarray(py)))
}

fn parse_choice_rule(name: &str) -> Result<ChoiceRule> {
    match name {
        "min" => Ok(ChoiceRule::LastBest),
        "1se" => Ok(ChoiceRule::OneStandardError),
        _ => Err(Error::parameter("CARTClassifierCV", "rule", "\"min\" or \"1se\"", format!("{name:?}"))),
    }
}

/// Predictions for rows by every tree of a pruning path.
///
/// The rows go down the unpruned tree only once.
#[pyclass(frozen, module = "imbcore._imbcore.trees")]
pub(crate) struct PrunedPredictions {
    path: PruningPath,
    staged: StagedPredictions,
    decision: Decision,
    /// Cost matrices of the rows; `None` unless the costs are in columns of the table.
    costs: Option<Vec<f64>>,
}

#[pymethods]
impl PrunedPredictions {
    #[new]
    #[pyo3(signature = (model, risk, frame, n_threads))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, TreeModel>,
        risk: Option<&str>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Self> {
        let model = TreeModel::model(model);
        let path = run_short(py, || model.0.pruning_path(risk))?;
        let staged = model.run_on_frame(py, &frame, n_threads, |model, frame, ctl| {
            model.staged_predictions(&path, frame, ctl)
        })?;
        let decision = model.0.decision().clone();
        let costs = match &decision {
            Decision::Costs(CostRule::Columns(cells)) => {
                Some(model.run_on_frame(py, &frame, n_threads, |_, frame, _| {
                    Ok(cells.to_row_costs(frame)?.matrices())
                })?)
            }
            _ => None,
        };
        Ok(Self { path, staged, decision, costs })
    }

    /// Index of the tree of the pruning path that is optimal for an alpha.
    fn index_of_alpha(&self, alpha: f64) -> usize {
        self.path.index_for_alpha(alpha)
    }

    /// Class probabilities and predicted classes by the tree with index `step` in the path.
    #[allow(clippy::type_complexity)]
    fn predict_step<'py>(
        &self,
        py: Python<'py>,
        step: usize,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>)> {
        let (proba, codes) = run_short(py, || {
            let (proba, most_probable) = self.staged.predict_step(step);
            if self.decision == Decision::Argmax {
                Ok((proba, most_probable))
            } else {
                let n_rows = most_probable.len();
                let n_classes = proba.len() / n_rows.max(1);
                let codes = match &self.costs {
                    Some(costs) => {
                        RowCosts::from_row_matrices(costs, n_rows, n_classes)?.cheapest_classes(&proba)?
                    }
                    None => self.decision.decide(&proba, n_classes)?,
                };
                Ok((proba, codes))
            }
        })?;
        let n_rows = codes.len();
        let n_classes = proba.len() / n_rows.max(1);
        Ok((proba.into_pyarray(py).reshape([n_rows, n_classes])?, codes.into_pyarray(py)))
    }
}

//! Fitting, evaluating and asking models.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{quick, run, run_here, run_keeping, to_python};
use crate::committee::{BallotOut, out_of_bag};
use crate::costs::CostArg;
use crate::parcels::{ClassWeightArg, Codes, OptionsArg, TrainingArg, Weights, contiguous};
use imbcore_base::{Column, Dataset, Decision, Error, Frame, Result, RunCtl};
use imbcore_criteria::AnyCriterion;
use imbcore_ensemble::ForestModel;
use imbcore_ensemble::committee::Committee;
use imbcore_methods::{self as methods, Door, Fitted, Plan};
use imbcore_tree::TreeModel;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Rows, and cells (rows times columns), up to which the calling thread answers by itself: less than it takes to wake another.
const FEW: (usize, usize) = (16, 1 << 14);

/// Whether a single class gives a constant model, and the scale of the weights where the caller has it.
#[derive(FromPyObject)]
pub(crate) struct DoorArg(bool, Option<f64>);

impl DoorArg {
    pub(crate) fn door(&self) -> Door {
        Door { constant: self.0, scale: self.1 }
    }
}

/// Factor that makes weights numbers of rows, for callers that fit to parts of the rows.
#[pyfunction]
#[pyo3(signature = (codes, n_classes, sample_weight, class_weight, costs))]
pub(crate) fn row_scale(
    py: Python<'_>,
    codes: Codes<'_>,
    n_classes: u32,
    sample_weight: Weights<'_>,
    class_weight: Option<ClassWeightArg>,
    costs: CostArg<'_>,
) -> PyResult<f64> {
    let codes = contiguous(&codes)?;
    let weights = sample_weight.as_ref().map(contiguous).transpose()?;
    let costs = costs.plan().map_err(to_python)?;
    quick(py, || {
        // The scale asks nothing of the table, so the classes stand for it.
        let frame = Frame::new(vec![Column::Nominal { codes, levels: n_classes }])?;
        let data = Dataset::of_any_classes(frame, codes, n_classes as usize, weights)?;
        let class_weight = class_weight.as_ref().map(ClassWeightArg::resolve).transpose()?;
        methods::row_scale((class_weight.as_ref(), Some(&costs)), &data)
    })
}

#[pyfunction]
#[pyo3(signature = (method, params, training, door, options))]
pub(crate) fn fit(
    py: Python<'_>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    door: DoorArg,
    options: OptionsArg,
) -> PyResult<Model> {
    let rows = training.rows()?;
    let (key, door) = (options.key(), door.door());
    let (model, stopped) = run_keeping(py, options.callback, options.n_threads, |ctl| {
        rows.with(|data, schema| methods::fit(&rows.task(method, params, key, door), data, schema, ctl))
    })?;
    let Some(stopped) = stopped else { return Ok(Model(model)) };
    // The best model so far travels with the exception; one that takes no attributes is raised as it is.
    drop(stopped.value(py).setattr(INCUMBENT, Model(model)));
    Err(stopped)
}

/// Attribute of the exception that stopped a fit: the model that the fit had by then.
const INCUMBENT: &str = "_imbcore_incumbent";

/// What a cross-validation found: a row of values a score, and of the first repeat what was said of every row.
#[derive(IntoPyObject)]
pub(crate) struct EvaluationOut<'py> {
    names: Vec<&'static str>,
    values: Bound<'py, PyArray2<f64>>,
    positive: u32,
    fold: Bound<'py, PyArray1<u32>>,
    proba: Bound<'py, PyArray2<f64>>,
    predicted: Bound<'py, PyArray1<u32>>,
}

#[pyfunction]
#[pyo3(signature = (method, params, training, folds, repeats, options))]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    folds: u32,
    repeats: u32,
    options: OptionsArg,
) -> PyResult<EvaluationOut<'py>> {
    let rows = training.rows()?;
    let (key, plan) = (options.key(), Plan { folds, repeats });
    let found = run(py, options.callback, options.n_threads, |ctl| {
        rows.with(|data, schema| {
            let task = rows.task(method, params, key, Door::default());
            methods::evaluate(&task, data, &schema, plan, ctl)
        })
    })?;
    let (n_scores, n_tests) = (found.names.len(), found.values.first().map_or(0, Vec::len));
    let (n_rows, n_classes) = (found.fold.len(), found.proba.len() / found.fold.len().max(1));
    Ok(EvaluationOut {
        names: found.names,
        values: found.values.concat().into_pyarray(py).reshape([n_scores, n_tests])?,
        positive: found.positive,
        fold: found.fold.into_pyarray(py),
        proba: found.proba.into_pyarray(py).reshape([n_rows, n_classes])?,
        predicted: found.predicted.into_pyarray(py),
    })
}

/// A fitted model.
#[pyclass(frozen, module = "imbcore._imbcore")]
pub(crate) struct Model(pub(crate) methods::Model);

impl Model {
    /// The single tree of the model; other families have none.
    pub(crate) fn tree(&self) -> Result<&TreeModel> {
        self.0.single_tree()
    }

    /// The forest of the model; other families have none.
    fn forest(&self) -> Result<&ForestModel> {
        self.0.fitted().forest().ok_or_else(|| self.0.is_not("is not a forest"))
    }

    /// The committee of the model; other families have none.
    fn committee(&self) -> Result<&Committee<Fitted>> {
        self.0.fitted().committee().ok_or_else(|| self.0.is_not("is not a committee"))
    }

    /// Asks the model about a frame: a few rows on the calling thread, many on a pool while this one listens for Ctrl-C.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        frame: &FrameArg<'_>,
        n_threads: usize,
        question: impl FnOnce(&methods::Model, &Frame<'_>, RunCtl<'_>) -> Result<T> + Send,
    ) -> PyResult<T> {
        let frame = frame.frame().map_err(to_python)?;
        let model = &self.0;
        if frame.n_rows() <= FEW.0 && frame.n_rows() * frame.n_columns() <= FEW.1 {
            run_here(py, |ctl| question(model, &frame, ctl))
        } else {
            run(py, None, n_threads, |ctl| question(model, &frame, ctl))
        }
    }
}

/// A threshold as Python sees it.
#[derive(IntoPyObject)]
enum ThresholdOut {
    Number(f64),
    Word(&'static str),
}

/// Digits after the point, as far as a double has any.
pub(crate) fn digits(decimals: usize) -> PyResult<usize> {
    if decimals <= 400 {
        return Ok(decimals);
    }
    Err(to_python(Error::parameter("export", "decimals", "a whole number of at most 400", decimals)))
}

#[pymethods]
impl Model {
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        quick(py, || Ok(Self(methods::Model::from_bytes(data)?)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &quick(py, || self.0.to_bytes())?))
    }

    #[getter]
    fn method(&self) -> &str {
        self.0.method()
    }

    /// Family of the model.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.fitted().kind()
    }

    #[getter]
    fn params(&self) -> String {
        self.0.params().to_string()
    }

    /// The cost matrix by which the model answers.
    #[getter]
    fn cost_matrix<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        match self.0.decision() {
            Decision::Costs(costs) => {
                let n = costs.n_classes();
                Ok(Some(costs.cells().to_vec().into_pyarray(py).reshape([n, n])?))
            }
            _ => Ok(None),
        }
    }

    /// Which classes each member of a decomposition holds to be positive.
    #[getter]
    fn code_book<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let Fitted::Decomposed(model) = self.0.fitted() else {
            return Err(to_python(self.0.is_not("is no decomposition and has no code book")));
        };
        let shape = [model.book().n_classes(), model.book().n_columns()];
        model.book().cells().to_vec().into_pyarray(py).reshape(shape)
    }

    /// Code of the positive class.
    #[getter]
    fn positive(&self) -> u32 {
        self.0.positive()
    }

    /// The threshold by which the model answers, or "prior".
    #[getter]
    fn threshold(&self) -> Option<ThresholdOut> {
        match self.0.decision() {
            Decision::Threshold { at, .. } => Some(ThresholdOut::Number(*at)),
            Decision::Prior(_) => Some(ThresholdOut::Word("prior")),
            _ => None,
        }
    }

    #[getter]
    fn schema(&self, py: Python<'_>) -> PyResult<String> {
        quick(py, || {
            serde_json::to_string(self.0.schema()).map_err(|error| Error::Internal(error.to_string()))
        })
    }

    #[getter]
    fn n_classes(&self) -> usize {
        self.0.n_classes()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.0.schema().features.len()
    }

    #[getter]
    fn n_nodes(&self) -> PyResult<usize> {
        if let Some(forest) = self.0.fitted().forest() {
            return Ok(forest.n_nodes());
        }
        Ok(self.tree().map_err(to_python)?.tree().n_nodes())
    }

    #[getter]
    fn n_leaves(&self) -> PyResult<usize> {
        if let Some(forest) = self.0.fitted().forest() {
            return Ok(forest.n_leaves());
        }
        Ok(self.tree().map_err(to_python)?.tree().n_leaves())
    }

    #[getter]
    fn depth(&self) -> PyResult<u32> {
        if let Some(forest) = self.0.fitted().forest() {
            return Ok(forest.depth());
        }
        Ok(self.tree().map_err(to_python)?.tree().depths().into_iter().max().unwrap_or_default())
    }

    #[getter]
    fn feature_importances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.0.feature_importances().map_err(to_python)?.into_pyarray(py))
    }

    /// Number of trees; none for a model that is not made of trees.
    #[getter]
    fn n_trees(&self) -> Option<usize> {
        self.0.fitted().forest().map(ForestModel::n_trees)
    }

    /// Number of members; none for a model that is no committee.
    #[getter]
    fn n_members(&self) -> Option<usize> {
        self.0.fitted().committee().map(|committee| committee.members().len())
    }

    /// How the members of a committee are heard.
    #[getter]
    fn ballot<'py>(&self, py: Python<'py>) -> PyResult<BallotOut<'py>> {
        BallotOut::new(py, self.committee().map_err(to_python)?.ballot())
    }

    /// Rows in the bags of a committee's members; none where it comes out of a file.
    #[getter]
    fn samples<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
        let committee = self.committee().map_err(to_python)?;
        Ok(committee.samples().iter().map(|rows| rows.clone().into_pyarray(py)).collect())
    }

    /// Bytes that the trees of a forest hold.
    #[getter]
    fn n_bytes(&self) -> PyResult<usize> {
        Ok(self.forest().map_err(to_python)?.bytes())
    }

    fn member(&self, py: Python<'_>, tree: usize) -> PyResult<Self> {
        quick(py, || Ok(Self(self.0.member(tree)?)))
    }

    /// The alpha of every tree.
    #[getter]
    fn alphas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.forest().map_err(to_python)?.alphas().to_vec().into_pyarray(py))
    }

    /// Score and answers of the rows that trees or members did not see.
    #[allow(clippy::type_complexity)]
    fn out_of_bag<'py>(&self, py: Python<'py>) -> PyResult<Option<(f64, Bound<'py, PyArray2<f64>>)>> {
        let found = match self.0.fitted().committee() {
            Some(committee) => committee.out_of_bag(),
            None => self.forest().map_err(to_python)?.out_of_bag(),
        };
        found.map(|found| out_of_bag(py, found, self.0.n_classes())).transpose()
    }

    fn predict<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let codes = self.ask(py, &frame, n_threads, methods::Model::predict)?;
        Ok(codes.into_pyarray(py))
    }

    fn predict_proba<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let proba = self.ask(py, &frame, n_threads, methods::Model::proba)?;
        let n_classes = self.0.n_classes();
        let n_rows = proba.len() / n_classes;
        proba.into_pyarray(py).reshape([n_rows, n_classes])
    }

    fn apply<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let forest = self.0.fitted().forest();
        let tree = forest.map_or_else(|| self.tree().map(Some), |_| Ok(None)).map_err(to_python)?;
        let leaves = self.ask(py, &frame, n_threads, |model, frame, ctl| {
            model.check(frame)?;
            let leaves = match (forest, tree) {
                (Some(forest), _) => forest.apply(frame, ctl)?,
                (None, Some(tree)) => tree.apply(frame, ctl)?,
                (None, None) => Vec::new(),
            };
            Ok(leaves.into_iter().map(i64::from).collect::<Vec<_>>())
        })?;
        let leaves = leaves.into_pyarray(py);
        match forest.map(ForestModel::n_trees) {
            Some(n_trees) => Ok(leaves.reshape([leaves.len()? / n_trees, n_trees])?.into_any()),
            None => Ok(leaves.into_any()),
        }
    }

    #[allow(clippy::type_complexity)]
    fn decision_path<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>)> {
        let tree = self.tree().map_err(to_python)?;
        let (starts, nodes) = self.ask(py, &frame, n_threads, |model, frame, ctl| {
            model.check(frame)?;
            let (starts, nodes) = tree.decision_path(frame, ctl)?;
            let starts: Vec<i64> = starts.into_iter().map(|start| start.cast_signed() as i64).collect();
            Ok((starts, nodes.into_iter().map(i64::from).collect::<Vec<_>>()))
        })?;
        Ok((starts.into_pyarray(py), nodes.into_pyarray(py)))
    }

    #[pyo3(signature = (decimals = 3))]
    fn nodes(&self, py: Python<'_>, decimals: usize) -> PyResult<String> {
        let decimals = digits(decimals)?;
        quick(py, || Ok(self.tree()?.nodes(self.0.schema(), decimals).to_string()))
    }
}

/// Version of the native module.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Every registered method with its parameters, as JSON.
#[pyfunction]
#[pyo3(name = "methods")]
pub(crate) fn list_methods(py: Python<'_>) -> PyResult<String> {
    quick(py, || {
        serde_json::to_string(&methods::methods()).map_err(|error| Error::Internal(error.to_string()))
    })
}

/// Every registered criterion.
#[pyfunction]
pub(crate) fn criteria() -> Vec<&'static str> {
    AnyCriterion::NAMES.to_vec()
}

//! Ensembles whose members are fitted in Python.
//!
//! Rust draws the bags and combines the predictions. Python fits a member to each bag, and predicts by it.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{MainThread, error_to_exception, run_short, run_with_main_thread};
use crate::costs::matrix_and_threshold;
use crate::training_args::{RunOptionsArg, TrainingArg, contiguous_slice};
use imbcore_core::{Error, Frame, PriorShift, Result, RunContext};
use imbcore_ensembles::OutOfBag;
use imbcore_ensembles::generic::{Bag, BaseLearner, OutputKind, VoteAccumulator, VotingRule, VotingScheme};
use imbcore_methods::{self as methods, ExternalEnsemble, FitContext, MetaCostRelabeling};
use imbcore_resample::AddedRows;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods, ToPyArray,
};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

type RowIndexArray<'py> = Bound<'py, PyArray1<u32>>;

/// Voting scheme: everything that predictions of an ensemble need besides its members.
#[derive(IntoPyObject)]
pub(crate) struct VotingOut<'py> {
    rule: String,
    /// Whether members predict classes instead of probabilities.
    choice: bool,
    votes: Bound<'py, PyArray1<f64>>,
    errors: Bound<'py, PyArray1<f64>>,
    columns: Vec<RowIndexArray<'py>>,
    n_classes: usize,
    shift: Bound<'py, PyArray1<f64>>,
}

impl<'py> VotingOut<'py> {
    pub(crate) fn new(py: Python<'py>, voting: &VotingScheme) -> PyResult<Self> {
        let rule = serde_json::to_string(&voting.rule);
        let shift = voting.shift.as_ref().map_or(&[][..], PriorShift::factors);
        Ok(Self {
            rule: rule.map_err(|error| error_to_exception(Error::Internal(error.to_string())))?,
            choice: voting.rule.output_kind() == OutputKind::Choice,
            votes: voting.votes.clone().into_pyarray(py),
            errors: voting.errors.clone().into_pyarray(py),
            columns: voting.columns.iter().map(|columns| columns.clone().into_pyarray(py)).collect(),
            n_classes: voting.n_classes,
            shift: shift.to_vec().into_pyarray(py),
        })
    }
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct VotingArg<'py> {
    rule: String,
    votes: PyReadonlyArray1<'py, f64>,
    n_classes: usize,
    shift: PyReadonlyArray1<'py, f64>,
}

impl VotingArg<'_> {
    fn voting(&self) -> PyResult<VotingScheme> {
        let (votes, shift) = (contiguous_slice(&self.votes)?, contiguous_slice(&self.shift)?);
        let rule: std::result::Result<VotingRule, _> = serde_json::from_str(&self.rule);
        Ok(VotingScheme {
            rule: rule.map_err(|error| error_to_exception(Error::Internal(error.to_string())))?,
            votes: votes.to_vec(),
            errors: Vec::new(),
            // Python has already selected the columns of each member. So the list of columns is empty, which
            // means all columns.
            columns: vec![Vec::new(); votes.len()],
            n_classes: self.n_classes,
            shift: PriorShift::from_factors(shift.to_vec(), self.n_classes).map_err(error_to_exception)?,
        })
    }
}

pub(crate) fn out_of_bag_to_python<'py>(
    py: Python<'py>,
    found: &OutOfBag,
    n_classes: usize,
) -> PyResult<(f64, Bound<'py, PyArray2<f64>>)> {
    let shape = [found.decision.len() / n_classes, n_classes];
    Ok((found.score, found.decision.clone().into_pyarray(py).reshape(shape)?))
}

/// Converts bags to arrays; consecutive bags with the same list of rows share an array.
pub(crate) fn bag_arrays<'py>(py: Python<'py>, samples: &[Arc<[u32]>]) -> Vec<RowIndexArray<'py>> {
    let mut arrays: Vec<RowIndexArray<'py>> = Vec::with_capacity(samples.len());
    for (i, rows) in samples.iter().enumerate() {
        let same = i > 0 && Arc::ptr_eq(rows, &samples[i - 1]);
        arrays.push(if same { arrays[i - 1].clone() } else { rows.to_pyarray(py) });
    }
    arrays
}

/// Synthetic rows: their source rows, numeric values, and level codes by nominal column.
#[derive(IntoPyObject)]
struct SyntheticRowsOut<'py> {
    sources: Bound<'py, PyArray1<i64>>,
    /// Numeric values; `None` if all rows are copies of their sources.
    numbers: Option<Bound<'py, PyArray2<f64>>>,
    codes: BTreeMap<usize, RowIndexArray<'py>>,
}

struct SyntheticRows {
    added: AddedRows,
    numbers: Option<Vec<f64>>,
}

impl SyntheticRows {
    fn new(added: &AddedRows, frame: &Frame<'_>) -> Result<Option<Self>> {
        if added.is_empty() {
            return Ok(None);
        }
        let numbers = (!added.are_copies()).then(|| added.numeric_values(frame)).transpose()?;
        Ok(Some(Self { added: added.clone(), numbers }))
    }

    fn into_arrays(self, py: Python<'_>) -> PyResult<SyntheticRowsOut<'_>> {
        let Self { added, numbers } = self;
        let n = added.len();
        let width = numbers.as_ref().map_or(0, |numbers| numbers.len() / n);
        let sources: Vec<i64> = added.sources.iter().map(|&row| i64::from(row)).collect();
        Ok(SyntheticRowsOut {
            sources: sources.into_pyarray(py),
            numbers: numbers.map(|all| all.into_pyarray(py).reshape([n, width])).transpose()?,
            codes: added.codes.into_iter().map(|(column, codes)| (column, codes.into_pyarray(py))).collect(),
        })
    }
}

/// Base learner that is implemented in Python.
///
/// The Python object has the attribute `takes_weights` and two methods.
/// `fit_to_bag(rows, made, classes, weights, columns, seed)` returns a member, and
/// `member_output(member, rows, columns, choice)` returns its predictions. `made` has the synthetic rows.
/// `choice` is whether classes are predicted instead of probabilities.
struct PyBaseLearner<'a> {
    object: &'a Py<PyAny>,
    takes_weights: bool,
    frame: &'a Frame<'a>,
    codes: &'a [u32],
    n_classes: usize,
    caller: &'a MainThread,
}

impl PyBaseLearner<'_> {
    fn python_object(&self) -> Py<PyAny> {
        Python::attach(|py| self.object.clone_ref(py))
    }
}

impl BaseLearner for PyBaseLearner<'_> {
    type Member = Py<PyAny>;
    /// Training rows for which a member predicts; `None` for all rows.
    type Preparation = Option<Vec<u32>>;

    fn supports_weights(&self) -> bool {
        self.takes_weights
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn fit_to_bag(&self, bag: &Bag, seed: u32, _: RunContext<'_>) -> Result<Py<PyAny>> {
        let made = SyntheticRows::new(&bag.made, self.frame)?;
        let classes: Vec<u32> = bag
            .rows
            .iter()
            .map(|&row| self.codes[row as usize])
            .chain(bag.made.classes.iter().copied())
            .collect();
        let (object, Bag { rows, weights, columns, .. }) = (self.python_object(), bag.clone());
        self.caller.run_task(move |py| {
            let made = made.map(|made| made.into_arrays(py)).transpose()?;
            let weights = weights.map(|weights| weights.into_pyarray(py));
            let (rows, classes) = (rows.into_pyarray(py), classes.into_pyarray(py));
            object.call_method1(
                py,
                "fit_to_bag",
                (rows, made, classes, weights, columns.into_pyarray(py), seed),
            )
        })
    }

    fn prepare(&self, rows: Option<&[u32]>, _: RunContext<'_>) -> Result<Self::Preparation> {
        // A list of all rows is replaced by `None`, so that Python need not copy the table.
        let whole = |rows: &&[u32]| rows.len() == self.codes.len() && rows.is_sorted_by(|a, b| a < b);
        Ok(rows.filter(|rows| !whole(rows)).map(<[u32]>::to_vec))
    }

    fn fit_weighted(
        &self,
        prepared: &Self::Preparation,
        weights: &[f64],
        seed: u32,
        ctl: RunContext<'_>,
    ) -> Result<Py<PyAny>> {
        let rows = prepared.clone().unwrap_or_else(|| (0..self.codes.len() as u32).collect());
        self.fit_to_bag(&Bag { weights: Some(weights.to_vec()), ..Bag::from_rows(rows) }, seed, ctl)
    }

    fn member_output(
        &self,
        member: &Py<PyAny>,
        prepared: &Self::Preparation,
        columns: &[u32],
        output_kind: OutputKind,
        _: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let (object, member) = (self.python_object(), Python::attach(|py| member.clone_ref(py)));
        let (columns, choice) = (columns.to_vec(), output_kind == OutputKind::Choice);
        let rows = prepared.clone();
        let n_rows = rows.as_ref().map_or(self.codes.len(), Vec::len);
        let outputs: Vec<f64> = self.caller.run_task(move |py| {
            let rows = rows.map(|rows| rows.into_pyarray(py));
            let result =
                object.call_method1(py, "member_output", (member, rows, columns.into_pyarray(py), choice))?;
            let outputs: PyReadonlyArray2<'_, f64> = result.extract(py)?;
            Ok(outputs.as_array().iter().copied().collect())
        })?;
        let expected = n_rows * self.n_classes;
        if outputs.len() == expected {
            Ok(outputs)
        } else {
            Err(Error::Internal("a member returned predictions for the wrong number of rows".into()))
        }
    }
}

#[derive(IntoPyObject)]
pub(crate) struct EnsembleOut<'py> {
    members: Vec<Py<PyAny>>,
    samples: Vec<RowIndexArray<'py>>,
    voting: VotingOut<'py>,
    task_digests: Vec<u64>,
    out_of_bag: Option<(f64, Bound<'py, PyArray2<f64>>)>,
    cost_matrix: Option<Bound<'py, PyArray2<f64>>>,
    threshold: Option<f64>,
    positive: u32,
}

/// Fits an ensemble with a base learner in Python.
///
/// Members are fitted one at a time on the calling thread. `task_digests` has the members of a previous fit,
/// each with a digest of its training data. A member is reused if the digest of its new training data is the
/// same. If `task_digests` is `None`, the result has no digests for a later warm start.
#[pyfunction]
#[pyo3(signature = (method, params, training, base_learner, task_digests, options))]
pub(crate) fn fit_external_ensemble<'py>(
    py: Python<'py>,
    method: &str,
    params: &str,
    training: TrainingArg<'_>,
    base_learner: Py<PyAny>,
    task_digests: Option<Vec<(u64, Py<PyAny>)>>,
    options: RunOptionsArg,
) -> PyResult<EnsembleOut<'py>> {
    let rows = training.rows()?;
    let (key, context) = (options.seed_key(), FitContext { constant: true, ..FitContext::default() });
    let (object, takes_weights) = (&base_learner, base_learner.getattr(py, "takes_weights")?.extract(py)?);
    let task_digests = task_digests.map(|task_digests| task_digests.into_iter().collect());
    let (ExternalEnsemble { assembled, task_digests, decision, positive }, stopped) =
        run_with_main_thread(py, options.callback, options.n_threads, |ctl, caller| {
            rows.with_dataset(|data, schema| {
                let (frame, codes, n_classes) = (data.frame(), data.class_codes(), data.n_classes());
                let base_learner = PyBaseLearner { object, takes_weights, frame, codes, n_classes, caller };
                let task = rows.fit_task(method, params, key, context);
                methods::fit_external_ensemble(&task, (data, &schema), (&base_learner, task_digests), ctl)
            })
        })?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    let (cost_matrix, threshold) = matrix_and_threshold(py, &decision)?;
    let judged = assembled.out_of_bag.as_ref();
    Ok(EnsembleOut {
        samples: bag_arrays(py, &assembled.samples),
        voting: VotingOut::new(py, &assembled.voting)?,
        out_of_bag: judged
            .map(|found| out_of_bag_to_python(py, found, assembled.voting.n_classes))
            .transpose()?,
        members: assembled.members,
        task_digests,
        cost_matrix,
        threshold,
        positive,
    })
}

#[derive(IntoPyObject)]
pub(crate) struct MetaCostRelabelingOut<'py> {
    classes: RowIndexArray<'py>,
    rows: RowIndexArray<'py>,
    weights: Option<Bound<'py, PyArray1<f64>>>,
    seed: u32,
    threshold: Option<f64>,
    positive: u32,
}

/// Assigns to each row the class of lowest expected cost, by models fitted in Python.
#[pyfunction]
#[pyo3(signature = (params, training, base_learner, options))]
pub(crate) fn relabel<'py>(
    py: Python<'py>,
    params: &str,
    training: TrainingArg<'_>,
    base_learner: Py<PyAny>,
    options: RunOptionsArg,
) -> PyResult<MetaCostRelabelingOut<'py>> {
    let rows = training.rows()?;
    let (key, context) = (options.seed_key(), FitContext { constant: true, ..FitContext::default() });
    let (object, takes_weights) = (&base_learner, base_learner.getattr(py, "takes_weights")?.extract(py)?);
    let (found, stopped) = run_with_main_thread(py, options.callback, options.n_threads, |ctl, caller| {
        rows.with_dataset(|data, schema| {
            let (frame, codes, n_classes) = (data.frame(), data.class_codes(), data.n_classes());
            let base_learner = PyBaseLearner { object, takes_weights, frame, codes, n_classes, caller };
            let task = rows.fit_task("metacost", params, key, context);
            methods::relabel_with_external_learner(&task, (data, &schema), &base_learner, ctl)
        })
    })?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    let MetaCostRelabeling { classes, bag, seed, decision, positive } = found;
    let (_, threshold) = matrix_and_threshold(py, &decision)?;
    Ok(MetaCostRelabelingOut {
        classes: classes.into_pyarray(py),
        rows: bag.rows.into_pyarray(py),
        weights: bag.weights.map(|weights| weights.into_pyarray(py)),
        seed,
        threshold,
        positive,
    })
}

/// Class codes and probabilities that an ensemble predicts, from its members' predictions.
#[pyfunction]
#[pyo3(signature = (voting, outputs))]
#[allow(clippy::type_complexity)]
pub(crate) fn combine_votes<'py>(
    py: Python<'py>,
    voting: VotingArg<'_>,
    outputs: Vec<PyReadonlyArray2<'_, f64>>,
) -> PyResult<(RowIndexArray<'py>, Bound<'py, PyArray2<f64>>)> {
    let voting = voting.voting()?;
    let (answers, proba) = accumulate_votes(py, &voting, &outputs, VoteAccumulator::predict_with_proba)?;
    let n_rows = answers.len();
    Ok((answers.into_pyarray(py), proba.into_pyarray(py).reshape([n_rows, voting.n_classes])?))
}

/// Decision function: one value per row for two classes, otherwise one per row and class.
#[pyfunction]
#[pyo3(signature = (voting, outputs))]
pub(crate) fn decision<'py>(
    py: Python<'py>,
    voting: VotingArg<'_>,
    outputs: Vec<PyReadonlyArray2<'_, f64>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(accumulate_votes(py, &voting.voting()?, &outputs, VoteAccumulator::decision_function)?
        .into_pyarray(py))
}

fn accumulate_votes<'b, T: Send>(
    py: Python<'_>,
    voting: &'b VotingScheme,
    outputs: &[PyReadonlyArray2<'_, f64>],
    found: impl FnOnce(VoteAccumulator<'b>) -> T + Send,
) -> PyResult<T> {
    let n_rows = outputs.first().map_or(0, |outputs| outputs.shape()[0]);
    let slices =
        outputs.iter().map(PyReadonlyArray2::as_slice).collect::<std::result::Result<Vec<_>, _>>()?;
    run_short(py, || {
        let mut tally = VoteAccumulator::new(voting, n_rows)?;
        for outputs in slices {
            tally.add_output(outputs);
        }
        Ok(found(tally))
    })
}

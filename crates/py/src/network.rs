//! Bayesian networks: structure learning, inference, and files.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::{FrameArg, contiguous_values};
use crate::calls::{
    attach_incumbent_to_error, error_to_exception, run_short, run_with_partial_result, run_without_gil,
};
use crate::network_input::{
    Evidence, GraphArg, LearningArg, METHOD, NamedRows, NominalColumns, VariableAndStateNames, nominal_table,
    parse_format, parse_params_json, parse_structure_settings,
};
use crate::training_args::RunOptionsArg;
use imbcore_bayes::infer::{QuerySettings, log_likelihood, marginals, most_probable_explanation, posterior};
use imbcore_bayes::learn::arc_strengths;
use imbcore_bayes::{
    ColumnRule, ColumnStates, DiscretizeParams, Discretizer, DiscretizerInput, MISSING, Network as Inner,
    UnseenLevelPolicy, cpdag, sample, structural_hamming_distance,
};
use imbcore_core::{Column, Error, Frame, MISSING as NO_LEVEL, Result, RunContext, SeedKey};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Weights<'py> = Option<PyReadonlyArray1<'py, f64>>;
type Arcs = Vec<(u32, u32)>;

/// Bayesian network over discrete variables, which are given by their indices.
///
/// States are given by their indices, too.
#[pyclass(frozen, module = "imbcore._imbcore")]
pub(crate) struct Network(pub(crate) Inner);

impl Network {
    fn check_variable(&self, variable: usize) -> PyResult<usize> {
        if variable < self.0.n_variables() {
            return Ok(variable);
        }
        Err(error_to_exception(Error::Internal(format!("there is no variable {variable}"))))
    }
}

#[pymethods]
impl Network {
    /// Reads a network from text; also returns warnings about corrected probability tables.
    #[staticmethod]
    fn read(py: Python<'_>, text: &str, form: &str) -> PyResult<(Self, Vec<String>)> {
        run_short(py, || (parse_format(form)?.read)(text))
            .map(|(network, warnings)| (Self(network), warnings))
    }

    fn write(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        run_short(py, || (parse_format(form)?.write)(&self.0))
    }

    #[getter]
    fn variables(&self) -> VariableAndStateNames {
        self.0.variables().iter().map(|variable| (variable.name.clone(), variable.states.clone())).collect()
    }

    /// Arcs from parent to child, ascending.
    #[getter]
    fn arcs(&self) -> Arcs {
        self.0.dag().arcs()
    }

    /// Number of free probabilities.
    #[getter]
    fn dimension(&self) -> f64 {
        self.0.cpts().iter().map(imbcore_bayes::Cpt::n_free_parameters).sum()
    }

    fn markov_blanket(&self, variable: usize) -> PyResult<Vec<u32>> {
        Ok(self.0.dag().markov_blanket(self.check_variable(variable)?))
    }

    /// Conditional probability table of a variable, with a row per combination of parent states.
    ///
    /// In the order of the rows, the state of the first parent changes slowest.
    fn cpt<'py>(&self, py: Python<'py>, variable: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let cpt = &self.0.cpts()[self.check_variable(variable)?];
        let rows = cpt.all_rows().ok_or_else(|| {
            error_to_exception(Error::Unsupported(format!(
                "the table of `{}` has {} rows, too many to list; write the network as JSON or BIF",
                self.0.variables()[variable].name,
                cpt.n_rows()
            )))
        })?;
        let cells: Vec<f64> = rows.flatten().copied().collect();
        let levels = cpt.n_child_states() as usize;
        let shape = [cells.len() / levels, levels];
        cells.into_pyarray(py).reshape(shape)
    }

    /// Joint distribution of the target variables, given the evidence.
    ///
    /// In the distribution, the variables are in ascending order of their indices. Also returns the
    /// log-probability of the evidence, and the standard errors if the distribution is estimated by sampling.
    #[pyo3(signature = (targets, evidence, approx, seed, n_threads))]
    #[allow(clippy::type_complexity)]
    fn query<'py>(
        &self,
        py: Python<'py>,
        targets: Vec<u32>,
        evidence: Evidence,
        approx: Option<usize>,
        seed: u64,
        n_threads: usize,
    ) -> PyResult<(Numbers<'py>, f64, Option<Numbers<'py>>)> {
        let found = run_without_gil(py, None, n_threads, |ctl| {
            let settings = QuerySettings { approx, key: SeedKey::root(seed), ..QuerySettings::default() };
            posterior(&self.0, &targets, &evidence, &settings, ctl)
        })?;
        let error = found.standard_error.map(|error| error.into_pyarray(py));
        Ok((found.p.into_pyarray(py), found.log_evidence, error))
    }

    /// Marginal distribution of every variable, and log-probability of the evidence.
    ///
    /// The distributions are conditional on the evidence.
    fn marginals<'py>(
        &self,
        py: Python<'py>,
        evidence: Evidence,
        n_threads: usize,
    ) -> PyResult<(Vec<Numbers<'py>>, f64)> {
        let found = run_without_gil(py, None, n_threads, |ctl| marginals(&self.0, &evidence, ctl))?;
        Ok((found.p.into_iter().map(|p| p.into_pyarray(py)).collect(), found.log_evidence))
    }

    /// Most probable states of all variables given the evidence, and their log-probability.
    fn mpe(&self, py: Python<'_>, evidence: Evidence, n_threads: usize) -> PyResult<(Vec<u16>, f64)> {
        let found =
            run_without_gil(py, None, n_threads, |ctl| most_probable_explanation(&self.0, &evidence, ctl))?;
        Ok((found.codes, found.log_probability))
    }

    /// Log-probability of the observed values of every row.
    fn log_probability<'py>(
        &self,
        py: Python<'py>,
        frame: NominalColumns<'_>,
        n_threads: usize,
    ) -> PyResult<Numbers<'py>> {
        let table = nominal_table(&frame, None).map_err(error_to_exception)?;
        let found = run_without_gil(py, None, n_threads, |ctl| log_likelihood(&self.0, &table, ctl))?;
        Ok(found.into_pyarray(py))
    }

    /// Draws random rows of state codes, as an array per variable.
    ///
    /// For the method "weighted" it also returns the weights of the rows and the effective sample size.
    #[pyo3(signature = (n, evidence, method, seed, n_threads))]
    #[allow(clippy::type_complexity)]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        evidence: Evidence,
        method: &str,
        seed: u64,
        n_threads: usize,
    ) -> PyResult<(Vec<Bound<'py, PyArray1<u16>>>, Option<(Numbers<'py>, f64)>)> {
        let (table, weights) =
            run_without_gil(py, None, n_threads, |ctl| self.draw_rows(n, &evidence, method, seed, ctl))?;
        let columns = (0..table.n_columns()).map(|column| table.codes(column).to_vec().into_pyarray(py));
        let weights = weights.map(|(weights, effective)| (weights.into_pyarray(py), effective));
        Ok((columns.collect(), weights))
    }

    /// Score of the network on the rows of a table, and its terms.
    ///
    /// There is a term for each family, which is a variable with its parents.
    #[pyo3(signature = (frame, sample_weight, params, target, n_threads))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        frame: NominalColumns<'_>,
        sample_weight: Weights<'_>,
        params: &str,
        target: Option<u32>,
        n_threads: usize,
    ) -> PyResult<(f64, Numbers<'py>)> {
        let table = nominal_table(&frame, sample_weight.as_ref()).map_err(error_to_exception)?;
        let families = run_without_gil(py, None, n_threads, |ctl| {
            let (settings, dag) = (parse_structure_settings(params)?, self.0.dag());
            let all: Vec<_> =
                (0..dag.n_variables()).map(|child| (child as u32, dag.parents(child))).collect();
            settings.family_scores(&table, target, &all, ctl)
        })?;
        Ok((families.iter().sum(), families.into_pyarray(py)))
    }

    /// Decrease of the score if an arc is removed, for each arc of the network.
    ///
    /// The arcs are in the order of `arcs`.
    #[pyo3(signature = (frame, sample_weight, params, target, n_threads))]
    fn arc_strengths<'py>(
        &self,
        py: Python<'py>,
        frame: NominalColumns<'_>,
        sample_weight: Weights<'_>,
        params: &str,
        target: Option<u32>,
        n_threads: usize,
    ) -> PyResult<Numbers<'py>> {
        let table = nominal_table(&frame, sample_weight.as_ref()).map_err(error_to_exception)?;
        let found = run_without_gil(py, None, n_threads, |ctl| {
            arc_strengths(&table, self.0.dag(), target, &parse_structure_settings(params)?, ctl)
        })?;
        let strengths: Vec<f64> = found.into_iter().map(|(_, strength)| strength).collect();
        Ok(strengths.into_pyarray(py))
    }
}

/// Random rows and, if they are weighted, their weights and the effective sample size.
type RowSampleTable = (imbcore_bayes::DiscreteTable, Option<(Vec<f64>, f64)>);

impl Network {
    fn draw_rows(
        &self,
        n: usize,
        evidence: &Evidence,
        method: &str,
        seed: u64,
        ctl: RunContext<'_>,
    ) -> Result<RowSampleTable> {
        let key = SeedKey::root(seed);
        match method {
            "exact" if evidence.is_empty() => Ok((sample::forward_sample(&self.0, n, key, ctl)?, None)),
            "exact" => Ok((sample::sample_given_evidence(&self.0, evidence, n, key, ctl)?, None)),
            "weighted" => {
                let drawn = sample::likelihood_weighting(&self.0, evidence, n, key, ctl)?;
                Ok((drawn.table, Some((drawn.weights, drawn.effective_size))))
            }
            "resampled" => {
                let drawn = sample::likelihood_weighting(&self.0, evidence, n, key, ctl)?;
                Ok((drawn.resample(n, key)?, None))
            }
            _ => {
                let expected = "\"exact\", \"weighted\" or \"resampled\"";
                Err(Error::parameter("sample", "method", expected, format!("{method:?}")))
            }
        }
    }
}

/// Learned network, with the results of the search.
///
/// They are the score, the reason why the search stopped, the number of search operations, a bound on the
/// score, and the proof of the bound as text.
type LearnedNetwork = (Network, f64, String, u32, Option<f64>, Option<String>);

/// Learns the arcs and the probabilities of a network.
///
/// If an exception stops the search, the best network so far is attached to it.
#[pyfunction]
#[pyo3(signature = (rows, params, prior, target, options))]
pub(crate) fn network_learn(
    py: Python<'_>,
    rows: NamedRows<'_>,
    params: &str,
    prior: &str,
    target: Option<u32>,
    options: RunOptionsArg,
) -> PyResult<LearnedNetwork> {
    let (table, key) = (rows.table().map_err(error_to_exception)?, options.seed_key());
    let learning = LearningArg::new(rows.variables, target, prior).map_err(error_to_exception)?;
    let ((network, found), stopped) =
        run_with_partial_result(py, options.callback, options.n_threads, |ctl| {
            learning.network_spec().learn(&table, &parse_structure_settings(params)?, key, ctl)
        })?;
    let stopped_by = serde_json::to_value(found.stopped_by).unwrap_or_default();
    let stopped_by = stopped_by.as_str().unwrap_or_default().to_owned();
    let proof = found.proof.and_then(|proof| serde_json::to_string(&proof).ok());
    let learned = (Network(network), found.score, stopped_by, found.iterations, found.bound, proof);
    match stopped {
        None => Ok(learned),
        Some(stopped) => Err(attach_incumbent_to_error(py, stopped, learned)),
    }
}

#[pyfunction]
#[pyo3(signature = (rows, arcs, prior, target, n_threads))]
pub(crate) fn network_estimate(
    py: Python<'_>,
    rows: NamedRows<'_>,
    arcs: Arcs,
    prior: &str,
    target: Option<u32>,
    n_threads: usize,
) -> PyResult<Network> {
    let (table, variables) = (rows.table().map_err(error_to_exception)?, rows.variables);
    let graph = GraphArg::new(variables.iter().map(|(name, _)| name.clone()).collect(), arcs);
    let learning = LearningArg::new(variables, target, prior).map_err(error_to_exception)?;
    let network = run_without_gil(py, None, n_threads, |ctl| {
        learning.network_spec().estimate(&table, &graph.dag()?, ctl)
    })?;
    Ok(Network(network))
}

/// Directed and undirected edges of the CPDAG of a graph.
///
/// The CPDAG represents all graphs with the same conditional independencies.
#[pyfunction]
pub(crate) fn network_cpdag(py: Python<'_>, names: Vec<String>, arcs: Arcs) -> PyResult<(Arcs, Arcs)> {
    let found = run_short(py, || Ok(cpdag(&GraphArg::new(names, arcs).dag()?)))?;
    Ok((found.directed, found.undirected))
}

#[pyfunction]
pub(crate) fn network_shd(
    py: Python<'_>,
    names: Vec<String>,
    arcs: Arcs,
    others: Arcs,
    of_cpdags: bool,
) -> PyResult<usize> {
    run_short(py, || {
        let other = GraphArg::new(names.clone(), others).dag()?;
        structural_hamming_distance(&GraphArg::new(names, arcs).dag()?, &other, of_cpdags)
    })
}

/// Cut points of every numeric column of a table; `None` for nominal columns.
#[pyfunction]
#[pyo3(signature = (frame, params, codes, n_classes, n_threads))]
pub(crate) fn network_cuts(
    py: Python<'_>,
    frame: FrameArg<'_>,
    params: &str,
    codes: Option<PyReadonlyArray1<'_, u32>>,
    n_classes: usize,
    n_threads: usize,
) -> PyResult<Vec<Option<Vec<f64>>>> {
    let frame = frame.frame().map_err(error_to_exception)?;
    let codes = codes.as_ref().map(contiguous_values);
    run_without_gil(py, None, n_threads, |ctl| {
        let settings = parse_params_json::<DiscretizeParams>(params)?.check(METHOD)?;
        let classes = codes.as_deref().map(|codes| (codes, n_classes));
        let training = DiscretizerInput { frame: &frame, classes, weights: None };
        let known = |&row: &u32| classes.is_none_or(|(codes, n)| (codes[row as usize] as usize) < n);
        let rows: Vec<u32> = settings.training_rows(&training)?.into_iter().filter(known).collect();
        let found = settings.learn(&training, &rows, ctl)?;
        let cuts = |rule: ColumnRule| match rule.values {
            ColumnStates::Cuts(cuts) => Some(cuts),
            ColumnStates::Levels(_) => None,
        };
        Ok(found.columns.into_iter().map(cuts).collect())
    })
}

/// Bin index of each number; 4294967295 if the number is missing.
///
/// The bin index is the number of cut points below the number.
#[pyfunction]
pub(crate) fn network_bins<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'_, f64>,
    cuts: Vec<f64>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let values = contiguous_values(&values);
    let codes = run_short(py, || {
        let rule = ColumnRule { values: ColumnStates::Cuts(cuts), gap_state: false };
        let discretizer = Discretizer { columns: vec![rule], handle_unknown: UnseenLevelPolicy::Missing };
        let frame = Frame::new(vec![Column::from_numbers(&values)])?;
        discretizer.encode(&frame, &[0], RunContext::silent())
    })?;
    let wide = |&code: &u16| if code == MISSING { NO_LEVEL } else { u32::from(code) };
    let codes: Vec<u32> = codes.iter().flatten().map(wide).collect();
    Ok(codes.into_pyarray(py))
}

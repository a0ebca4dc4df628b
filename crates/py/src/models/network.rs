//! Bayesian classifiers: predictions, their networks, and classes they never predict.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::json_document::document_to_python;
use crate::models::model::{Contributions, Model};
use crate::network::Network;
use imbcore_bayes::classifier::BayesModel;
use imbcore_bayes::{ColumnRule, ColumnStates};
use imbcore_core::{ColumnBuf, Error, SeedKey};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct NetworkModel;

impl NetworkModel {
    fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn bayes<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a BayesModel> {
        let model = &Self::model(this).0;
        model
            .fitted_estimator()
            .bayes()
            .ok_or_else(|| error_to_exception(model.unsupported_error("is not a Bayesian classifier")))
    }
}

#[pymethods]
impl NetworkModel {
    /// Class probabilities under the class prior of the training rows, `n_rows x n_classes`.
    fn calibrated_proba<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let found = Self::bayes(this)?;
        let proba = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            found.calibrated_proba(frame, ctl)
        })?;
        let n_classes = Self::model(this).0.n_classes();
        let shape = [proba.len() / n_classes, n_classes];
        proba.into_pyarray(this.py()).reshape(shape)
    }

    /// Log-probability of the feature values of every row.
    fn log_probability<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = Self::bayes(this)?;
        let logs = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            found.row_log_probabilities(frame, ctl)
        })?;
        Ok(logs.into_pyarray(this.py()))
    }

    /// Weight of evidence (log-odds) of every feature for a class, and the prior log-odds.
    fn weights_of_evidence<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        label: usize,
        n_threads: usize,
    ) -> PyResult<Contributions<'py>> {
        let found = Self::bayes(this)?;
        Self::model(this).contributions(this.py(), &frame, None, n_threads, |frame, _, ctl| {
            found.weights_of_evidence(frame, label, ctl)
        })
    }

    #[getter]
    fn size(this: &Bound<'_, Self>) -> PyResult<String> {
        let found = Self::bayes(this)?;
        let arcs: usize = found.members().iter().map(|member| member.network.dag().arcs().len()).sum();
        Ok(match found.members().len() {
            1 => format!("{arcs} arcs"),
            n => format!("{n} networks, {arcs} arcs"),
        })
    }

    /// Explanation of why some classes are never predicted.
    fn diagnosis<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (found, model) = (Self::bayes(this)?, &Self::model(this).0);
        let diagnosis = run_without_gil(this.py(), None, 1, |ctl| {
            let diagnosis = found.diagnose_zero_recall(model.schema(), ctl)?;
            serde_json::to_value(&diagnosis).map_err(|error| Error::Internal(error.to_string()))
        })?;
        document_to_python(this.py(), &diagnosis)
    }

    #[getter]
    fn n_networks(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::bayes(this)?.members().len())
    }

    /// Network of an ensemble member, and the cut points of each of its variables.
    ///
    /// Variables and states of the network have the names of columns, bins, levels and classes. The cut
    /// points are `None` for nominal columns, for the class, and for numeric columns in which missing values
    /// are a state.
    #[allow(clippy::type_complexity)]
    fn network(this: &Bound<'_, Self>, member: usize) -> PyResult<(Network, Vec<Option<Vec<f64>>>)> {
        let (found, model) = (Self::bayes(this)?, &Self::model(this).0);
        run_short(this.py(), || {
            let Some(one) = found.members().get(member) else {
                let n = found.members().len();
                return Err(Error::Data(format!("there is no network {member}; the model has {n}")));
            };
            let rules = &found.discretizer(member).columns;
            let cuts = |&column: &u32| match &rules[column as usize] {
                ColumnRule { values: ColumnStates::Cuts(cuts), gap_state: false } => Some(cuts.clone()),
                _ => None,
            };
            let cuts = one.columns.iter().map(cuts).chain([None]).collect();
            Ok((Network(found.network_with_names(member, model.schema())?), cuts))
        })
    }

    /// Draws random rows: an array of numbers or level codes per column, and the class codes.
    #[pyo3(signature = (n, class_code, seed, n_threads))]
    #[allow(clippy::type_complexity)]
    fn sample<'py>(
        this: &Bound<'py, Self>,
        n: usize,
        class_code: Option<u32>,
        seed: u64,
        n_threads: usize,
    ) -> PyResult<(Vec<Bound<'py, PyAny>>, Bound<'py, PyArray1<u32>>)> {
        let (found, key) = (Self::bayes(this)?, SeedKey::root(seed));
        let (rows, classes) =
            run_without_gil(this.py(), None, n_threads, |ctl| found.sample(n, class_code, key, ctl))?;
        let column = |column: ColumnBuf| match column {
            ColumnBuf::Numeric(values) => values.into_pyarray(this.py()).into_any(),
            ColumnBuf::Nominal { codes, .. } => codes.into_pyarray(this.py()).into_any(),
        };
        Ok((rows.into_columns().into_iter().map(column).collect(), classes.into_pyarray(this.py())))
    }
}

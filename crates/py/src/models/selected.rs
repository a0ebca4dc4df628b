//! Ensembles of selected members: weights, leaderboard and held-out predictions.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short};
use crate::models::model::Model;
use crate::python_members::out_of_bag_to_python;
use imbcore_core::Error;
use imbcore_ensembles::selection::{AdditiveContributions, SelectedEnsemble};
use imbcore_methods::FittedEstimator;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods, ToPyArray,
};
use pyo3::prelude::*;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct SelectedModel;

impl SelectedModel {
    fn selected<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a SelectedEnsemble<FittedEstimator>> {
        let model = &this.as_super().get().0;
        let found = model.fitted_estimator().selected_ensemble();
        found.ok_or_else(|| {
            error_to_exception(model.unsupported_error("is not an ensemble of selected members"))
        })
    }
}

#[pymethods]
impl SelectedModel {
    #[getter]
    fn weights<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(Self::selected(this)?.ensemble().voting().votes.to_pyarray(this.py()))
    }

    /// JSON list of all candidate models, with their scores and weights in the ensemble.
    #[getter]
    fn leaderboard(this: &Bound<'_, Self>) -> PyResult<String> {
        let board = Self::selected(this)?.leaderboard();
        run_short(this.py(), || {
            serde_json::to_string(board).map_err(|error| Error::Internal(error.to_string()))
        })
    }

    /// Time in seconds for the fit of each candidate.
    ///
    /// `None` for candidates that were not fitted, and for all candidates of a loaded model.
    #[getter]
    fn seconds(this: &Bound<'_, Self>) -> PyResult<Vec<Option<f64>>> {
        Ok(Self::selected(this)?.leaderboard().entries.iter().map(|entry| entry.seconds).collect())
    }

    /// Contributions of features to the probability of a class, and the base value.
    ///
    /// The probability is computed from other numbers, such as the log-odds. `values` has the contributions
    /// of the features to these numbers, and `bases` the base values of these numbers.
    #[staticmethod]
    fn probability_contributions<'py>(
        py: Python<'py>,
        values: Vec<PyReadonlyArray2<'py, f64>>,
        bases: Vec<f64>,
        class: usize,
        factors: Option<Vec<f64>>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, f64)> {
        let n_features = values.first().map_or(1, |values| values.shape()[1]);
        let slices = values.iter().map(|values| values.as_slice()).collect::<Result<Vec<_>, _>>()?;
        let numbers =
            AdditiveContributions { values: &slices, bases: &bases, n_features, factors: factors.as_deref() };
        let (found, base) = numbers.probability_contributions(class);
        let shape = [found.len() / n_features.max(1), n_features];
        Ok((found.into_pyarray(py).reshape(shape)?, base))
    }

    /// Score and predictions on held-out rows; `None` if the fit has not kept them.
    #[allow(clippy::type_complexity)]
    fn out_of_bag<'py>(this: &Bound<'py, Self>) -> PyResult<Option<(f64, Bound<'py, PyArray2<f64>>)>> {
        let found = Self::selected(this)?.ensemble().out_of_bag();
        let n_classes = this.as_super().get().0.n_classes();
        found.map(|found| out_of_bag_to_python(this.py(), found, n_classes)).transpose()
    }
}

//! Ensembles: voting scheme, bags and out-of-bag scores.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::error_to_exception;
use crate::models::model::Model;
use crate::python_members::{VotingOut, bag_arrays, out_of_bag_to_python};
use imbcore_ensembles::generic::Ensemble;
use imbcore_methods::FittedEstimator;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct EnsembleModel;

impl EnsembleModel {
    pub(crate) fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn ensemble<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a Ensemble<FittedEstimator>> {
        let model = &Self::model(this).0;
        model
            .fitted_estimator()
            .ensemble()
            .ok_or_else(|| error_to_exception(model.unsupported_error("is not an ensemble")))
    }
}

#[pymethods]
impl EnsembleModel {
    #[getter]
    fn n_members(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::ensemble(this)?.members().len())
    }

    #[getter]
    fn voting<'py>(this: &Bound<'py, Self>) -> PyResult<VotingOut<'py>> {
        VotingOut::new(this.py(), Self::ensemble(this)?.voting())
    }

    /// Training rows in the bag of each member; empty for a model loaded from a file.
    #[getter]
    fn samples<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
        Ok(bag_arrays(this.py(), Self::ensemble(this)?.bag_rows()))
    }

    /// Decision function: one value per row for two classes, otherwise one per row and class.
    fn decision_function<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let ensemble = Self::ensemble(this)?;
        let found = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            ensemble.decision_function(frame, ctl)
        })?;
        Ok(found.into_pyarray(this.py()))
    }

    /// Out-of-bag score, and out-of-bag predictions of the training rows, if available.
    #[allow(clippy::type_complexity)]
    fn out_of_bag<'py>(this: &Bound<'py, Self>) -> PyResult<Option<(f64, Bound<'py, PyArray2<f64>>)>> {
        let (found, n_classes) = (Self::ensemble(this)?.out_of_bag(), Self::model(this).0.n_classes());
        found.map(|found| out_of_bag_to_python(this.py(), found, n_classes)).transpose()
    }
}

//! Logistic regression: coefficients, scores and design matrix.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::error_to_exception;
use crate::models::model::{Contributions, Model};
use imbcore_linear::LogisticModel;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Table<'py> = Bound<'py, PyArray2<f64>>;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct LinearModel;

impl LinearModel {
    fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn linear<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a LogisticModel> {
        let model = &Self::model(this).0;
        model
            .fitted_estimator()
            .linear()
            .ok_or_else(|| error_to_exception(model.unsupported_error("is not a logistic regression")))
    }
}

#[pymethods]
impl LinearModel {
    #[getter]
    fn intercept<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::linear(this)?.intercepts().into_pyarray(this.py()))
    }

    /// Coefficients of the design columns, `n_scores x n_design_columns`.
    #[getter]
    fn coef<'py>(this: &Bound<'py, Self>) -> PyResult<Table<'py>> {
        let model = Self::linear(this)?;
        let shape = [model.n_scores(), model.n_design_columns()];
        model.coefficients().into_pyarray(this.py()).reshape(shape)
    }

    #[getter]
    fn design_names(this: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        Ok(Self::linear(this)?.design_column_names(Self::model(this).0.schema()))
    }

    /// Value of C, the inverse strength of the penalty.
    #[getter]
    fn c(this: &Bound<'_, Self>) -> PyResult<f64> {
        Ok(Self::linear(this)?.inverse_penalty_strength())
    }

    /// Tried values of C, and the held-out log loss of each value.
    #[getter]
    fn path<'py>(this: &Bound<'py, Self>) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
        let (values, losses): (Vec<f64>, Vec<f64>) =
            Self::linear(this)?.penalty_candidate_losses().iter().copied().unzip();
        Ok((values.into_pyarray(this.py()), losses.into_pyarray(this.py())))
    }

    #[getter]
    fn feature_importances<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::linear(this)?.feature_importances().into_pyarray(this.py()))
    }

    fn scores<'py>(this: &Bound<'py, Self>, frame: FrameArg<'_>, n_threads: usize) -> PyResult<Table<'py>> {
        let linear = Self::linear(this)?;
        let found = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            linear.scores(frame, ctl)
        })?;
        let shape = [found.len() / linear.n_scores(), linear.n_scores()];
        found.into_pyarray(this.py()).reshape(shape)
    }

    fn design_matrix<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Table<'py>> {
        let linear = Self::linear(this)?;
        let n_rows = frame.frame().map_err(error_to_exception)?.n_rows();
        let found = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            linear.design_matrix(frame, ctl)
        })?;
        found.into_pyarray(this.py()).reshape([n_rows, linear.n_design_columns()])
    }

    /// Shapley values of the features for the score of a class, and the base value.
    fn shapley<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        label: usize,
        background: Option<FrameArg<'_>>,
        n_threads: usize,
    ) -> PyResult<Contributions<'py>> {
        let linear = Self::linear(this)?;
        let (py, others) = (this.py(), background.as_ref());
        Self::model(this).contributions(py, &frame, others, n_threads, |frame, others, ctl| {
            linear.shapley(frame, label, others, ctl)
        })
    }
}

//! Boosted trees: scores, rounds and structure.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short};
use crate::models::model::{Contributions, Model};
use imbcore_trees::boosted::BoostedModel as Boosted;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct BoostedModel;

impl BoostedModel {
    fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn trees<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a Boosted> {
        let model = &Self::model(this).0;
        model
            .fitted_estimator()
            .boosted()
            .ok_or_else(|| error_to_exception(model.unsupported_error("is not made of boosted trees")))
    }
}

#[pymethods]
impl BoostedModel {
    #[getter]
    fn n_rounds(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::trees(this)?.n_rounds())
    }

    #[getter]
    fn n_trees(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::trees(this)?.n_trees())
    }

    #[getter]
    fn n_leaves(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::trees(this)?.n_leaves())
    }

    #[getter]
    fn depth(this: &Bound<'_, Self>) -> PyResult<u32> {
        Ok(Self::trees(this)?.depth())
    }

    #[getter]
    fn feature_importances<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::trees(this)?.feature_importances().into_pyarray(this.py()))
    }

    /// Initial scores, to which the trees add their leaf values.
    #[getter]
    fn start<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::trees(this)?.initial_scores().to_vec().into_pyarray(this.py()))
    }

    /// Loss on held-out rows after every round; empty without early stopping.
    ///
    /// The loss is the log loss or the negative average precision, as a parameter of the fit selects.
    #[getter]
    fn path<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::trees(this)?.stopping_scores().to_vec().into_pyarray(this.py()))
    }

    fn truncate<'py>(this: &Bound<'py, Self>, n: usize) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let model = Self::model(this);
        let first = run_short(py, || model.0.truncate(n))?;
        Bound::new(py, PyClassInitializer::from(Model(first)).add_subclass(Self))
    }

    /// Weight of the training rows by node and class, for one tree (`n_nodes x n_classes`).
    fn masses<'py>(this: &Bound<'py, Self>, tree: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (tree, ..) = Self::trees(this)?.tree(tree).map_err(error_to_exception)?;
        let masses: Vec<f64> =
            (0..tree.n_nodes()).flat_map(|node| tree.class_masses(node).into_owned()).collect();
        masses.into_pyarray(this.py()).reshape([tree.n_nodes(), tree.n_classes()])
    }

    fn scores<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let trees = Self::trees(this)?;
        let found = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            trees.scores(frame, ctl)
        })?;
        let shape = [found.len() / trees.n_scores(), trees.n_scores()];
        found.into_pyarray(this.py()).reshape(shape)
    }

    /// Index of the leaf that each row reaches in each tree, `n_rows x n_trees`.
    fn apply<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let trees = Self::trees(this)?;
        let leaves = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            Ok(trees.apply(frame, ctl)?.into_iter().map(i64::from).collect::<Vec<_>>())
        })?;
        let shape = [leaves.len() / trees.n_trees(), trees.n_trees()];
        leaves.into_pyarray(this.py()).reshape(shape)
    }

    /// Shapley values of the features for the score of a class, and the base value.
    fn shapley<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        label: usize,
        background: Option<FrameArg<'_>>,
        n_threads: usize,
    ) -> PyResult<Contributions<'py>> {
        let trees = Self::trees(this)?;
        let (py, others) = (this.py(), background.as_ref());
        Self::model(this).contributions(py, &frame, others, n_threads, |frame, others, ctl| {
            trees.shapley(frame, label, others, ctl)
        })
    }
}

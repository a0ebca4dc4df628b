//! Forests: trees and out-of-bag scores.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short};
use crate::models::model::{Contributions, Model};
use crate::models::tree::TreeModel;
use crate::python_members::out_of_bag_to_python;
use imbcore_ensembles::ForestModel as Forest;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct ForestModel;

impl ForestModel {
    fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn forest<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a Forest> {
        let model = &Self::model(this).0;
        model
            .fitted_estimator()
            .forest()
            .ok_or_else(|| error_to_exception(model.unsupported_error("is not a forest")))
    }
}

#[pymethods]
impl ForestModel {
    #[getter]
    fn n_nodes(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::forest(this)?.n_nodes())
    }

    #[getter]
    fn n_leaves(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::forest(this)?.n_leaves())
    }

    #[getter]
    fn depth(this: &Bound<'_, Self>) -> PyResult<u32> {
        Ok(Self::forest(this)?.depth())
    }

    #[getter]
    fn feature_importances<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::forest(this)?.feature_importances().to_vec().into_pyarray(this.py()))
    }

    #[getter]
    fn n_trees(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::forest(this)?.n_trees())
    }

    #[getter]
    fn n_bytes(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::forest(this)?.memory_size_bytes())
    }

    /// Parameter alpha of the split criterion, by tree; empty if it is the same for all trees.
    #[getter]
    fn alphas<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        Ok(Self::forest(this)?.criterion_alpha_by_tree().to_vec().into_pyarray(this.py()))
    }

    /// Shrinkage of the leaves; held-out log losses of the forest and of the class proportions.
    #[getter]
    fn shrinkage<'py>(this: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(choice) = Self::forest(this)?.shrinkage() else { return Ok(None) };
        let found = PyDict::new(this.py());
        found.set_item("amount", choice.amount)?;
        found.set_item("scale", choice.scale)?;
        found.set_item("log_loss", choice.evidence.log_loss)?;
        found.set_item("prior_log_loss", choice.evidence.prior_log_loss)?;
        found.set_item("n_rows", choice.evidence.n_rows)?;
        found.set_item("beats_prior", choice.evidence.beats_prior)?;
        Ok(Some(found))
    }

    /// Factors by which the prior correction multiplies class probabilities, if it is enabled.
    #[getter]
    fn prior_factors(this: &Bound<'_, Self>) -> PyResult<Option<Vec<f64>>> {
        Ok(Self::forest(this)?.prior_correction().map(|shift| shift.factors().to_vec()))
    }

    fn member<'py>(this: &Bound<'py, Self>, tree: usize) -> PyResult<Bound<'py, TreeModel>> {
        let model = Self::model(this);
        TreeModel::wrap(this.py(), run_short(this.py(), || model.0.member(tree))?)
    }

    /// Out-of-bag score, and out-of-bag predictions of the training rows, if available.
    #[allow(clippy::type_complexity)]
    fn out_of_bag<'py>(this: &Bound<'py, Self>) -> PyResult<Option<(f64, Bound<'py, PyArray2<f64>>)>> {
        let (found, n_classes) = (Self::forest(this)?.out_of_bag(), Self::model(this).0.n_classes());
        found.map(|found| out_of_bag_to_python(this.py(), found, n_classes)).transpose()
    }

    /// Whether each training row is out of the bag of each tree, `n_rows x n_trees`.
    fn left_out<'py>(this: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<bool>>>> {
        let forest = Self::forest(this)?;
        let matrix = |found: Vec<bool>| {
            let shape = [found.len() / forest.n_trees(), forest.n_trees()];
            found.into_pyarray(this.py()).reshape(shape)
        };
        forest.out_of_bag_mask().map(matrix).transpose()
    }

    /// Class probabilities that each tree predicts, `n_trees x n_rows x n_classes`.
    fn trees_proba<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let (forest, model) = (Self::forest(this)?, Self::model(this));
        let proba = model.run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            forest.trees_proba(frame, ctl)
        })?;
        let (n_trees, n_classes) = (forest.n_trees(), model.0.n_classes());
        let n_rows = proba.len() / (n_trees * n_classes);
        proba.into_pyarray(this.py()).reshape([n_trees, n_rows, n_classes])
    }

    /// Shapley values of the features for the probability of a class, and the base value.
    fn shapley<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        label: usize,
        background: Option<FrameArg<'_>>,
        n_threads: usize,
    ) -> PyResult<Contributions<'py>> {
        let forest = Self::forest(this)?;
        let (py, others) = (this.py(), background.as_ref());
        Self::model(this).contributions(py, &frame, others, n_threads, |frame, others, ctl| {
            forest.shapley(frame, label, others, ctl)
        })
    }

    /// Index of the leaf that each row reaches in each tree, `n_rows x n_trees`.
    fn apply<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let forest = Self::forest(this)?;
        let leaves = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            Ok(forest.apply(frame, ctl)?.into_iter().map(i64::from).collect::<Vec<_>>())
        })?;
        let shape = [leaves.len() / forest.n_trees(), forest.n_trees()];
        leaves.into_pyarray(this.py()).reshape(shape)
    }
}

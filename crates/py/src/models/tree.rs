//! Single trees: structure, rules as text and JSON, and the paths of rows.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short};
use crate::json_document::document_to_python;
use crate::models::model::{Contributions, Model, check_decimals};
use crate::training_args::Codes;
use imbcore_core::{Error, Result};
use imbcore_methods as methods;
use imbcore_trees::{TextStyle, TreeModel as Tree};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type NodeIndexArray<'py> = Bound<'py, PyArray1<i64>>;
type PruningPathArrays<'py> = (Numbers<'py>, Numbers<'py>, NodeIndexArray<'py>, Vec<NodeIndexArray<'py>>);

#[pyclass(frozen, subclass, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct SingleTree;

/// A single tree that can be pruned.
#[pyclass(frozen, extends = SingleTree, module = "imbcore._imbcore.models")]
pub(crate) struct TreeModel;

impl TreeModel {
    /// Creates the Python object for a model, which must be a single tree.
    pub(crate) fn wrap(py: Python<'_>, model: methods::Model) -> PyResult<Bound<'_, Self>> {
        let base = PyClassInitializer::from(Model(model)).add_subclass(SingleTree);
        Bound::new(py, base.add_subclass(Self))
    }
}

fn check_class_code(model: &methods::Model, code: usize) -> Result<usize> {
    if code < model.n_classes() {
        Ok(code)
    } else {
        Err(Error::Internal(format!("there is no class {code}")))
    }
}

fn text_style(
    model: &methods::Model,
    max_depth: Option<u32>,
    decimals: usize,
    positive: usize,
) -> PyResult<TextStyle> {
    let positive = check_class_code(model, positive).map_err(error_to_exception)?;
    let (decimals, holes) = (check_decimals(decimals)?, model.accepts_missing());
    Ok(TextStyle { max_depth, decimals, show_weights: false, positive, show_missing: holes })
}

fn to_i64(nodes: Vec<u32>) -> Vec<i64> {
    nodes.into_iter().map(i64::from).collect()
}

impl SingleTree {
    fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn tree<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a Tree> {
        Self::model(this).0.require_single_tree().map_err(error_to_exception)
    }
}

#[pymethods]
impl SingleTree {
    #[getter]
    fn n_nodes(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::tree(this)?.tree().n_nodes())
    }

    #[getter]
    fn n_leaves(this: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Self::tree(this)?.tree().n_leaves())
    }

    #[getter]
    fn depth(this: &Bound<'_, Self>) -> PyResult<u32> {
        Ok(Self::tree(this)?.tree().depths().into_iter().max().unwrap_or_default())
    }

    #[getter]
    fn feature_importances<'py>(this: &Bound<'py, Self>) -> PyResult<Numbers<'py>> {
        let found = Self::model(this).0.feature_importances().map_err(error_to_exception)?;
        Ok(found.into_pyarray(this.py()))
    }

    fn apply<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<NodeIndexArray<'py>> {
        let (py, tree) = (this.py(), Self::tree(this)?);
        let leaves = Self::model(this).run_on_frame(py, &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            Ok(to_i64(tree.apply(frame, ctl)?))
        })?;
        Ok(leaves.into_pyarray(py))
    }

    /// Shapley values of the features for the probability of a class, and the base value.
    fn shapley<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        label: usize,
        background: Option<FrameArg<'_>>,
        n_threads: usize,
    ) -> PyResult<Contributions<'py>> {
        let tree = Self::tree(this)?;
        let (py, others) = (this.py(), background.as_ref());
        Self::model(this).0.require_selected_tree_proba().map_err(error_to_exception)?;
        Self::model(this).contributions(py, &frame, others, n_threads, |frame, others, ctl| {
            tree.shapley(frame, label, others, ctl)
        })
    }

    /// Start of each row's path in a list of nodes; list of nodes with the paths of all rows.
    fn decision_path<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<(NodeIndexArray<'py>, NodeIndexArray<'py>)> {
        let (py, tree) = (this.py(), Self::tree(this)?);
        let (starts, nodes) =
            Self::model(this).run_on_frame(py, &frame, n_threads, |model, frame, ctl| {
                model.check_frame(frame)?;
                let (starts, nodes) = tree.decision_path(frame, ctl)?;
                let starts: Vec<i64> = starts.into_iter().map(|start| start.cast_signed() as i64).collect();
                Ok((starts, to_i64(nodes)))
            })?;
        Ok((starts.into_pyarray(py), nodes.into_pyarray(py)))
    }

    /// The nodes as dicts, each parent before its children.
    #[pyo3(signature = (decimals = 3))]
    fn nodes<'py>(this: &Bound<'py, Self>, decimals: usize) -> PyResult<Bound<'py, PyAny>> {
        let (decimals, tree, model) = (check_decimals(decimals)?, Self::tree(this)?, &Self::model(this).0);
        document_to_python(
            this.py(),
            &run_short(this.py(), || Ok(tree.nodes_json(model.schema(), decimals)))?,
        )
    }

    fn text(
        this: &Bound<'_, Self>,
        max_depth: Option<u32>,
        decimals: usize,
        show_weights: bool,
        positive: usize,
    ) -> PyResult<String> {
        let (tree, model) = (Self::tree(this)?, &Self::model(this).0);
        let style = TextStyle { show_weights, ..text_style(model, max_depth, decimals, positive)? };
        run_short(this.py(), || Ok(tree.to_text(model.schema(), style)))
    }

    fn dot(
        this: &Bound<'_, Self>,
        max_depth: Option<u32>,
        decimals: usize,
        positive: usize,
    ) -> PyResult<String> {
        let (tree, model) = (Self::tree(this)?, &Self::model(this).0);
        let style = text_style(model, max_depth, decimals, positive)?;
        run_short(this.py(), || Ok(tree.to_dot(model.schema(), style)))
    }

    /// Rule of each leaf, with the probability of the class `positive`.
    fn rules<'py>(this: &Bound<'py, Self>, positive: usize) -> PyResult<Bound<'py, PyAny>> {
        let (tree, model) = (Self::tree(this)?, &Self::model(this).0);
        let found = run_short(this.py(), || {
            let positive = check_class_code(model, positive)?;
            Ok(tree.leaf_rules_json(model.schema(), positive, model.accepts_missing()))
        })?;
        document_to_python(this.py(), &found)
    }

    /// Rules of the boxes that together form the region in which a class is predicted.
    fn region_rules<'py>(this: &Bound<'py, Self>, label: usize) -> PyResult<Bound<'py, PyAny>> {
        let (tree, model) = (Self::tree(this)?, &Self::model(this).0);
        let found = run_short(this.py(), || {
            let label = check_class_code(model, label)?;
            Ok(tree.region_rules_json(model.schema(), label, model.accepts_missing()))
        })?;
        document_to_python(this.py(), &found)
    }

    /// Lower and upper bounds of the boxes in `region_rules`, of shape (boxes, features, 2).
    fn region_bounds<'py>(this: &Bound<'py, Self>, label: usize) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let (tree, model) = (Self::tree(this)?, &Self::model(this).0);
        let n_features = model.schema().features.len();
        let bounds = run_short(this.py(), || {
            let (roots, parents) =
                (tree.class_region_roots(check_class_code(model, label)?), tree.tree().parents());
            let bounds = roots.iter().flat_map(|&root| {
                let bounds = tree.path_bounds(root, n_features, &parents);
                bounds.lower.into_iter().zip(bounds.upper).flat_map(|(lower, upper)| [lower, upper])
            });
            Ok(bounds.collect::<Vec<f64>>())
        })?;
        let n_boxes = bounds.len() / (2 * n_features);
        bounds.into_pyarray(this.py()).reshape([n_boxes, n_features, 2])
    }

    /// Number of the given rows by node and class, `n_nodes x n_classes`.
    fn rule_masses<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        codes: Codes<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        Self::model(this).rule_masses(this.py(), &frame, &codes, n_threads)
    }
}

impl TreeModel {
    pub(crate) fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        SingleTree::model(this.as_super())
    }
}

#[pymethods]
impl TreeModel {
    /// Pruning path: for each step, alpha, risk, number of leaves, and the nodes it prunes.
    #[pyo3(signature = (risk))]
    fn pruning_path<'py>(this: &Bound<'py, Self>, risk: Option<&str>) -> PyResult<PruningPathArrays<'py>> {
        let (py, model) = (this.py(), Self::model(this));
        let path = run_short(py, || model.0.pruning_path(risk))?;
        Ok((
            path.alphas.into_pyarray(py),
            path.risks.into_pyarray(py),
            to_i64(path.leaves).into_pyarray(py),
            path.pruned.into_iter().map(|nodes| to_i64(nodes).into_pyarray(py)).collect(),
        ))
    }

    #[pyo3(signature = (alpha, risk))]
    fn pruned<'py>(this: &Bound<'py, Self>, alpha: f64, risk: Option<&str>) -> PyResult<Bound<'py, Self>> {
        let model = Self::model(this);
        Self::wrap(this.py(), run_short(this.py(), || model.0.pruned(alpha, risk))?)
    }
}

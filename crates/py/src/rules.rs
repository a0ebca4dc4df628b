//! The rules of trees as text and JSON, and what rules hold of given rows.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{quick, run, to_python};
use crate::model::{Model, digits};
use crate::parcels::{Codes, Weights, contiguous};
use imbcore_base::{Dataset, Error, Result};
use imbcore_tree::TextStyle;
use numpy::{IntoPyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// A class code that exists.
fn class(model: &Model, code: usize) -> Result<usize> {
    if code < model.0.n_classes() {
        Ok(code)
    } else {
        Err(Error::Internal(format!("there is no class {code}")))
    }
}

/// How texts are written that speak of the class `positive`.
fn style(model: &Model, max_depth: Option<u32>, decimals: usize, positive: usize) -> PyResult<TextStyle> {
    let positive = class(model, positive).map_err(to_python)?;
    let (decimals, holes) = (digits(decimals)?, model.0.takes_missing());
    Ok(TextStyle { max_depth, decimals, show_weights: false, positive, holes })
}

/// A tree as indented text.
#[pyfunction]
pub(crate) fn tree_text(
    py: Python<'_>,
    model: &Model,
    max_depth: Option<u32>,
    decimals: usize,
    show_weights: bool,
    positive: usize,
) -> PyResult<String> {
    let style = TextStyle { show_weights, ..style(model, max_depth, decimals, positive)? };
    quick(py, || Ok(model.tree()?.text(model.0.schema(), style)))
}

/// A tree in the DOT language.
#[pyfunction]
pub(crate) fn tree_dot(
    py: Python<'_>,
    model: &Model,
    max_depth: Option<u32>,
    decimals: usize,
    positive: usize,
) -> PyResult<String> {
    let style = style(model, max_depth, decimals, positive)?;
    quick(py, || Ok(model.tree()?.dot(model.0.schema(), style)))
}

/// The rules of the leaves as JSON; they speak of the class `positive`.
#[pyfunction]
pub(crate) fn tree_rules(py: Python<'_>, model: &Model, positive: usize) -> PyResult<String> {
    let holes = model.0.takes_missing();
    quick(py, || {
        let positive = class(model, positive)?;
        Ok(model.tree()?.rules(model.0.schema(), positive, holes).to_string())
    })
}

/// The region of a class as boxes: their rules as JSON, and the bounds of every feature, `n_boxes x n_features x 2`.
#[pyfunction]
pub(crate) fn tree_region<'py>(
    py: Python<'py>,
    model: &Model,
    label: usize,
) -> PyResult<(String, Bound<'py, PyArray3<f64>>)> {
    let (n_features, holes) = (model.0.schema().features.len(), model.0.takes_missing());
    let (rules, bounds) = quick(py, || {
        let tree = model.tree()?;
        let (roots, parents) = (tree.region(class(model, label)?), tree.tree().parents());
        let bounds = roots.iter().flat_map(|&root| {
            let bounds = tree.bounds(root, n_features, &parents);
            bounds.lower.into_iter().zip(bounds.upper).flat_map(|(lower, upper)| [lower, upper])
        });
        let rules = tree.region_rules(model.0.schema(), label, holes).to_string();
        Ok((rules, bounds.collect::<Vec<f64>>()))
    })?;
    let n_boxes = bounds.len() / (2 * n_features);
    Ok((rules, bounds.into_pyarray(py).reshape([n_boxes, n_features, 2])?))
}

/// Weight of every class among the given rows in every node of a tree, or in every box and, last, in none.
#[pyfunction]
pub(crate) fn rule_masses<'py>(
    py: Python<'py>,
    model: &Model,
    frame: FrameArg<'_>,
    codes: Codes<'_>,
    n_classes: usize,
    sample_weight: Weights<'_>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (frame, codes) = (frame.frame().map_err(to_python)?, contiguous(&codes)?);
    let weights = sample_weight.as_ref().map(contiguous).transpose()?;
    let masses = run(py, None, n_threads, |ctl| {
        let data = Dataset::new(frame.clone(), codes, n_classes, weights)?;
        model.0.rule_masses(&data, ctl)
    })?;
    let n_rules = masses.len() / n_classes;
    masses.into_pyarray(py).reshape([n_rules, n_classes])
}

/// A name or a level as texts of rules write it.
#[pyfunction]
pub(crate) fn quoted(text: &str) -> String {
    imbcore_base::quoted(text).into_owned()
}

//! Box drawings: their rules, bounds and trajectories, and scores for the choice of settings.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::border::{quick, run, to_python};
use crate::model::Model;
use crate::parcels::{Codes, OptionsArg, TrainingArg, Weights, contiguous};
use imbcore_base::{Error, Result};
use imbcore_boxes::prim::Change;
use imbcore_boxes::{BoxModel, NO_BOX, Scores};
use imbcore_methods::{self as methods, BoxSelection};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::{Value, json};

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Matrix<'py> = Bound<'py, PyArray2<f64>>;

pub(crate) fn boxes(model: &Model) -> Result<&BoxModel> {
    model.0.fitted().boxes().ok_or_else(|| model.0.is_not("is not a box drawing"))
}

/// What is said of a model whose answers do not follow its boxes.
const OTHERWISE: &str = "those of its threshold or costs, which the boxes do not follow";

/// The boxes as text, JSON or SQL.
#[pyfunction]
#[pyo3(signature = (model, form, decimals, all_bounds))]
pub(crate) fn box_rules(
    py: Python<'_>,
    model: &Model,
    form: &str,
    decimals: usize,
    all_bounds: bool,
) -> PyResult<String> {
    quick(py, || {
        let drawing = boxes(model)?;
        let rules = drawing.rules(model.0.schema(), all_bounds);
        let follows = drawing.follows(model.0.decision())?;
        match form {
            "text" if decimals > 400 => {
                Err(Error::parameter("export", "decimals", "a whole number of at most 400", decimals))
            }
            "text" if !follows => Ok(format!("answers are {OTHERWISE}\n{}", rules.text(decimals))),
            "text" => Ok(rules.text(decimals)),
            "json" => Ok(rules.json().to_string()),
            "sql" if !follows => Err(Error::Unsupported(format!(
                "SQL of the boxes would find other rows than predict, whose answers are {OTHERWISE}; fit without"
            ))),
            "sql" => Ok(rules.sql()),
            _ => Err(Error::Internal(format!("rules have no form {form}"))),
        }
    })
}

/// Lower and upper bounds, `(n_boxes, n_features)`, and the training range of the features.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn box_bounds<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<(Matrix<'py>, Matrix<'py>, Numbers<'py>, Numbers<'py>)> {
    let found = boxes(model).map_err(to_python)?;
    let shape = [found.drawing().n_boxes(), found.drawing().space().n_features()];
    let matrix = |values: &[f64]| values.to_vec().into_pyarray(py).reshape(shape);
    let range = &found.facts().range;
    Ok((
        matrix(found.drawing().lower())?,
        matrix(found.drawing().upper())?,
        range.low.clone().into_pyarray(py),
        range.high.clone().into_pyarray(py),
    ))
}

/// Number of the first box that holds each row, -1 for none.
#[pyfunction]
pub(crate) fn first_box<'py>(
    py: Python<'py>,
    model: &Model,
    frame: FrameArg<'_>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let found = boxes(model).map_err(to_python)?;
    let first = model.ask(py, &frame, n_threads, |model, frame, ctl| {
        model.check(frame)?;
        let number = |number| if number == NO_BOX { -1 } else { i64::from(number) };
        Ok(found.first_box(frame, ctl)?.into_iter().map(number).collect::<Vec<_>>())
    })?;
    Ok(first.into_pyarray(py))
}

/// Largest weight c at which each row is positive.
#[pyfunction]
pub(crate) fn critical_weights<'py>(
    py: Python<'py>,
    model: &Model,
    frame: FrameArg<'_>,
    n_threads: usize,
) -> PyResult<Numbers<'py>> {
    let found = boxes(model).map_err(to_python)?;
    let weights = model.ask(py, &frame, n_threads, |model, frame, ctl| {
        model.check(frame)?;
        found.critical_weights(frame, ctl)
    })?;
    Ok(weights.into_pyarray(py))
}

/// How the boxes of PRIM were peeled, as JSON: a list of steps a box, and the step that was chosen.
#[pyfunction]
pub(crate) fn trajectories(py: Python<'_>, model: &Model) -> PyResult<String> {
    quick(py, || {
        let found = boxes(model)?;
        let Scores::Covering(covering) = found.scores() else {
            return Err(Error::Unsupported("only boxes of PRIM have trajectories".into()));
        };
        let schema = model.0.schema();
        let facts = found.facts();
        let change = |change: &Change| match *change {
            Change::Start => json!({}),
            Change::Lower(feature, value) => json!({"feature": schema.feature(feature), "lower": value}),
            Change::Upper(feature, value) => json!({"feature": schema.feature(feature), "upper": value}),
            Change::Without(feature, level) => {
                json!({"feature": schema.feature(feature), "without": schema.level(feature, level)})
            }
        };
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let all: Vec<Value> = covering
            .trajectories
            .iter()
            .map(|trajectory| {
                let steps: Vec<Value> = trajectory
                    .steps
                    .iter()
                    .map(|step| {
                        json!({
                            "mass": share(step.mass, facts.total),
                            "mean": share(step.positives, step.mass),
                            "coverage": share(step.positives, facts.positives),
                            "change": change(&step.change),
                        })
                    })
                    .collect();
                json!({"steps": steps, "chosen": trajectory.chosen})
            })
            .collect();
        Ok(Value::Array(all).to_string())
    })
}

/// Rows that judge settings: frame, codes and weights.
#[derive(FromPyObject)]
pub(crate) struct HeldOutArg<'py>(FrameArg<'py>, Codes<'py>, Weights<'py>);

/// Area under the hull of the sweep on held-out rows, `(n_boxes, expansions)`; `grid` holds the two.
#[pyfunction]
#[pyo3(signature = (params, training, held_out, grid, scale, options))]
pub(crate) fn box_selection<'py>(
    py: Python<'py>,
    params: &str,
    training: TrainingArg<'_>,
    held_out: HeldOutArg<'_>,
    grid: (Vec<u32>, Vec<f64>),
    scale: f64,
    options: OptionsArg,
) -> PyResult<Matrix<'py>> {
    let (rows, key) = (training.rows()?, options.key());
    let test_frame = held_out.0.frame().map_err(to_python)?;
    let test_classes = contiguous(&held_out.1)?;
    let test_weights = held_out.2.as_ref().map(contiguous).transpose()?;
    let (n_boxes, expansions) = grid;
    let shape = [n_boxes.len(), expansions.len()];
    let scores = run(py, options.callback, options.n_threads, |ctl| {
        let selection = BoxSelection {
            params,
            class_weight: rows.class_weight.as_ref(),
            positive: rows.positive,
            n_boxes,
            expansions,
            test_frame: &test_frame,
            test_classes,
            test_weights,
            key,
            scale,
        };
        rows.with(|data, _| methods::box_selection(&selection, data, ctl))
    })?;
    scores.into_pyarray(py).reshape(shape)
}

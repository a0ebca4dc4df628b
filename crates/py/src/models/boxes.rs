//! Box drawings: rules, bounds, trajectories and certificates.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::json_document::document_to_python;
use crate::models::model::{Model, check_decimals};
use crate::training_args::{Codes, RunOptionsArg, TrainingArg};
use imbcore_core::{Dataset, Error, Result, Schema};
use imbcore_export::Dialect;
use imbcore_methods as methods;
use imbcore_rules::exact::VerificationOptions;
use imbcore_rules::prim::BoxChange;
use imbcore_rules::{BoxModel as Boxes, BoxScoring, NO_BOX};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde_json::{Value, json};

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Matrix<'py> = Bound<'py, PyArray2<f64>>;

#[pyclass(frozen, extends = Model, module = "imbcore._imbcore.models")]
pub(crate) struct BoxModel;

/// End of a message for models whose predictions do not follow their boxes.
const OTHERWISE: &str = "made by its threshold or costs, which differ from the boxes";

/// Result of verifying boxes and their certificates.
///
/// Fields are `None` if the time limit was reached before they were decided.
#[derive(IntoPyObject)]
struct BoxVerification {
    objective: f64,
    bounds: Vec<Option<f64>>,
    objective_holds: bool,
    bounds_hold: Option<bool>,
    proof_holds: Option<bool>,
    proves_optimal: Option<bool>,
    reason: Option<String>,
}

impl BoxModel {
    fn model<'a>(this: &'a Bound<'_, Self>) -> &'a Model {
        this.as_super().get()
    }

    fn boxes<'a>(this: &'a Bound<'_, Self>) -> PyResult<&'a Boxes> {
        let model = &Self::model(this).0;
        model
            .fitted_estimator()
            .boxes()
            .ok_or_else(|| error_to_exception(model.unsupported_error("is not a box drawing")))
    }
}

#[pymethods]
impl BoxModel {
    fn to_dicts<'py>(this: &Bound<'py, Self>, all_bounds: bool) -> PyResult<Bound<'py, PyAny>> {
        let (boxes, model) = (Self::boxes(this)?, &Self::model(this).0);
        let found = run_short(this.py(), || Ok(boxes.drawing_rules(model.schema(), all_bounds).json()))?;
        document_to_python(this.py(), &found)
    }

    fn text(this: &Bound<'_, Self>, decimals: usize, all_bounds: bool) -> PyResult<String> {
        let (boxes, model, decimals) = (Self::boxes(this)?, &Self::model(this).0, check_decimals(decimals)?);
        run_short(this.py(), || {
            let text = boxes.drawing_rules(model.schema(), all_bounds).to_text(decimals);
            let follows = boxes.is_decision_by_boxes(model.decision())?;
            Ok(if follows { text } else { format!("predictions are {OTHERWISE}\n{text}") })
        })
    }

    /// SQL condition that is true for the rows in at least one box.
    fn condition(this: &Bound<'_, Self>, dialect: &str, all_bounds: bool) -> PyResult<String> {
        let (boxes, model) = (Self::boxes(this)?, &Self::model(this).0);
        run_short(this.py(), || {
            if boxes.is_decision_by_boxes(model.decision())? {
                return boxes.drawing_rules(model.schema(), all_bounds).to_sql(Dialect::parse(dialect)?);
            }
            Err(Error::Unsupported(format!(
                "SQL of the boxes would select other rows than predict, whose predictions are {OTHERWISE}; fit \
                 without threshold and costs"
            )))
        })
    }

    /// Lower and upper bounds of the boxes, then minimum and maximum of the training features.
    ///
    /// The arrays of bounds have the shape `(n_boxes, n_features)`.
    #[allow(clippy::type_complexity)]
    fn bounds<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Matrix<'py>, Matrix<'py>, Numbers<'py>, Numbers<'py>)> {
        let (py, found) = (this.py(), Self::boxes(this)?);
        let shape = [found.drawing().n_boxes(), found.drawing().feature_space().n_features()];
        let matrix = |values: &[f64]| values.to_vec().into_pyarray(py).reshape(shape);
        let range = &found.training_stats().range;
        Ok((
            matrix(found.drawing().lower_bounds())?,
            matrix(found.drawing().upper_bounds())?,
            range.low.clone().into_pyarray(py),
            range.high.clone().into_pyarray(py),
        ))
    }

    /// Index of the first box that contains each row; -1 if no box contains it.
    fn first_box<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let boxes = Self::boxes(this)?;
        let first = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            let number = |number| if number == NO_BOX { -1 } else { i64::from(number) };
            Ok(boxes.first_containing_box(frame, ctl)?.into_iter().map(number).collect::<Vec<_>>())
        })?;
        Ok(first.into_pyarray(this.py()))
    }

    /// Reasons for the prediction of each row: a box, its conditions, and membership.
    ///
    /// The box is the first box that contains the row, otherwise the nearest box, or -1 if the model has no
    /// boxes. The entry of a feature is 0 if this box has no condition on it, 1 if the row satisfies the
    /// condition, and 2 if the row violates it. Membership is whether each box contains the row.
    #[allow(clippy::type_complexity)]
    fn reasons<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<bool>>)> {
        let (py, boxes) = (this.py(), Self::boxes(this)?);
        let found = Self::model(this).run_on_frame(py, &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            boxes.explain(frame, ctl)
        })?;
        let n_rows = found.boxes.len();
        let number = |number| if number == NO_BOX { -1 } else { i64::from(number) };
        let first: Vec<i64> = found.boxes.into_iter().map(number).collect();
        let asked: Vec<u8> = found.asked.into_iter().map(|asked| asked as u8).collect();
        let shapes = [boxes.drawing().feature_space().n_features(), boxes.drawing().n_boxes()];
        Ok((
            first.into_pyarray(py),
            asked.into_pyarray(py).reshape([n_rows, shapes[0]])?,
            found.held.into_pyarray(py).reshape([n_rows, shapes[1]])?,
        ))
    }

    /// Largest weight c of negative rows at which each row would be predicted positive.
    ///
    /// Only Fast Boxes support this.
    fn critical_weights<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Numbers<'py>> {
        let boxes = Self::boxes(this)?;
        let weights = Self::model(this).run_on_frame(this.py(), &frame, n_threads, |model, frame, ctl| {
            model.check_frame(frame)?;
            boxes.critical_weights(frame, ctl)
        })?;
        Ok(weights.into_pyarray(this.py()))
    }

    /// Number of the given rows by box and class; the last entry is for rows in no box.
    fn rule_masses<'py>(
        this: &Bound<'py, Self>,
        frame: FrameArg<'_>,
        codes: Codes<'_>,
        n_threads: usize,
    ) -> PyResult<Matrix<'py>> {
        Self::model(this).rule_masses(this.py(), &frame, &codes, n_threads)
    }

    /// PRIM's peeling trajectories: for each box, the list of steps and the selected step.
    fn trajectories<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (boxes, model) = (Self::boxes(this)?, &Self::model(this).0);
        document_to_python(this.py(), &run_short(this.py(), || trajectories(boxes, model.schema()))?)
    }

    fn proof<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (boxes, model) = (Self::boxes(this)?, &Self::model(this).0);
        document_to_python(this.py(), &run_short(this.py(), || boxes.proof_json(model.schema()))?)
    }

    /// Recomputes the objective of Exact Boxes and verifies the certificates on training rows.
    fn verify(
        this: &Bound<'_, Self>,
        certificate: Option<&str>,
        training: TrainingArg<'_>,
        seconds: f64,
        options: RunOptionsArg,
        whole: bool,
    ) -> PyResult<BoxVerification> {
        let (rows, model) = (training.rows()?, &Self::model(this).0);
        let check = VerificationOptions { seconds, whole };
        let found = run_without_gil(this.py(), options.callback, options.n_threads, |ctl| {
            let data = Dataset::new(rows.frame.clone(), rows.codes, model.n_classes(), rows.weights)?;
            let weighing = (rows.class_weight.as_ref(), Some(&rows.costs));
            methods::verify_exact_boxes(model, certificate, &data, weighing, check, ctl)
        })?;
        Ok(BoxVerification {
            objective: found.objective,
            bounds: found.bounds,
            objective_holds: found.objective_holds,
            bounds_hold: found.bounds_hold,
            proof_holds: found.proof_holds,
            proves_optimal: found.proves_optimal,
            reason: found.reason,
        })
    }
}

fn trajectories(boxes: &Boxes, schema: &Schema) -> Result<Value> {
    let BoxScoring::Covering(covering) = boxes.scoring() else {
        return Err(Error::Unsupported("only boxes of PRIM have trajectories".into()));
    };
    let facts = boxes.training_stats();
    let change = |change: &BoxChange| match *change {
        BoxChange::Start => json!({}),
        BoxChange::Lower(feature, value) => json!({"feature": schema.feature_name(feature), "lower": value}),
        BoxChange::Upper(feature, value) => json!({"feature": schema.feature_name(feature), "upper": value}),
        BoxChange::Without(feature, level) => {
            json!({"feature": schema.feature_name(feature), "without": schema.level_text(feature, level)})
        }
    };
    let fraction = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let all: Vec<Value> = covering
        .trajectories
        .iter()
        .map(|trajectory| {
            let steps: Vec<Value> = trajectory
                .steps
                .iter()
                .map(|step| {
                    json!({
                        "mass": fraction(step.mass, facts.total),
                        "mean": fraction(step.positives, step.mass),
                        "coverage": fraction(step.positives, facts.positives),
                        "change": change(&step.change),
                    })
                })
                .collect();
            json!({"steps": steps, "chosen": trajectory.chosen})
        })
        .collect();
    Ok(Value::Array(all))
}

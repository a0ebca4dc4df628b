//! Serialization of models to the bytes of a model file.

use crate::class_priors::ClassPriors;
use crate::fitted::FittedEstimator;
use crate::method::MethodRole;
use crate::model::{Model, base_method_params};
use crate::model_file::{ModelFile, model_file_bytes, parse_model_file};
use crate::registry::full_params_and_role;
use crate::tuned_threshold::{CalibrationRecord, FittedCalibration};
use crate::wrapper_file::WRAPPED;
use imbcore_core::{
    ArrayReader, ArrayWriter, CostCell, CostCells, CostRule, Costs, Decision, Error, FeatureKind, Persist,
    Result, Schema,
};
use imbcore_metrics::Calibration;
use serde_json::Value;

/// Names of the arrays that store the decision rule.
///
/// If a model has neither a threshold nor costs, its file has none of these arrays.
const THRESHOLD: &str = "decision.threshold";
const COSTS: &str = "decision.costs";
const PRIOR: &str = "decision.prior";
const THRESHOLDS: &str = "decision.thresholds";
/// Names of the arrays that store costs that differ between rows.
///
/// The first array stores the cost matrix if its cells are numbers or column indices. The second array stores
/// the number of classes if the user passed a cost matrix for each row.
const COST_CELLS: &str = "decision.cost_cells";
const COSTS_HANDED: &str = "decision.costs_handed";
/// Name of the array that records how a tuned threshold was chosen.
const CHOSEN: &str = "decision.chosen";
/// Name of the array with the class proportions in training and after an adaptation.
const SHARES: &str = "shares";
/// Names of the arrays of the calibration.
///
/// They store the record of the calibration, the number of parameters of each curve, and the parameters of
/// all curves.
const CALIBRATION: [&str; 3] = ["calibration", "calibration.lengths", "calibration.numbers"];
const POSITIVE: &str = "positive";

impl Model {
    /// Converts the model to the bytes of a model file.
    ///
    /// # Errors
    /// [`Error::Format`] if the header exceeds the limits of the format.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut arrays = ArrayWriter::default();
        self.fitted_estimator().write(&mut arrays)?;
        match self.decision() {
            Decision::Argmax => {}
            Decision::Threshold { at, .. } => arrays.write_f64s(THRESHOLD, &[*at]),
            Decision::Costs(CostRule::Same(costs)) => arrays.write_f64s(COSTS, costs.cells()),
            Decision::Costs(CostRule::Columns(cells)) => arrays.write_json(COST_CELLS, cells.cells())?,
            Decision::Costs(CostRule::PerRow(n_classes)) => {
                arrays.write_u32s(COSTS_HANDED, &[*n_classes as u32]);
            }
            Decision::Prior(prior) => arrays.write_f64s(PRIOR, prior),
            Decision::Thresholds(thresholds) => arrays.write_f64s(THRESHOLDS, thresholds),
        }
        if let Some(chosen) = self.tuned_threshold() {
            arrays.write_json(CHOSEN, chosen)?;
        }
        if self.class_priors().is_known() {
            arrays.write_json(SHARES, self.class_priors())?;
        }
        if let Some(FittedCalibration { curves, facts }) = self.calibration() {
            let (lengths, numbers) = curves.parameters();
            arrays.write_json(CALIBRATION[0], facts)?;
            arrays.write_u32s(CALIBRATION[1], &lengths);
            arrays.write_f64s(CALIBRATION[2], &numbers);
        }
        arrays.write_u32s(POSITIVE, &[self.positive_class()]);
        model_file_bytes(arrays, self.method(), self.params(), self.schema())
    }

    /// Reads a model from the bytes of a model file, which may be untrusted.
    ///
    /// # Errors
    /// [`Error::Format`] for bytes that [`Model::to_bytes`] cannot have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let ModelFile { method, params, schema, arrays } = parse_model_file(bytes)?;
        check_params(&method, &params)?;
        let fitted = FittedEstimator::read(&arrays, &schema)?;
        let [positive] = arrays.read_u32_array(POSITIVE)?;
        let decision = read_decision(&arrays, &schema, positive)?;
        let chosen = arrays.has_array(CHOSEN).then(|| arrays.read_json(CHOSEN)).transpose()?;
        let shares = if arrays.has_array(SHARES) {
            arrays.read_json::<ClassPriors>(SHARES)?.validated(schema.classes.len())?
        } else {
            ClassPriors::default()
        };
        let calibrated = read_calibration(&arrays, schema.classes.len())?;
        let model = Self::new(&method, params, schema, fitted, decision, positive)?;
        model.with_tuning_record(chosen).with_class_priors(shares)?.with_calibration(calibrated)
    }
}

/// Checks that the parameters in a file are valid for its method and its base method.
fn check_params(method: &str, params: &Value) -> Result<()> {
    if let Some(what) = method.strip_prefix(WRAPPED) {
        return Err(Error::Format(format!("it holds a {what}, which imbcore.decisions.load reads")));
    }
    let given = params.as_object().ok_or_else(|| Error::damaged("it has no parameters"))?;
    let (_, role) = full_params_and_role(method, given).map_err(Error::damaged)?;
    match (role, base_method_params(params)) {
        (MethodRole::Learner | MethodRole::Selection, _) | (_, Some(_)) => Ok(()),
        (_, None) => Err(Error::damaged("the method of its members is missing")),
    }
}

fn read_calibration(arrays: &ArrayReader<'_>, n_classes: usize) -> Result<Option<FittedCalibration>> {
    if !arrays.has_array(CALIBRATION[0]) {
        return Ok(None);
    }
    let facts: CalibrationRecord = arrays.read_json(CALIBRATION[0])?;
    let (lengths, numbers) = (arrays.read_u32s(CALIBRATION[1])?, arrays.read_f64s(CALIBRATION[2])?);
    let curves = Calibration::from_parameters(facts.method, n_classes, &lengths, &numbers)?;
    if facts.rows_by_class.len() != n_classes {
        return Err(Error::damaged("its calibration is for another number of classes"));
    }
    Ok(Some(FittedCalibration { curves, facts }))
}

fn read_decision(arrays: &ArrayReader<'_>, schema: &Schema, positive: u32) -> Result<Decision> {
    let n_classes = schema.classes.len();
    let damaged = |error: &dyn std::fmt::Display| Error::damaged(format!("its decision: {error}"));
    let there: Vec<&str> = [THRESHOLD, COSTS, PRIOR, THRESHOLDS, COST_CELLS, COSTS_HANDED]
        .into_iter()
        .filter(|name| arrays.has_array(name))
        .collect();
    let decision = match there[..] {
        [] => Decision::Argmax,
        [COSTS] => {
            let costs = Costs::new(arrays.read_f64s(COSTS)?, n_classes).map_err(|error| damaged(&error))?;
            Decision::Costs(CostRule::Same(costs))
        }
        [COST_CELLS] => {
            let cells: Vec<CostCell> = arrays.read_json(COST_CELLS)?;
            let is_number = |column: &u32| {
                let feature = schema.features.get(*column as usize);
                feature.is_some_and(|feature| feature.kind == FeatureKind::Numeric)
            };
            if cells.iter().any(|cell| matches!(cell, CostCell::Column(column) if !is_number(column))) {
                return Err(damaged(&"costs are in a column that is not numeric"));
            }
            let cells = CostCells::new(cells, n_classes).map_err(|error| damaged(&error))?;
            Decision::Costs(CostRule::Columns(cells))
        }
        [COSTS_HANDED] => {
            let [handed] = arrays.read_u32_array(COSTS_HANDED)?;
            Decision::Costs(CostRule::PerRow(handed as usize))
        }
        [PRIOR] => Decision::Prior(arrays.read_f64s(PRIOR)?),
        [THRESHOLDS] => Decision::Thresholds(arrays.read_f64s(THRESHOLDS)?),
        [THRESHOLD] => match arrays.read_f64_array(THRESHOLD)? {
            [at] if (0.0..=1.0).contains(&at) => Decision::Threshold { at, positive },
            _ => return Err(damaged(&"the threshold is not a number in [0, 1]")),
        },
        _ => return Err(damaged(&"there are two decision rules")),
    };
    decision.check(n_classes).map_err(|error| damaged(&error))?;
    Ok(decision)
}

//! The door of every fit: weights become numbers of rows there, before any bootstrap, fold or round sees them.

use crate::registry::resolve;
use crate::settle::{class_weights, in_rows};
use crate::start::Start;
use imbcore_base::{ClassWeights, CostPlan, Dataset, Error, Named, Result, Schema, SeedKey};
use imbcore_boxes::Clusterer;
use serde_json::{Map, Value};

/// A method by name, with its parameters as they come from outside.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Registered name.
    pub method: &'a str,
    /// JSON object of parameters; the others take their defaults. Columns and classes are named as the schema does.
    pub params: &'a str,
    /// Weights of the classes.
    pub class_weight: Option<&'a ClassWeights>,
    /// What wrong answers cost, and how answers are given.
    pub costs: Option<&'a CostPlan>,
    /// Code of the positive class; None by the rule, [`imbcore_base::Positive::of`].
    pub positive: Option<u32>,
    /// Address of all random choices.
    pub key: SeedKey,
    /// How it is taken in.
    pub door: Door<'a>,
}

impl Task<'_> {
    /// The parameters that were given, with positions and codes for what they name of the data.
    pub(crate) fn given(&self, schema: &Schema) -> Result<Map<String, Value>> {
        let named = Named { features: &schema.features, classes: Some(&schema.classes) };
        resolve(self.method, &given(self.params)?, named)
    }
}

/// Parameters from the text of a JSON object.
pub(crate) fn given(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text).map_err(|error| Error::Data(format!("parameters are no JSON object: {error}")))
}

/// How a task is taken in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Door<'a> {
    /// Rows of a single class give a constant model and a remark instead of an error.
    pub constant: bool,
    /// Weight of one row, by which weights are divided, if the caller has found it over more rows; None finds it here.
    pub unit: Option<f64>,
    /// With which members the fit begins.
    pub start: Start<'a>,
    /// What clusters rows in place of the method's own algorithm.
    pub clusterer: Option<&'a dyn Clusterer>,
}

impl Door<'_> {
    /// For rows that came through this door.
    pub(crate) fn inner(self) -> Self {
        Self { unit: Some(1.0), ..self }
    }

    /// For parts of them, of which nobody has members.
    pub(crate) fn of_part(self) -> Self {
        Self { start: Start::Cold, ..self }
    }
}

/// Runs `body` on a task and rows whose weights are numbers of rows.
pub(crate) fn enter<T>(
    task: &Task<'_>,
    data: &Dataset<'_>,
    body: impl FnOnce(&Task<'_>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let own = class_weights(task.class_weight, None, data)?;
    // Where one class alone has weight, there is nothing for costs and thresholds to decide.
    let costs = task.costs.filter(|_| data.present(own.as_deref()).len() > 1);
    in_rows(task.door.unit, (task.class_weight, costs), data, |class_weight, data| {
        body(&Task { class_weight, costs, door: task.door.inner(), ..*task }, data)
    })
}

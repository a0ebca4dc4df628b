//! Entry point of every fit. Normalizes weights before any resampling.

use crate::registry::resolve;
use crate::settle::{class_weights, with_normalized_weights};
use crate::start::WarmStart;
use imbcore_core::{ClassWeights, Dataset, DecisionPlan, Error, NameResolver, Result, Schema, SeedKey};
use imbcore_rules::Clusterer;
use serde_json::{Map, Value};

/// A method, given by its name, and its parameters as given by the user.
#[derive(Clone, Copy, Debug)]
pub struct FitTask<'a> {
    /// Registered name.
    pub method: &'a str,
    /// JSON object of the given parameters; all other parameters take their defaults.
    /// Columns and classes are given by name.
    pub params: &'a str,
    /// Weights of the classes.
    pub class_weight: Option<&'a ClassWeights>,
    /// Costs of errors, and the decision rule.
    pub costs: Option<&'a DecisionPlan>,
    /// Code of the positive class.
    /// If `None`, the default rule determines it: [`imbcore_core::PositiveClass::default_for`].
    pub positive: Option<u32>,
    /// Key of all random choices.
    pub key: SeedKey,
    /// Options of the fit.
    pub context: FitContext<'a>,
}

impl FitTask<'_> {
    /// The given parameters, with names of columns and classes replaced by indices and codes.
    pub(crate) fn given(&self, schema: &Schema) -> Result<Map<String, Value>> {
        let named = NameResolver { features: &schema.features, classes: Some(&schema.classes) };
        resolve(self.method, &given(self.params)?, named)
    }
}

/// Parses parameters from a JSON object.
pub(crate) fn given(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text)
        .map_err(|error| Error::Data(format!("parameters are not a JSON object: {error}")))
}

/// Options of a fit that are not parameters of the method.
#[derive(Clone, Copy, Debug, Default)]
pub struct FitContext<'a> {
    /// Whether rows of a single class give a constant model and a warning instead of an error.
    pub constant: bool,
    /// Unit weight by which weights are divided, if the caller computed it on a larger table.
    ///
    /// If None, it is computed from the data.
    pub unit: Option<f64>,
    /// Members that the fit begins with.
    pub start: WarmStart<'a>,
    /// Clustering that replaces the method's own algorithm.
    pub clusterer: Option<&'a dyn Clusterer>,
}

impl FitContext<'_> {
    /// Options for rows whose weights are normalized.
    pub(crate) fn inner(self) -> Self {
        Self { unit: Some(1.0), ..self }
    }

    /// Options for subsets of the rows, which are never warm-started.
    pub(crate) fn of_part(self) -> Self {
        Self { start: WarmStart::Cold, ..self }
    }
}

/// Runs `body` on a task and rows with normalized weights.
pub(crate) fn enter<T>(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    body: impl FnOnce(&FitTask<'_>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let own = class_weights(task.class_weight, None, data)?;
    // If only one class has weight, costs and thresholds have no effect.
    let costs = task.costs.filter(|_| data.present(own.as_deref()).len() > 1);
    with_normalized_weights(task.context.unit, (task.class_weight, costs), data, |class_weight, data| {
        body(&FitTask { class_weight, costs, context: task.context.inner(), ..*task }, data)
    })
}

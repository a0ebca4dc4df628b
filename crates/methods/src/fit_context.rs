//! Input of every fit, and normalization of its weights.

use crate::registry::resolve_names_in_params;
use crate::resolved_costs::{class_weights_with_costs, with_normalized_weights};
use crate::warm_start::WarmStart;
use imbcore_core::{ClassWeights, Dataset, DecisionPlan, Error, NameResolver, Result, Schema, SeedKey};
use imbcore_rules::Clusterer;
use serde_json::{Map, Value};

/// Specification of a fit: the method by name, and its parameters as the user gave them.
#[derive(Clone, Copy, Debug)]
pub struct FitTask<'a> {
    /// Name of the method in the registry.
    pub method: &'a str,
    /// JSON object of the parameters that the user set; other parameters have their defaults.
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
    /// The user's parameters with column names and labels replaced by indices and class codes.
    pub(crate) fn resolve_params(&self, schema: &Schema) -> Result<Map<String, Value>> {
        let named = NameResolver { features: &schema.features, classes: Some(&schema.classes) };
        resolve_names_in_params(self.method, &parse_given_params(self.params)?, named)
    }
}

pub(crate) fn parse_given_params(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text)
        .map_err(|error| Error::Data(format!("parameters are not a JSON object: {error}")))
}

/// Options of a fit that are not parameters of the method.
#[derive(Clone, Copy, Debug, Default)]
pub struct FitContext<'a> {
    /// Whether rows of a single class give a constant model instead of an error.
    pub constant: bool,
    /// Number by which all weights are divided; `None` to compute it from the data.
    ///
    /// For a fit to a part of a table, the caller passes the number for the whole table; see
    /// [`crate::weight_counted_as_one_row`].
    pub unit: Option<f64>,
    /// Members of an earlier fit that this fit reuses (warm start).
    pub start: WarmStart<'a>,
    /// Clustering algorithm that replaces the default one of the method.
    pub clusterer: Option<&'a dyn Clusterer>,
}

impl FitContext<'_> {
    /// The same options for data whose weights are normalized and must not be divided again.
    pub(crate) fn for_normalized_rows(self) -> Self {
        Self { unit: Some(1.0), ..self }
    }

    /// The same options without a warm start, for a fit to a subset of the rows.
    pub(crate) fn without_warm_start(self) -> Self {
        Self { start: WarmStart::Cold, ..self }
    }
}

pub(crate) fn with_normalized_task<T>(
    task: &FitTask<'_>,
    data: &Dataset<'_>,
    body: impl FnOnce(&FitTask<'_>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let own = class_weights_with_costs(task.class_weight, None, data)?;
    // If only one class has positive weight, costs and thresholds have no effect, so they are ignored without
    // a check.
    let costs = task.costs.filter(|_| data.present_classes(own.as_deref()).len() > 1);
    with_normalized_weights(task.context.unit, (task.class_weight, costs), data, |class_weight, data| {
        body(&FitTask { class_weight, costs, context: task.context.for_normalized_rows(), ..*task }, data)
    })
}

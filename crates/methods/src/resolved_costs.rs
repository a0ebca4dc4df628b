//! Resolves weights, costs and the positive class for one data set.
//!
//! Three quantities are determined once, on all rows, before a method is fitted. The first is the code of the
//! positive class. The second is the class weights, multiplied by the weights that represent costs. The third
//! is the decision rule: largest probability, least expected cost, or a threshold.

use imbcore_core::{
    ClassWeights, CostMatrixSpec, CostRule, CostStrategy, Dataset, Decision, DecisionPlan, Error, Label,
    PositiveClass, Result,
};

/// Code of the positive class: the user's choice or, without one, the default.
pub(crate) fn resolve_positive_class(
    asked: Option<u32>,
    labels: &[Label],
    data: &Dataset<'_>,
) -> Result<u32> {
    // If the only label is 0, -1 or False, the default positive class has the code 1, although no class has
    // this code. Here it becomes the code 0.
    let last = data.n_classes().saturating_sub(1) as u32;
    match asked {
        Some(code) if code <= last => Ok(code),
        Some(code) => Err(Error::parameter("fit", "positive", "the code of a class", code)),
        None => Ok(PositiveClass::default_for(labels, &data.class_masses()).code.min(last)),
    }
}

pub(crate) struct ResolvedCosts {
    pub(crate) class_weight: Option<Vec<f64>>,
    pub(crate) costs: Option<CostRule>,
    pub(crate) decision: Decision,
}

/// Determines the class weights, the costs and the decision rule of a fit.
///
/// If `plan` requests that costs become weights, they are multiplied into the class weights. A threshold
/// applies to the probability of class `positive`.
pub(crate) fn resolve_costs(
    class_weight: Option<&ClassWeights>,
    plan: Option<&DecisionPlan>,
    data: &Dataset<'_>,
    positive: u32,
) -> Result<ResolvedCosts> {
    let class_weight = class_weights_with_costs(class_weight, plan, data)?;
    let Some(plan) = plan else {
        return Ok(ResolvedCosts { class_weight, costs: None, decision: Decision::Argmax });
    };
    let rule = plan.cost_rule(data)?;
    let decision = plan.decision(rule.as_ref(), data.n_classes(), positive)?;
    Ok(ResolvedCosts { class_weight, costs: rule, decision })
}

/// Like [`resolve_costs`], for a method that replaces labels by means of costs.
///
/// The new labels represent the costs, so the decision rule has no costs.
pub(crate) fn resolve_relabeling_costs(
    (method, class_weight): (&str, Option<&ClassWeights>),
    plan: &DecisionPlan,
    data: &Dataset<'_>,
    positive: u32,
) -> Result<ResolvedCosts> {
    if plan.strategy != CostStrategy::Decision {
        let expected = "\"decision\", because the method applies the cost matrix to the labels";
        return Err(Error::parameter(method, "cost_strategy", expected, "\"reweight\""));
    }
    let rest = DecisionPlan { matrix: None, ..plan.clone() };
    // Without a cost matrix, costs are "balanced", as in the Python classes. They are undefined for a single
    // class.
    let matrix = plan.matrix.clone().or((data.n_classes() > 1).then_some(CostMatrixSpec::Balanced));
    let costs = match (DecisionPlan { matrix, ..plan.clone() }).cost_rule(data)? {
        None => None,
        same @ Some(CostRule::Same(_)) => same,
        Some(CostRule::Columns(_) | CostRule::PerRow(_)) => {
            let expected = "one matrix for all rows, which this method needs to change the labels";
            return Err(Error::parameter(method, "cost_matrix", expected, "costs of single rows"));
        }
    };
    Ok(ResolvedCosts { costs, ..resolve_costs(class_weight, Some(&rest), data, positive)? })
}

/// Class weights times weights that represent costs; `None` with neither of them.
pub(crate) fn class_weights_with_costs(
    class_weight: Option<&ClassWeights>,
    plan: Option<&DecisionPlan>,
    data: &Dataset<'_>,
) -> Result<Option<Vec<f64>>> {
    let resolve = |weights: &ClassWeights| weights.resolve(&data.class_masses());
    let own = class_weight.map(resolve).transpose()?;
    let Some(plan) = plan else { return Ok(own) };
    Ok(elementwise_product(own, plan.class_weights_from_costs(plan.cost_rule(data)?.as_ref(), data)?))
}

fn elementwise_product(a: Option<Vec<f64>>, b: Option<Vec<f64>>) -> Option<Vec<f64>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.iter().zip(b).map(|(a, b)| a * b).collect()),
        (a, b) => a.or(b),
    }
}

/// Divides the row or class weights by the unit weight and calls `body` with the result.
///
/// The unit weight is the weight that counts as one row: `unit` or, if `unit` is None, the result of
/// [`weight_counted_as_one_row`].
pub(crate) fn with_normalized_weights<T>(
    unit: Option<f64>,
    (class_weight, costs): (Option<&ClassWeights>, Option<&DecisionPlan>),
    data: &Dataset<'_>,
    body: impl FnOnce(Option<&ClassWeights>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let unit = match unit {
        Some(unit) => unit,
        None => weight_counted_as_one_row((class_weight, costs), data)?,
    };
    let divided = |weights: &[f64]| weights.iter().map(|weight| weight / unit).collect::<Vec<f64>>();
    match (data.weights(), class_weight) {
        _ if unit == 1.0 => body(class_weight, data),
        (Some(weights), _) => body(class_weight, &data.reweighed(&divided(weights))),
        (None, Some(ClassWeights::Given(weights))) => {
            body(Some(&ClassWeights::Given(divided(weights))), data)
        }
        // Here, there are only balanced class weights. Their mean over the rows is 1, so they are not
        // divided, even if rounding makes all of them smaller than 1.
        (None, _) => body(class_weight, data),
    }
}

/// Unit weight: the weight that counts as one row, by which all weights are divided.
///
/// The final weight of a row is its row weight times its class weight; class weights include costs that were
/// converted to weights. If the final weights of all rows are below 1, the unit weight is the mean of the
/// positive ones. Otherwise, the unit weight is 1. It is also 1 if there are neither row weights nor class
/// weights.
///
/// # Errors
/// Same errors as [`Dataset::unit_weight`], and errors for invalid weights or costs.
pub fn weight_counted_as_one_row(
    (class_weight, costs): (Option<&ClassWeights>, Option<&DecisionPlan>),
    data: &Dataset<'_>,
) -> Result<f64> {
    if data.weights().is_none() && class_weight.is_none() {
        return Ok(1.0);
    }
    let product = class_weights_with_costs(class_weight, costs, data)?;
    data.unit_weight(product.as_deref())
}

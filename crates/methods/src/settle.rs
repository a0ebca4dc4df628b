//! Resolves weights, costs and the positive class for one data set.
//!
//! Three quantities are determined once, on all rows: the code of the positive class; the class weights times the
//! weights that represent costs; and the decision rule (largest probability, least cost, or a threshold). Families
//! see only the results.

use imbcore_core::{
    ClassWeights, CostMatrixSpec, CostRule, CostStrategy, Dataset, Decision, DecisionPlan, Error, Label,
    PositiveClass, Result,
};

/// Code of the positive class: the requested one, or by the default rule.
pub(crate) fn resolve_positive(asked: Option<u32>, labels: &[Label], data: &Dataset<'_>) -> Result<u32> {
    // If the data have a single class, its code is the only valid one.
    let last = data.n_classes().saturating_sub(1) as u32;
    match asked {
        Some(code) if code <= last => Ok(code),
        Some(code) => Err(Error::parameter("fit", "positive", "the code of a class", code)),
        None => Ok(PositiveClass::default_for(labels, &data.class_masses()).code.min(last)),
    }
}

/// Class weights, costs and decision rule for one data set.
pub(crate) struct ResolvedCosts {
    pub(crate) class_weight: Option<Vec<f64>>,
    /// Costs of errors.
    pub(crate) costs: Option<CostRule>,
    pub(crate) decision: Decision,
}

/// Class weights times weights that represent costs, and the decision rule.
///
/// A threshold applies to class `positive`.
pub(crate) fn settle(
    class_weight: Option<&ClassWeights>,
    plan: Option<&DecisionPlan>,
    data: &Dataset<'_>,
    positive: u32,
) -> Result<ResolvedCosts> {
    let class_weight = class_weights(class_weight, plan, data)?;
    let Some(plan) = plan else {
        return Ok(ResolvedCosts { class_weight, costs: None, decision: Decision::Argmax });
    };
    let rule = plan.rule(data)?;
    let decision = plan.decision(rule.as_ref(), data.n_classes(), positive)?;
    Ok(ResolvedCosts { class_weight, costs: rule, decision })
}

/// Class weights, costs and decision rule of a method that changes labels by costs.
///
/// The costs are in the labels and must not be applied again in predictions.
pub(crate) fn resolve_label_costs(
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
    // Balanced costs are also the default of the estimator classes. With rows of one class there are no costs
    // to balance.
    let matrix = plan.matrix.clone().or((data.n_classes() > 1).then_some(CostMatrixSpec::Balanced));
    let costs = match (DecisionPlan { matrix, ..plan.clone() }).rule(data)? {
        None => None,
        same @ Some(CostRule::Same(_)) => same,
        Some(CostRule::Columns(_) | CostRule::Handed(_)) => {
            let expected = "one matrix for all rows, which this method needs to change the labels";
            return Err(Error::parameter(method, "cost_matrix", expected, "costs of single rows"));
        }
    };
    Ok(ResolvedCosts { costs, ..settle(class_weight, Some(&rest), data, positive)? })
}

/// Class weights times weights that represent costs.
pub(crate) fn class_weights(
    class_weight: Option<&ClassWeights>,
    plan: Option<&DecisionPlan>,
    data: &Dataset<'_>,
) -> Result<Option<Vec<f64>>> {
    let resolve = |weights: &ClassWeights| weights.resolve(&data.class_masses());
    let own = class_weight.map(resolve).transpose()?;
    let Some(plan) = plan else { return Ok(own) };
    Ok(product(own, plan.class_weights(plan.rule(data)?.as_ref(), data)?))
}

fn product(a: Option<Vec<f64>>, b: Option<Vec<f64>>) -> Option<Vec<f64>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.iter().zip(b).map(|(a, b)| a * b).collect()),
        (a, b) => a.or(b),
    }
}

/// Runs `body` on class weights and rows whose weights are divided by the weight of one row.
///
/// This unit weight is `unit` or, if that is None, computed from the data.
pub(crate) fn with_normalized_weights<T>(
    unit: Option<f64>,
    (class_weight, costs): (Option<&ClassWeights>, Option<&DecisionPlan>),
    data: &Dataset<'_>,
    body: impl FnOnce(Option<&ClassWeights>, &Dataset<'_>) -> Result<T>,
) -> Result<T> {
    let unit = match unit {
        Some(unit) => unit,
        None => row_unit((class_weight, costs), data)?,
    };
    let divided = |weights: &[f64]| weights.iter().map(|weight| weight / unit).collect::<Vec<f64>>();
    match (data.weights(), class_weight) {
        _ if unit == 1.0 => body(class_weight, data),
        (Some(weights), _) => body(class_weight, &data.reweighed(&divided(weights))),
        (None, Some(ClassWeights::Given(weights))) => {
            body(Some(&ClassWeights::Given(divided(weights))), data)
        }
        // If all weights are balanced weights, they are below 1 only because of rounding.
        (None, _) => body(class_weight, data),
    }
}

/// Unit weight: products of row weights, class weights and costs are divided by it.
///
/// It is 1 unless all products are below 1.
///
/// # Errors
/// Same errors as [`Dataset::row_unit`], and errors for weights or costs outside their domain.
pub fn row_unit(
    (class_weight, costs): (Option<&ClassWeights>, Option<&DecisionPlan>),
    data: &Dataset<'_>,
) -> Result<f64> {
    if data.weights().is_none() && class_weight.is_none() {
        return Ok(1.0);
    }
    let product = class_weights(class_weight, costs, data)?;
    data.row_unit(product.as_deref())
}

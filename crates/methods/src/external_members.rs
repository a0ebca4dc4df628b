//! Decompositions whose members are fitted by the caller.
//!
//! A decomposition splits a multiclass problem into binary problems. A member is the classifier of one binary
//! problem. The binary problems are those of the native methods, so equal members give equal probabilities.

use crate::decomposed::{Decomposition, EcocParams, OvaParams, OvoParams, row_weights};
use crate::fit_context::parse_given_params;
use crate::resolved_costs::{resolve_costs, resolve_positive_class, with_normalized_weights};
use imbcore_core::{
    ClassWeights, Column, Dataset, Decision, DecisionPlan, Error, Frame, Label, Result, SeedKey,
    parse_params, unknown_name_error,
};
use imbcore_ensembles::decompose::{CodeBook, Decoding, member_seed};
use serde_json::{Map, Value};

/// Labels and parameters of a decomposition.
#[derive(Clone, Copy, Debug)]
pub struct DecompositionRequest<'a> {
    /// "ova", "ecoc" or "ovo".
    pub method: &'a str,
    /// JSON object of the method's parameters.
    pub params: &'a str,
    /// Class code of every row.
    pub classes: &'a [u32],
    /// Labels of the class codes.
    pub labels: &'a [Label],
    /// Weight of every row.
    pub weights: Option<&'a [f64]>,
    /// Weights of the classes.
    pub class_weight: Option<&'a ClassWeights>,
    /// Costs of errors, and the decision rule.
    pub costs: Option<&'a DecisionPlan>,
    /// Code of the positive class.
    /// If `None`, the default rule determines it: [`imbcore_core::PositiveClass::default_for`].
    pub positive: Option<u32>,
    /// Key of all random choices.
    pub key: SeedKey,
}

/// All parts of a decomposition that do not depend on the fitted members.
#[derive(Clone, Debug, PartialEq)]
pub struct DecompositionOutline {
    /// Code book: the positive and negative classes of each member's binary problem.
    pub book: CodeBook,
    /// Rule that combines the members' probabilities to class probabilities.
    pub decoding: Decoding,
    /// Weight of every row in the fits of the members.
    ///
    /// None if there are neither row weights nor class weights.
    pub weights: Option<Vec<f64>>,
    /// Weighted proportion of each class.
    pub shares: Vec<f64>,
    /// Rule that turns class probabilities into classes.
    pub decision: Decision,
    /// Code of the positive class.
    pub positive: u32,
    /// Seed for the fit of each member.
    ///
    /// If a registered method fits a member with this seed, it gives the same member as in the native
    /// decomposition.
    pub seeds: Vec<u32>,
}

/// Plans a decomposition.
///
/// # Errors
/// Same errors as [`crate::fit`].
pub fn outline_decomposition(request: &DecompositionRequest<'_>) -> Result<DecompositionOutline> {
    let DecompositionRequest { classes, labels, .. } = *request;
    let n_classes = labels.len();
    let given = parse_given_params(request.params)?;
    let levels = u32::try_from(n_classes).map_err(|_| Error::Data("too many classes".into()))?;
    // A decomposition is planned from the labels and weights alone. A data set must have a column, so the
    // class codes are passed as its only column.
    let frame = Frame::new(vec![Column::Nominal { codes: classes, levels }])?;
    let data = Dataset::with_single_class_allowed(frame, classes, n_classes, request.weights)?;
    let positive = resolve_positive_class(request.positive, labels, &data)?;
    with_normalized_weights(None, (request.class_weight, request.costs), &data, |class_weight, data| {
        outline_normalized_task(request, &given, class_weight, (data, positive))
    })
}

fn outline_normalized_task(
    request: &DecompositionRequest<'_>,
    given: &Map<String, Value>,
    class_weight: Option<&ClassWeights>,
    (data, positive): (&Dataset<'_>, u32),
) -> Result<DecompositionOutline> {
    let DecompositionRequest { method, key, .. } = *request;
    let n_classes = data.n_classes();
    let settled = resolve_costs(class_weight, request.costs, data, positive)?;
    let plan = match method {
        "ova" => parse_params("ova", &OvaParams::default(), given)?.plan(method, n_classes, key),
        "ecoc" => parse_params("ecoc", &EcocParams::default(), given)?.plan(method, n_classes, key),
        "ovo" => parse_params("ovo", &OvoParams::default(), given)?.plan(method, n_classes, key),
        _ => Err(unknown_name_error("decomposition", method, ["ova", "ecoc", "ovo"])),
    }?;
    let weights = row_weights(data, settled.class_weight.as_deref());
    let shares = match &weights {
        Some(weights) => data.reweighed(weights).class_proportions(),
        None => data.class_proportions(),
    };
    let seeds = (0..plan.book.n_columns()).map(|member| member_seed(key, member)).collect();
    let decision = settled.decision;
    Ok(DecompositionOutline {
        book: plan.book,
        decoding: plan.decoding,
        weights,
        shares,
        decision,
        positive,
        seeds,
    })
}

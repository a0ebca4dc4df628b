//! Expression steps of the predicted class.

use super::class_expr::ClassExpr;
use crate::model::Model;
use imbcore_base::formula::{ComparisonOp, ExportRule, ExprBuilder, ExprRef, Op, RuleCondition};
use imbcore_base::{CostCell, CostRule, Decision, Result};

/// Code of the predicted class.
pub(super) fn answer(model: &Model, draft: &mut ExprBuilder, expr: &ClassExpr) -> Result<ExprRef> {
    if model.keeps_estimator_classes() {
        return Ok(expr.own.class(draft));
    }
    let proba = expr.proba()?;
    Ok(match model.decision() {
        Decision::Threshold { at, positive } => {
            let p = draft.part(proba, *positive as usize);
            let [at, yes, no] =
                [*at, f64::from(*positive), f64::from(1 - positive)].map(|number| draft.number(number));
            draft.choose((at, ComparisonOp::AtMost, p), yes, no)
        }
        Decision::Costs(rule) => {
            let n_classes = model.n_classes();
            let mut gains = Vec::with_capacity(n_classes);
            for answer in 0..n_classes {
                let gain = negative_costs(model, rule, answer, draft)?;
                let gain = draft.times(proba, gain);
                gains.push(draft.sum(gain));
            }
            let gains = draft.join(&gains);
            draft.first_largest(gains)
        }
        Decision::Prior(divisors) | Decision::Thresholds(divisors) => {
            let known: Vec<usize> = (0..divisors.len()).filter(|&class| divisors[class] > 0.0).collect();
            let grown: Vec<ExprRef> = known
                .iter()
                .map(|&class| {
                    let (p, before) = (draft.part(proba, class), draft.number(divisors[class]));
                    draft.over(p, before)
                })
                .collect();
            let grown = draft.join(&grown);
            let place = draft.first_largest(grown);
            let rows = known.iter().map(|&class| vec![class as f64]).collect();
            draft.look_up(&[place], vec![known.len()], rows)
        }
        Decision::Argmax => match model.fitted().recalibration() {
            Some(shift) if model.calibrated().is_none() => {
                let factors = draft.constant(shift.factors());
                let votes = draft.over(proba, factors);
                draft.first_largest(votes)
            }
            _ => draft.first_largest(proba),
        },
    })
}

/// Negative costs of a prediction, for each true class.
fn negative_costs(model: &Model, rule: &CostRule, answer: usize, draft: &mut ExprBuilder) -> Result<ExprRef> {
    let n_classes = model.n_classes();
    match rule {
        CostRule::Same(costs) => {
            let gains: Vec<f64> = (0..n_classes).map(|truth| -costs.cost(truth, answer)).collect();
            Ok(draft.constant(&gains))
        }
        CostRule::Columns(cells) => {
            let gains: Vec<ExprRef> = (0..n_classes)
                .map(|truth| match cells.cells()[truth * n_classes + answer] {
                    CostCell::Number(cost) => draft.number(-cost),
                    CostCell::Column(feature) => {
                        let (nothing, feature) = (draft.number(0.0), feature as usize);
                        let cost = draft.of_row(Op::Value { feature }, 1);
                        draft.minus(nothing, cost)
                    }
                })
                .collect();
            Ok(draft.join(&gains))
        }
        CostRule::Handed(_) => Err(model.unsupported(
            "with costs given by row, as an array or from a function, cannot be exported: name columns of X instead, \
             costs={\"alarm\": 5, \"miss\": \"amount\"}, or fit it without costs (or export SQL with output=\"proba\") and compare the \
             expected costs of its probabilities",
        )),
    }
}

/// Not 0 for rows without prediction: a value is missing, or a cost in a column is invalid.
pub(super) fn refused(model: &Model, draft: &mut ExprBuilder, lacks: Option<ExprRef>) -> Option<ExprRef> {
    let Decision::Costs(CostRule::Columns(cells)) = model.decision() else { return lacks };
    let column = |cell: &CostCell| match cell {
        CostCell::Column(column) => Some(*column as usize),
        CostCell::Number(_) => None,
    };
    let cost =
        |feature| RuleCondition { feature, from: Some(0.0), to: None, levels: None, or_missing: false };
    let all = cells.cells().iter().filter_map(column).map(cost).collect();
    let rules = vec![ExportRule { all, values: vec![0.0] }];
    let unpriced = draft.of_row(Op::Rules { rules, otherwise: vec![1.0] }, 1);
    Some(lacks.map_or(unpriced, |lacks| draft.plus(lacks, unpriced)))
}

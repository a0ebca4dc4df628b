//! Expression of the class that a decision rule selects.

use crate::expr_builder::{ExprBuilder, ExprRef};
use crate::step::{ComparisonOp, ExportRule, Op, RuleCondition};
use imbcore_core::{CostCell, CostRule, Decision, Error, Result};

/// Computes the code of the class that a decision rule selects from the probabilities.
///
/// # Errors
/// [`Error::Unsupported`] if the caller passes the costs with the rows at each prediction.
pub fn decided_class_expr(builder: &mut ExprBuilder, proba: ExprRef, decision: &Decision) -> Result<ExprRef> {
    Ok(match decision {
        Decision::Threshold { at, positive } => {
            let p = builder.select(proba, *positive as usize);
            let [at, yes, no] = [*at, f64::from(*positive), f64::from(1 - positive)]
                .map(|number| builder.constant_number(number));
            builder.select_if((at, ComparisonOp::AtMost, p), yes, no)
        }
        Decision::Costs(rule) => {
            let n_classes = builder.width(proba);
            let mut gains = Vec::with_capacity(n_classes);
            for class in 0..n_classes {
                let gain = negative_class_costs_expr(builder, rule, n_classes, class)?;
                let gain = builder.times(proba, gain);
                gains.push(builder.sum(gain));
            }
            let gains = builder.concatenate(&gains);
            builder.index_of_first_largest(gains)
        }
        Decision::Prior(divisors) | Decision::Thresholds(divisors) => {
            let known: Vec<usize> = (0..divisors.len()).filter(|&class| divisors[class] > 0.0).collect();
            let grown: Vec<ExprRef> = known
                .iter()
                .map(|&class| {
                    let (p, divisor) =
                        (builder.select(proba, class), builder.constant_number(divisors[class]));
                    builder.divide(p, divisor)
                })
                .collect();
            let grown = builder.concatenate(&grown);
            let place = builder.index_of_first_largest(grown);
            let rows = known.iter().map(|&class| vec![class as f64]).collect();
            builder.look_up_table_row(&[place], vec![known.len()], rows)
        }
        Decision::Argmax => builder.index_of_first_largest(proba),
    })
}

/// Computes the negative costs of predicting the class `predicted`, one for each true class.
fn negative_class_costs_expr(
    builder: &mut ExprBuilder,
    rule: &CostRule,
    n_classes: usize,
    predicted: usize,
) -> Result<ExprRef> {
    match rule {
        CostRule::Same(costs) => {
            let gains: Vec<f64> = (0..n_classes).map(|truth| -costs.cost(truth, predicted)).collect();
            Ok(builder.constant(&gains))
        }
        CostRule::Columns(cells) => {
            let gains: Vec<ExprRef> = (0..n_classes)
                .map(|truth| match cells.cells()[truth * n_classes + predicted] {
                    CostCell::Number(cost) => builder.constant_number(-cost),
                    CostCell::Column(feature) => {
                        let (zero, feature) = (builder.constant_number(0.0), feature as usize);
                        let cost = builder.add_feature_step(Op::Value { feature }, 1);
                        builder.minus(zero, cost)
                    }
                })
                .collect();
            Ok(builder.concatenate(&gains))
        }
        CostRule::PerRow(_) => Err(Error::Unsupported(
            "a model with costs given by row, as an array or from a function, cannot be exported: name columns of X instead, \
             costs={\"alarm\": 5, \"miss\": \"amount\"}, or fit it without costs (or export SQL with output=\"proba\") and compare the \
             expected costs of its probabilities"
                .into(),
        )),
    }
}

/// Computes 1 for rows in which a cost is missing or negative, else 0.
/// `None` if no costs are read from columns of the table.
pub fn add_invalid_costs_flag(builder: &mut ExprBuilder, decision: &Decision) -> Option<ExprRef> {
    let Decision::Costs(CostRule::Columns(cells)) = decision else { return None };
    let column = |cell: &CostCell| match cell {
        CostCell::Column(column) => Some(*column as usize),
        CostCell::Number(_) => None,
    };
    let cost =
        |feature| RuleCondition { feature, from: Some(0.0), to: None, levels: None, or_missing: false };
    let all = cells.cells().iter().filter_map(column).map(cost).collect();
    let rules = vec![ExportRule { all, values: vec![0.0] }];
    Some(builder.add_feature_step(Op::Rules { rules, otherwise: vec![1.0] }, 1))
}

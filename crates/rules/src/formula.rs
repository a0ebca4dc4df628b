//! Export of box drawings as expressions, with one rule for each box.

use crate::box_drawing::NO_BOX;
use crate::model::BoxModel;
use imbcore_core::Result;
use imbcore_export::{ExportRule, ExprBuilder, ExprFeatures, Op, PredictedClass, PredictionExpr, ToExpr};

impl ToExpr for BoxModel {
    /// Builds expressions for the predicted class and the probabilities.
    ///
    /// Nested boxes have no expressions for probabilities.
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let (rules, columns) = (self.drawing_rules(features.schema, true), features.columns);
        let mut first = |value_of: &dyn Fn(u32) -> f64| {
            let rule = |number: usize| ExportRule {
                all: rules.exported_conditions(number, |feature| columns[feature]),
                values: vec![value_of(number as u32)],
            };
            let rules = (0..self.drawing().n_boxes()).map(rule).collect();
            builder.add_feature_step(Op::Rules { rules, otherwise: vec![value_of(NO_BOX)] }, 1)
        };
        let positive = f64::from(self.positive_class());
        let class = first(&|number| if number == NO_BOX { 1.0 - positive } else { positive });
        let p = self.probability_by_box().map(|scores| {
            let score = |number: u32| scores.get(number as usize).or(scores.last()).copied();
            first(&|number| score(number).unwrap_or_default())
        });
        let proba = p.map(|p| builder.two_class_proba(p, self.positive_class() == 1));
        Ok(PredictionExpr { proba, class: PredictedClass::Code(class) })
    }
}

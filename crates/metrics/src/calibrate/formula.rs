//! Export of calibration curves as expressions, which are translated into other languages.

use super::{Calibration, CalibrationCurve};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprRef, Op};

/// Relative distance by which the steps of an exported step function are moved.
///
/// It exceeds the rounding errors of scores.
const ROOM: f64 = 1e-14;

impl Calibration {
    /// Adds expressions that calibrate `proba`, and returns the calibrated probabilities.
    pub fn to_expr(&self, builder: &mut ExprBuilder, proba: ExprRef) -> ExprRef {
        if let [curve] = &self.curves[..] {
            let score = builder.select(proba, 1);
            let p = curve.to_expr(builder, score);
            return builder.two_class_proba(p, true);
        }
        let mut curved = Vec::with_capacity(self.n_classes);
        for (class, curve) in self.curves.iter().enumerate() {
            let score = builder.select(proba, class);
            curved.push(curve.to_expr(builder, score));
        }
        let curved = builder.concatenate(&curved);
        let total = builder.sum(curved);
        let normalized = builder.divide(curved, total);
        let [zero, uniform] =
            [0.0, 1.0 / self.n_classes as f64].map(|number| builder.constant_number(number));
        builder.select_if((zero, ComparisonOp::Less, total), normalized, uniform)
    }
}

impl CalibrationCurve {
    fn to_expr(&self, builder: &mut ExprBuilder, score: ExprRef) -> ExprRef {
        match self {
            Self::Beta(curve) => {
                let [a, b, c, lower, upper] = curve.coefficients();
                let within = |builder: &mut ExprBuilder, value: ExprRef, least: f64, most: f64| {
                    let [least, most] = [least, most].map(|number| builder.constant_number(number));
                    let raised = builder.select_if((value, ComparisonOp::Less, least), least, value);
                    let kept = builder.select_if((most, ComparisonOp::Less, raised), most, raised);
                    builder.log(kept)
                };
                let one = builder.constant_number(1.0);
                let rest = builder.minus(one, score);
                let p = within(builder, score, lower, 1.0 - upper);
                let q = within(builder, rest, upper, 1.0 - lower);
                let [a, b, c] = [a, b, c].map(|number| builder.constant_number(number));
                let (p, q) = (builder.times(a, p), builder.times(b, q));
                let difference = builder.minus(p, q);
                let z = builder.plus(difference, c);
                builder.logistic(z)
            }
            Self::Isotonic(curve) => {
                let (places, values) = curve.interpolation_points();
                builder.apply_unary_op(Op::Curve { places: places.to_vec(), values: values.to_vec() }, score)
            }
            Self::VennAbers(curve) => {
                let [lower, upper] = curve.step_functions();
                // The steps of the curve are at scores of calibration rows. Exponentials and logarithms
                // differ in their last bits between math libraries. Moving the steps by a margin keeps equal
                // scores on the same side of a step.
                let margin = if builder.is_platform_dependent() { ROOM } else { 0.0 };
                let stairs = |builder: &mut ExprBuilder, (places, values): (&[f64], &[f64]), reached| {
                    let factor = if reached { 1.0 - margin } else { 1.0 + margin };
                    let (places, values) =
                        (places.iter().map(|place| place * factor).collect(), values.to_vec());
                    builder.apply_unary_op(Op::Stairs { places, values, reached }, score)
                };
                let p0 = stairs(builder, lower, true);
                let p1 = stairs(builder, upper, false);
                let one = builder.constant_number(1.0);
                let rest = builder.minus(one, p0);
                let whole = builder.plus(rest, p1);
                builder.divide(p1, whole)
            }
        }
    }
}

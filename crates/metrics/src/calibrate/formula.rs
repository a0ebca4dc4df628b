//! Export of calibration curves as formula steps.

use super::{Calibration, CalibrationCurve};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprRef, Op};

/// Relative error of rounded scores, with a margin.
const ROOM: f64 = 1e-14;

impl Calibration {
    /// Adds the steps that calibrate the probabilities `proba`.
    pub fn draft(&self, draft: &mut ExprBuilder, proba: ExprRef) -> ExprRef {
        if let [curve] = &self.curves[..] {
            let score = draft.part(proba, 1);
            let p = curve.draft(draft, score);
            return draft.pair(p, true);
        }
        let mut curved = Vec::with_capacity(self.n_classes);
        for (class, curve) in self.curves.iter().enumerate() {
            let score = draft.part(proba, class);
            curved.push(curve.draft(draft, score));
        }
        let curved = draft.join(&curved);
        let total = draft.sum(curved);
        let normalized = draft.over(curved, total);
        let [zero, uniform] = [0.0, 1.0 / self.n_classes as f64].map(|number| draft.number(number));
        draft.choose((zero, ComparisonOp::Less, total), normalized, uniform)
    }
}

impl CalibrationCurve {
    fn draft(&self, draft: &mut ExprBuilder, score: ExprRef) -> ExprRef {
        match self {
            Self::Sigmoid(curve) => {
                let [slope, constant] = curve.coefficients().map(|number| draft.number(number));
                let sloped = draft.times(slope, score);
                let z = draft.plus(sloped, constant);
                draft.logistic(z)
            }
            Self::Beta(curve) => {
                let [a, b, c, lower, upper] = curve.coefficients();
                let within = |draft: &mut ExprBuilder, value: ExprRef, least: f64, most: f64| {
                    let [least, most] = [least, most].map(|number| draft.number(number));
                    let raised = draft.choose((value, ComparisonOp::Less, least), least, value);
                    let kept = draft.choose((most, ComparisonOp::Less, raised), most, raised);
                    draft.log(kept)
                };
                let one = draft.number(1.0);
                let rest = draft.minus(one, score);
                let p = within(draft, score, lower, 1.0 - upper);
                let q = within(draft, rest, upper, 1.0 - lower);
                let [a, b, c] = [a, b, c].map(|number| draft.number(number));
                let (p, q) = (draft.times(a, p), draft.times(b, q));
                let difference = draft.minus(p, q);
                let z = draft.plus(difference, c);
                draft.logistic(z)
            }
            Self::Isotonic(curve) => {
                let (places, values) = curve.knots();
                draft.read_off(Op::Curve { places: places.to_vec(), values: values.to_vec() }, score)
            }
            Self::VennAbers(curve) => {
                let [lower, upper] = curve.steps();
                // The steps lie at training scores. Exponentials and logarithms differ in their last bits
                // between libraries, so the steps are moved by a margin if scores are rounded.
                let margin = if draft.is_platform_dependent() { ROOM } else { 0.0 };
                let stairs = |draft: &mut ExprBuilder, (places, values): (&[f64], &[f64]), reached| {
                    let factor = if reached { 1.0 - margin } else { 1.0 + margin };
                    let (places, values) =
                        (places.iter().map(|place| place * factor).collect(), values.to_vec());
                    draft.read_off(Op::Stairs { places, values, reached }, score)
                };
                let p0 = stairs(draft, lower, true);
                let p1 = stairs(draft, upper, false);
                let one = draft.number(1.0);
                let rest = draft.minus(one, p0);
                let whole = draft.plus(rest, p1);
                draft.over(p1, whole)
            }
        }
    }
}

//! Exports of logistic regression: a formula for code generation, and the design matrix.

use crate::encoding::{Basis, ColumnSlots, TableEncoding};
use crate::model::LogisticModel;
use crate::scaling::MOST_STANDARD;
use imbcore_core::{Frame, Result, RunContext, Schema, memory};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprFeatures, ExprRef, Op, PredictionExpr, ToExpr};

impl ToExpr for LogisticModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let (predictor, ctl) = (&self.predictor, RunContext::silent());
        let width = self.n_scores();
        let mut scores = builder.constant(&self.intercepts());
        for at in 0..predictor.encoding.columns.len() {
            ctl.check()?;
            if let Some(terms) = self.column_score_expr(at, features.columns[at], builder) {
                scores = builder.plus(scores, terms);
            }
        }
        let proba = if width == 1 {
            let zero = builder.constant_number(0.0);
            let turned = builder.minus(zero, scores);
            let pair = [turned, scores].map(|score| builder.logistic(score));
            builder.concatenate(&pair)
        } else {
            let largest = builder.largest(scores);
            let below = builder.minus(scores, largest);
            let grown = builder.exp(below);
            builder.normalize(grown)
        };
        if predictor.present.len() == predictor.n_classes {
            return Ok(PredictionExpr::from_proba(proba));
        }
        let zero = builder.constant_number(0.0);
        let of_class = |class: u32| predictor.present.iter().position(|&present| present == class);
        let parts: Vec<ExprRef> = (0..predictor.n_classes as u32)
            .map(|class| of_class(class).map_or(zero, |at| builder.select(proba, at)))
            .collect();
        Ok(PredictionExpr::from_proba(builder.concatenate(&parts)))
    }
}

impl LogisticModel {
    fn column_score_expr(&self, at: usize, feature: usize, builder: &mut ExprBuilder) -> Option<ExprRef> {
        let predictor = &self.predictor;
        let (column, slots) = (&predictor.encoding.columns[at], &predictor.encoding.slots[at]);
        let stride = predictor.encoding.width + 1;
        let of_slot = |slot: usize| -> Vec<f64> {
            predictor.weights.chunks_exact(stride).map(|weights| weights[slot]).collect()
        };
        let missing = slots.indicator.map_or_else(|| vec![0.0; self.n_scores()], of_slot);
        let rows = |n: usize| -> Vec<Vec<f64>> { (slots.basis..slots.basis + n).map(of_slot).collect() };
        let terms = match &column.basis {
            Basis::Nothing => {
                slots.indicator?;
                builder.constant(&vec![0.0; self.n_scores()])
            }
            Basis::Levels { known } => {
                // `Op::Level` returns a level code, which is the index of a row of `table`. Levels without
                // training rows have no coefficients.
                let n_codes = known.iter().max().map_or(0, |&code| code as usize + 1);
                let mut table = vec![missing.clone(); n_codes];
                for (&code, row) in known.iter().zip(rows(known.len())) {
                    table[code as usize] = row;
                }
                table.push(missing);
                let op = Op::Level { feature, known: known.clone(), missing: Some(n_codes as f64) };
                let code = builder.add_feature_step(op, 1);
                return Some(builder.look_up_table_row(&[code], vec![table.len()], table));
            }
            Basis::Bins { cuts } => {
                let n = cuts.len() + 1;
                let mut table = rows(n);
                table.push(missing);
                let code = builder
                    .add_feature_step(Op::Bin { feature, cuts: cuts.clone(), missing: Some(n as f64) }, 1);
                return Some(builder.look_up_table_row(&[code], vec![table.len()], table));
            }
            Basis::Linear { unit, center, factor } => {
                let value = builder.add_feature_step(Op::Value { feature }, 1);
                standardized_expr(value, (*unit, *center, *factor), &of_slot(slots.basis), builder)
            }
            Basis::Spline { knots, .. } => {
                let value = builder.add_feature_step(Op::Value { feature }, 1);
                let curves: Vec<ExprRef> = predictor
                    .weights
                    .chunks_exact(stride)
                    .map(|weights| {
                        spline_expr(value, knots, &weights[slots.basis..slots.basis + knots.len()], builder)
                    })
                    .collect();
                builder.concatenate(&curves)
            }
        };
        let half = builder.constant_number(0.5);
        let is_missing = builder.add_feature_step(Op::AnyMissing { features: vec![feature] }, 1);
        let missing = builder.constant(&missing);
        Some(builder.select_if((half, ComparisonOp::Less, is_missing), missing, terms))
    }
}

fn standardized_expr(
    value: ExprRef,
    (unit, center, factor): (f64, f64, f64),
    coefficients: &[f64],
    builder: &mut ExprBuilder,
) -> ExprRef {
    let [center, factor, low, high] =
        [center, factor, -MOST_STANDARD, MOST_STANDARD].map(|number| builder.constant_number(number));
    let scaled = if unit == 1.0 {
        value
    } else {
        let unit = builder.constant_number(unit);
        builder.divide(value, unit)
    };
    let centered = builder.minus(scaled, center);
    let standard = builder.times(centered, factor);
    let standard = builder.select_if((standard, ComparisonOp::Less, low), low, standard);
    let standard = builder.select_if((high, ComparisonOp::Less, standard), high, standard);
    let coefficients = builder.constant(coefficients);
    builder.times(coefficients, standard)
}

/// Writes a spline as the difference of two nondecreasing functions.
///
/// The operation [`Op::Curve`] must not decrease.
fn spline_expr(value: ExprRef, knots: &[f64], heights: &[f64], builder: &mut ExprBuilder) -> ExprRef {
    let (mut rising, mut falling) = (vec![heights[0]], vec![0.0]);
    for pair in heights.windows(2) {
        let change = pair[1] - pair[0];
        rising.push(rising[rising.len() - 1] + change.max(0.0));
        falling.push(falling[falling.len() - 1] - change.min(0.0));
    }
    let mut curve =
        |values: Vec<f64>| builder.apply_unary_op(Op::Curve { places: knots.to_vec(), values }, value);
    let is_level = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    match (is_level(&rising), is_level(&falling)) {
        (_, true) => curve(rising),
        (true, false) => {
            let (first, falling) = (rising[0], curve(falling));
            let first = builder.constant_number(first);
            builder.minus(first, falling)
        }
        (false, false) => {
            let (rising, falling) = (curve(rising), curve(falling));
            builder.minus(rising, falling)
        }
    }
}

impl TableEncoding {
    pub(crate) fn design_column_names(&self, schema: &Schema) -> Vec<String> {
        let mut names = Vec::new();
        for (at, (column, slots)) in self.columns.iter().zip(&self.slots).enumerate() {
            let name = schema.feature_name(at);
            match &column.basis {
                Basis::Nothing => {}
                Basis::Linear { .. } => names.push(name.to_owned()),
                Basis::Spline { knots, .. } => names
                    .extend(knots.windows(2).map(|pair| format!("{name} from {} to {}", pair[0], pair[1]))),
                Basis::Bins { cuts } => {
                    let last = cuts.last().copied().unwrap_or_default();
                    names.push(format!("{name} <= {}", cuts[0]));
                    names.extend(cuts.windows(2).map(|pair| format!("{} < {name} <= {}", pair[0], pair[1])));
                    names.push(format!("{name} > {last}"));
                }
                Basis::Levels { known } => {
                    names.extend(
                        known.iter().map(|&level| format!("{name} = {}", schema.level_text(at, level))),
                    );
                }
            }
            if slots.indicator.is_some() {
                names.push(format!("{name} is missing"));
            }
        }
        names
    }

    /// Design matrix of the rows of a frame, row-major.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn design_matrix(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let width = self.used_slots().len();
        let mut all = memory::filled(frame.n_rows() * width, 0.0, "the design matrix")?;
        let mut first = 0;
        for ((at, column), slots) in frame.columns().iter().enumerate().zip(&self.slots) {
            ctl.check()?;
            let used: Vec<usize> = slots.used_slots().collect();
            self.for_each_entry(at, column, 0..frame.n_rows(), |row, _, slot, value| {
                let own = &mut all[row * width + first..][..used.len()];
                add_to_design(slots, slot, value, (&used, own));
            });
            first += used.len();
        }
        Ok(all)
    }
}

fn add_to_design(slots: &ColumnSlots, slot: usize, value: f64, (used, cells): (&[usize], &mut [f64])) {
    let Some(reference) = slots.unused.filter(|_| Some(slot) != slots.indicator) else {
        used.iter().zip(cells).filter(|(own, _)| **own == slot).for_each(|(_, cell)| *cell += value);
        return;
    };
    // At a knot, a spline is the sum of the changes between the reference knot and this knot. So the value
    // is added to the cells of all these changes. Below the reference knot, it is subtracted.
    for (&own, cell) in used.iter().zip(cells) {
        if own > reference && own <= slot && own < slots.basis + slots.n_basis {
            *cell += value;
        } else if own < reference && own >= slot {
            *cell -= value;
        }
    }
}

//! Explanation of predictions by the conditions of boxes.

use crate::box_drawing::{BoxDrawing, MissingRule, NO_BOX};
use crate::drawing_rules::TrainingRange;
use crate::feature_space::has_level;
use crate::row_source::{ColumnBlock, map_row_blocks};
use imbcore_core::{Frame, MISSING, Result, RunContext};

/// Whether a row satisfies the condition of a box on one feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionResult {
    /// The box does not restrict the feature.
    Nothing,
    /// The row satisfies the condition.
    Met,
    /// The row violates the condition.
    Failed,
}

/// Explanations of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxExplanations {
    /// For each row, the first box that contains it or, if no box contains it, the nearest box.
    ///
    /// The number is [`NO_BOX`] if there are no boxes. The nearest box has the fewest failed conditions, then
    /// the smallest total violation, then the lowest number. A violation of a bound is measured in units of
    /// the training range. A disallowed level or a missing value counts 1.
    pub boxes: Vec<u32>,
    /// For each row and feature, the result of the condition of the box that `boxes` gives.
    pub asked: Vec<ConditionResult>,
    /// Whether each box contains each row, `n_rows x n_boxes`.
    pub held: Vec<bool>,
}

pub(crate) struct BoxExplainer<'a> {
    pub(crate) drawing: &'a BoxDrawing,
    pub(crate) missing: MissingRule,
    pub(crate) range: &'a TrainingRange,
}

impl BoxExplainer<'_> {
    pub(crate) fn explain_rows(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<BoxExplanations> {
        let parts = map_row_blocks(
            frame,
            ctl,
            BoxExplanations::default,
            |found: &mut BoxExplanations, rows, parts| {
                for place in 0..rows.len() {
                    self.explain_row(parts, place, found);
                }
                Ok(())
            },
        )?;
        let mut all = BoxExplanations::default();
        for part in parts {
            all.boxes.extend(part.boxes);
            all.asked.extend(part.asked);
            all.held.extend(part.held);
        }
        Ok(all)
    }

    fn explain_row(&self, parts: &[ColumnBlock<'_>], place: usize, found: &mut BoxExplanations) {
        let mut nearest: Option<(usize, f64, usize)> = None;
        for number in 0..self.drawing.n_boxes() {
            let misses =
                (0..parts.len()).filter_map(|feature| self.violation_amount(number, feature, parts, place));
            let (failed, by) = misses.fold((0, 0.0), |(failed, by), miss| (failed + 1, by + miss));
            found.held.push(failed == 0);
            if nearest.is_none_or(|(least, least_by, _)| failed < least || failed == least && by < least_by) {
                nearest = Some((failed, by, number));
            }
        }
        let number = nearest.map(|(.., number)| number);
        found.boxes.push(number.map_or(NO_BOX, |number| number as u32));
        let result = |feature: usize| match number {
            Some(number) if self.drawing.restricts_feature(number, feature) => {
                if self.violation_amount(number, feature, parts, place).is_some() {
                    ConditionResult::Failed
                } else {
                    ConditionResult::Met
                }
            }
            _ => ConditionResult::Nothing,
        };
        found.asked.extend((0..parts.len()).map(result));
    }

    fn violation_amount(
        &self,
        number: usize,
        feature: usize,
        parts: &[ColumnBlock<'_>],
        place: usize,
    ) -> Option<f64> {
        if !self.drawing.restricts_feature(number, feature) {
            return None;
        }
        let (lower, upper, sets) = self.drawing.box_arrays(number);
        let unknown = || (!self.drawing.accepts_missing(number, feature, self.missing)).then_some(1.0);
        match parts[feature] {
            ColumnBlock::Numbers(values) => {
                let (x, low, high) = (values[place], lower[feature], upper[feature]);
                if x.is_nan() {
                    return unknown();
                }
                let width = self.range.high[feature] - self.range.low[feature];
                let width = if width > 0.0 && width.is_finite() { width } else { 1.0 };
                // In a box whose lower bound exceeds its upper bound, a value can violate both bounds.
                (x < low || x > high).then(|| ((low - x).max(0.0) + (x - high).max(0.0)) / width)
            }
            ColumnBlock::Codes(codes) => {
                let set = &sets[self.drawing.feature_space().level_word_range(feature)];
                if codes[place] == MISSING {
                    unknown()
                } else {
                    (!has_level(set, codes[place])).then_some(1.0)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_space::{FeatureAxisType, FeatureSpace};
    use imbcore_core::Column;

    #[test]
    fn nearest_box_has_fewest_failed_conditions() {
        let space = FeatureSpace::new(vec![
            FeatureAxisType::Numeric,
            FeatureAxisType::Numeric,
            FeatureAxisType::Nominal(3),
        ]);
        let mut near = space.unbounded_box();
        (near.lower[0], near.upper[0], near.upper[1]) = (1.0, 2.0, 5.0);
        let mut far = space.unbounded_box();
        (far.lower[0], far.sets[0]) = (4.0, 0b001);
        let drawing = BoxDrawing::new(space, &[near, far]).unwrap();
        let range = TrainingRange { low: vec![0.0, 0.0, 0.0], high: vec![10.0, 10.0, 0.0] };
        let judge = |missing| BoxExplainer { drawing: &drawing, missing, range: &range };
        // Row 0 is inside box 0. Rows 1, 2 and 3 are outside all boxes. Their nearest boxes are 0, 1 and 1,
        // and each of these rows violates one condition. Row 4 has a missing value.
        let x = [1.5, 2.5, 3.9, 3.9, f64::NAN];
        let y = [5.0, 1.0, 1.0, 9.0, 1.0];
        let codes = [0, 0, 0, 0, 1];
        let frame = Frame::new(vec![
            Column::from_numbers(&x),
            Column::from_numbers(&y),
            Column::Nominal { codes: &codes, levels: 3 },
        ])
        .unwrap();
        let found = judge(MissingRule::Outside).explain_rows(&frame, RunContext::silent()).unwrap();
        assert_eq!(found.boxes, [0, 0, 1, 1, 0]);
        let (nothing, met, failed) =
            (ConditionResult::Nothing, ConditionResult::Met, ConditionResult::Failed);
        assert_eq!(found.asked[..3], [met, met, nothing]);
        assert_eq!(found.asked[3..9], [failed, met, nothing, failed, nothing, met]);
        assert_eq!(found.asked[12..], [failed, met, nothing]);
        assert_eq!(found.held, [true, false, false, false, false, false, false, false, false, false]);
        let inside = judge(MissingRule::Inside).explain_rows(&frame, RunContext::silent()).unwrap();
        assert_eq!((inside.boxes[4], inside.asked[12]), (0, met));
        let none = BoxDrawing::new(drawing.feature_space().clone(), &[]).unwrap();
        let found = BoxExplainer { drawing: &none, ..judge(MissingRule::Outside) }
            .explain_rows(&frame, RunContext::silent());
        let found = found.unwrap();
        assert!(found.boxes.iter().all(|&number| number == NO_BOX) && found.held.is_empty());
        assert!(found.asked.iter().all(|&asked| asked == nothing));
    }
}

//! Why a row is answered as it is: the boxes that hold it, or what keeps it out of the nearest.

use crate::blocks::{ColumnBlock, map_rows};
use crate::drawing::{BoxDrawing, MissingRule, NO_BOX};
use crate::rules::TrainingRange;
use crate::space::has_level;
use imbcore_base::{Frame, MISSING, Result, RunCtl};

/// What a box asks of a feature of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Nothing.
    Nothing,
    /// What it has.
    Met,
    /// What it has not.
    Failed,
}

/// Reasons of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reasons {
    /// The first box that holds each row; where none does the nearest, [`NO_BOX`] where there are no boxes.
    ///
    /// The nearest is that of which a row fails the fewest conditions, then that whose bounds it misses by least, as the sum
    /// of shares of the training range (a level that is not allowed, or a missing value, misses by 1), then the first.
    pub boxes: Vec<u32>,
    /// What that box asks of every feature, `n_rows x n_features`.
    pub asked: Vec<Asked>,
    /// Whether each box holds each row, `n_rows x n_boxes`.
    pub held: Vec<bool>,
}

/// Boxes and what it takes to tell how far a row is from them.
pub(crate) struct Judge<'a> {
    pub(crate) drawing: &'a BoxDrawing,
    pub(crate) missing: MissingRule,
    pub(crate) range: &'a TrainingRange,
}

impl Judge<'_> {
    /// Reasons of all rows of a frame that has the features of the boxes.
    pub(crate) fn reasons(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Reasons> {
        let parts = map_rows(frame, ctl, Reasons::default, |found: &mut Reasons, rows, parts| {
            for place in 0..rows.len() {
                self.judge(parts, place, found);
            }
            Ok(())
        })?;
        let mut all = Reasons::default();
        for part in parts {
            all.boxes.extend(part.boxes);
            all.asked.extend(part.asked);
            all.held.extend(part.held);
        }
        Ok(all)
    }

    fn judge(&self, parts: &[ColumnBlock<'_>], place: usize, found: &mut Reasons) {
        let mut nearest: Option<(usize, f64, usize)> = None;
        for number in 0..self.drawing.n_boxes() {
            let misses = (0..parts.len()).filter_map(|feature| self.miss(number, feature, parts, place));
            let (failed, by) = misses.fold((0, 0.0), |(failed, by), miss| (failed + 1, by + miss));
            found.held.push(failed == 0);
            if nearest.is_none_or(|(least, least_by, _)| failed < least || failed == least && by < least_by) {
                nearest = Some((failed, by, number));
            }
        }
        let number = nearest.map(|(.., number)| number);
        found.boxes.push(number.map_or(NO_BOX, |number| number as u32));
        let asked = |feature: usize| match number {
            Some(number) if self.drawing.limits(number, feature) => {
                if self.miss(number, feature, parts, place).is_some() { Asked::Failed } else { Asked::Met }
            }
            _ => Asked::Nothing,
        };
        found.asked.extend((0..parts.len()).map(asked));
    }

    /// By how much a row misses what a box asks of a feature, none where it meets it.
    fn miss(&self, number: usize, feature: usize, parts: &[ColumnBlock<'_>], place: usize) -> Option<f64> {
        if !self.drawing.limits(number, feature) {
            return None;
        }
        let (lower, upper, sets) = self.drawing.parts(number);
        let unknown = || (!self.drawing.lets_in(number, feature, self.missing)).then_some(1.0);
        match parts[feature] {
            ColumnBlock::Numbers(values) => {
                let (x, low, high) = (values[place], lower[feature], upper[feature]);
                if x.is_nan() {
                    return unknown();
                }
                let width = self.range.high[feature] - self.range.low[feature];
                let width = if width > 0.0 && width.is_finite() { width } else { 1.0 };
                // A box may be empty, so that both bounds are missed.
                (x < low || x > high).then(|| ((low - x).max(0.0) + (x - high).max(0.0)) / width)
            }
            ColumnBlock::Codes(codes) => {
                let set = &sets[self.drawing.space().words(feature)];
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
    use crate::space::{Axis, Space};
    use imbcore_base::Column;

    #[test]
    fn the_nearest_box_is_that_of_which_the_fewest_conditions_fail() {
        let space = Space::new(vec![Axis::Numeric, Axis::Numeric, Axis::Nominal(3)]);
        let mut near = space.everything();
        (near.lower[0], near.upper[0], near.upper[1]) = (1.0, 2.0, 5.0);
        let mut far = space.everything();
        (far.lower[0], far.sets[0]) = (4.0, 0b001);
        let drawing = BoxDrawing::new(space, &[near, far]).unwrap();
        let range = TrainingRange { low: vec![0.0, 0.0, 0.0], high: vec![10.0, 10.0, 0.0] };
        let judge = |missing| Judge { drawing: &drawing, missing, range: &range };
        // In the first; in both of none: nearer the first, nearer the second, with one condition failed; unknown.
        let x = [1.5, 2.5, 3.9, 3.9, f64::NAN];
        let y = [5.0, 1.0, 1.0, 9.0, 1.0];
        let codes = [0, 0, 0, 0, 1];
        let frame = Frame::new(vec![
            Column::numeric(&x),
            Column::numeric(&y),
            Column::Nominal { codes: &codes, levels: 3 },
        ])
        .unwrap();
        let found = judge(MissingRule::Outside).reasons(&frame, RunCtl::silent()).unwrap();
        assert_eq!(found.boxes, [0, 0, 1, 1, 0]);
        let (nothing, met, failed) = (Asked::Nothing, Asked::Met, Asked::Failed);
        assert_eq!(found.asked[..3], [met, met, nothing]);
        assert_eq!(found.asked[3..9], [failed, met, nothing, failed, nothing, met]);
        assert_eq!(found.asked[12..], [failed, met, nothing]);
        assert_eq!(found.held, [true, false, false, false, false, false, false, false, false, false]);
        let inside = judge(MissingRule::Inside).reasons(&frame, RunCtl::silent()).unwrap();
        assert_eq!((inside.boxes[4], inside.asked[12]), (0, met));
        let none = BoxDrawing::new(drawing.space().clone(), &[]).unwrap();
        let found = Judge { drawing: &none, ..judge(MissingRule::Outside) }.reasons(&frame, RunCtl::silent());
        let found = found.unwrap();
        assert!(found.boxes.iter().all(|&number| number == NO_BOX) && found.held.is_empty());
        assert!(found.asked.iter().all(|&asked| asked == nothing));
    }
}

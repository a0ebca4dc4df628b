//! Scores of rows by nested boxes: the maximum over boxes of the minimum over sides.
//!
//! A side is a lower or upper bound of a box, or a level that the box does not allow. The score is `s(x) =
//! sup {c : x is positive at c} = max_k min_sides s_side(x)`, where c is the weight of negative rows. For a
//! row at distance `d` outside the start box, `s_side = (P e^-d + beta) e^-d / N`. This is the largest `c` at
//! which the closed form with the sums P and N moves the bound by `d`. The code uses logarithms.
//!
//! The stored sets of boxes are nested and include the final adjustment. A row that is inside the first
//! `passed` of these sets therefore has a score in `[floor[passed], ceiling[passed]]`. The formula only
//! interpolates in this range.
//!
//! Invariant of the loop over boxes in [`RowScorer::log_scores_of_block`]: `best` is the largest score in a
//! visited box. The boxes are visited in descending order of `most`, an upper bound on the score in a box.
//! The cost of a row is one comparison per box and feature, and a logarithm for the few sides that can have
//! the smallest score in the best box.
//!
//! The exact score of a side needs an exponential. Cheap lower and upper bounds exclude most sides.

use super::bound_sums::LEVEL_DISTANCE;
use super::closed_form::{BoundAdjustmentRule, log_critical_weight};
use super::nested_boxes::NestedBoxes;
use super::score_bounds::{BoundScoreTerms, update_score_estimates};
use crate::box_drawing::{BoxDrawing, MissingRule};
use crate::feature_space::{FeatureAxisType, has_level};
use crate::row_source::{ColumnBlock, map_row_blocks};
use imbcore_core::{Frame, MISSING, Result, RunContext};

pub(super) struct RowScorer<'a> {
    nested: &'a NestedBoxes,
    missing: MissingRule,
    log_beta: f64,
    /// `floor[i]` is a lower bound on the log score of a row inside exactly `i` sets of boxes.
    floor: Vec<f64>,
    ceiling: Vec<f64>,
    /// Lower bounds by box, feature and set of boxes; the widest set of boxes comes first.
    lower: Vec<f64>,
    upper: Vec<f64>,
    walls: Vec<[BoundScoreTerms; 2]>,
}

#[derive(Default)]
pub(super) struct ScoringScratch {
    /// For each box and row, the smallest score estimate over the features, and its feature.
    near: Vec<(Vec<f64>, Vec<f64>)>,
    order: Vec<(f64, bool, usize)>,
    sides: Vec<SideScoreBound>,
}

#[derive(Clone, Copy)]
pub(super) struct SideScoreBound {
    least: f64,
    side: usize,
    at: SideScoreInput,
    passed: usize,
}

#[derive(Clone, Copy)]
enum SideScoreInput {
    Settled,
    Distance(f64),
    /// Index of the feature, value of the row, and whether the side is the upper bound.
    Value(usize, f64, bool),
}

impl<'a> RowScorer<'a> {
    pub(super) fn new(nested: &'a NestedBoxes, missing: MissingRule) -> Self {
        let mut floor: Vec<f64> = nested.weights.iter().map(|c| c.ln()).collect();
        let mut ceiling: Vec<f64> = floor.iter().map(|log| log.next_down()).collect();
        floor.insert(0, f64::NEG_INFINITY);
        ceiling.push(f64::INFINITY);
        let cells = nested.sweep.start.lower_bounds().len();
        let together = |bounds: fn(&BoxDrawing) -> &[f64]| {
            (0..cells)
                .flat_map(|cell| nested.drawings.iter().map(move |drawing| bounds(drawing)[cell]))
                .collect()
        };
        let (lower, upper) = (together(BoxDrawing::lower_bounds), together(BoxDrawing::upper_bounds));
        let log_beta = nested.beta.ln();
        let start = &nested.sweep.start;
        let (space, sums) = (start.feature_space(), &nested.sweep.sums);
        let wall = |cell: usize, upper: bool| {
            let (number, feature) = (cell / space.n_features(), cell % space.n_features());
            if !matches!(space.feature_axis_types()[feature], FeatureAxisType::Numeric) {
                return BoundScoreTerms::NONE;
            }
            let side = number * space.n_sides() + space.first_side_index(feature) + usize::from(upper);
            let bounds = if upper { BoxDrawing::upper_bounds } else { BoxDrawing::lower_bounds };
            let outwards = |bound: f64| if upper { bound } else { -bound };
            BoundScoreTerms {
                start: outwards(bounds(start)[cell]),
                widest: nested
                    .drawings
                    .first()
                    .map_or(f64::INFINITY, |widest| outwards(bounds(widest)[cell])),
                per_unit: 1.0 / nested.sweep.units[feature],
                terms: [sums.log_p[side], log_beta].map(|log| log - sums.log_n[side]),
            }
        };
        let walls = (0..cells).map(|cell| [wall(cell, false), wall(cell, true)]).collect();
        Self { nested, missing, log_beta, floor, ceiling, lower, upper, walls }
    }

    #[allow(clippy::cast_sign_loss)] // Numbers of features, kept as floats to be chosen side by side with scores.
    pub(super) fn log_scores_of_block(
        &self,
        parts: &[ColumnBlock<'_>],
        n_rows: usize,
        scratch: &mut ScoringScratch,
        out: &mut Vec<f64>,
    ) {
        let ScoringScratch { near, order, sides } = scratch;
        near.resize_with(self.nested.sweep.start.n_boxes(), Default::default);
        // The estimates are not used in two cases. With stored values of negative rows, a bound can be
        // farther out than its closed form. With `bound_rule="none"`, a box can be inside the start box.
        let plain = self.nested.negatives.is_none() && self.nested.finish.rule != BoundAdjustmentRule::None;
        for (number, (least, at)) in near.iter_mut().enumerate() {
            least.clear();
            least.resize(n_rows, f64::INFINITY);
            at.resize(n_rows, 0.0);
            for (feature, part) in parts.iter().enumerate().filter(|_| plain) {
                if let ColumnBlock::Numbers(values) = part {
                    let wall = &self.walls[number * parts.len() + feature];
                    update_score_estimates(wall, values, feature, (least, at));
                }
            }
        }
        for place in 0..n_rows {
            order.clear();
            order.extend(near.iter().enumerate().map(|(number, (least, at))| {
                let outside = least[place] < f64::INFINITY;
                let most = if outside {
                    self.row_score_upper_bound(number, at[place] as usize, parts, place)
                } else {
                    f64::INFINITY
                };
                (most, outside, number)
            }));
            // The box with the largest upper bound on the score comes first, so most other boxes are skipped.
            order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
            let mut best = f64::NEG_INFINITY;
            for &(most, outside, number) in &*order {
                if most <= best {
                    break;
                }
                let score = self.score_row((number, outside), parts, place, best, sides);
                best = if score > best { score } else { best };
            }
            out.push(best);
        }
    }

    /// Upper bound on the score of a row in a box: the score of the side that it violates.
    ///
    /// The side is a bound of the numeric `feature`. The row must violate it even in the widest set of boxes.
    fn row_score_upper_bound(
        &self,
        number: usize,
        feature: usize,
        parts: &[ColumnBlock<'_>],
        place: usize,
    ) -> f64 {
        let ColumnBlock::Numbers(values) = parts[feature] else { return f64::INFINITY };
        let start = &self.nested.sweep.start;
        let x = values[place];
        let cell = number * parts.len() + feature;
        let upper = x > self.walls[cell][1].widest;
        let distance = if upper { x - start.upper_bounds()[cell] } else { start.lower_bounds()[cell] - x };
        let distance = distance / self.nested.sweep.units[feature];
        let side = number * start.feature_space().n_sides()
            + start.feature_space().first_side_index(feature)
            + usize::from(upper);
        let at = SideScoreInput::Distance(distance);
        self.exact_side_score(&SideScoreBound { least: f64::NEG_INFINITY, side, at, passed: 0 })
    }

    /// Log score of a row in one box; the result is exact if it exceeds `best`.
    ///
    /// If the log score is at most `best`, the result is any number up to `best`. `outside` is true if the
    /// row is outside this box even in the widest set of boxes.
    fn score_row(
        &self,
        (number, outside): (usize, bool),
        parts: &[ColumnBlock<'_>],
        place: usize,
        best: f64,
        sides: &mut Vec<SideScoreBound>,
    ) -> f64 {
        sides.clear();
        let mut most = f64::INFINITY;
        for (feature, part) in parts.iter().enumerate() {
            let side = match part {
                ColumnBlock::Numbers(values) => {
                    let x = values[place];
                    let [lower, upper] = &self.walls[number * parts.len() + feature];
                    // If the row is outside the widest box, a side that the row violates there has the
                    // smallest score. Features without such a side are skipped.
                    if outside && -x <= lower.widest && x <= upper.widest {
                        continue;
                    }
                    self.append_numeric_score_bounds(number, feature, x, sides)
                }
                ColumnBlock::Codes(codes) => self.append_level_score(number, feature, codes[place], sides),
            };
            most = if side < most { side } else { most };
            if most <= best {
                return most;
            }
        }
        let mut least = f64::INFINITY;
        for bracket in sides.iter() {
            // A side needs an exact score only if its score may be the minimum.
            if bracket.least > most || bracket.least >= least {
                continue;
            }
            let exact = self.exact_side_score(bracket);
            least = if exact < least { exact } else { least };
            if least <= best {
                break;
            }
        }
        least
    }

    /// Appends bounds on the scores of both sides of a numeric feature to `sides`.
    ///
    /// Returns an upper bound on the minimum of the two scores.
    fn append_numeric_score_bounds(
        &self,
        number: usize,
        feature: usize,
        x: f64,
        sides: &mut Vec<SideScoreBound>,
    ) -> f64 {
        let start = &self.nested.sweep.start;
        let cell = number * start.feature_space().n_features() + feature;
        let (low, high) = (start.lower_bounds()[cell], start.upper_bounds()[cell]);
        let inwards = self.nested.finish.rule == BoundAdjustmentRule::None;
        if low == f64::NEG_INFINITY || (!inwards && x >= low && x <= high) {
            return f64::INFINITY;
        }
        let width = self.nested.drawings.len();
        let cells = cell * width..(cell + 1) * width;
        let (lower, upper) = (&self.lower[cells.clone()], &self.upper[cells]);
        if x.is_nan() {
            let free = |(low, high): &(&f64, &f64)| **low == f64::NEG_INFINITY && **high == f64::INFINITY;
            return self.append_missing_score(lower.iter().zip(upper).take_while(free).count(), sides);
        }
        let side = number * start.feature_space().n_sides() + start.feature_space().first_side_index(feature);
        let mut most = f64::INFINITY;
        if x < low || inwards {
            let passed = lower.iter().take_while(|&&bound| x >= bound).count();
            most = self.append_side_score_bounds(side, (feature, x, false), low - x, passed, sides);
        }
        if x > high || inwards {
            let passed = upper.iter().take_while(|&&bound| x <= bound).count();
            let above = self.append_side_score_bounds(side + 1, (feature, x, true), x - high, passed, sides);
            most = if above < most { above } else { most };
        }
        most
    }

    /// Appends bounds on the score of one side of a numeric feature; returns the upper bound.
    ///
    /// `distance` is the distance of the row outside the start box, in original units.
    fn append_side_score_bounds(
        &self,
        side: usize,
        (feature, x, upper): (usize, f64, bool),
        distance: f64,
        passed: usize,
        sides: &mut Vec<SideScoreBound>,
    ) -> f64 {
        let (floor, ceiling) = (self.floor[passed], self.ceiling[passed]);
        if floor == f64::INFINITY {
            return f64::INFINITY;
        }
        if self.nested.negatives.is_some() && self.nested.finish.rule == BoundAdjustmentRule::Paper {
            let at = SideScoreInput::Value(feature, x, upper);
            sides.push(SideScoreBound { least: floor, side, at, passed });
            return ceiling;
        }
        let distance = distance / self.nested.sweep.units[feature];
        self.append_bounds_by_distance(side, distance, passed, sides)
    }

    /// Appends lower and upper bounds on the score of a side to `sides`; returns the upper bound.
    ///
    /// The distance of the row to the side is in scaled units.
    fn append_bounds_by_distance(
        &self,
        side: usize,
        distance: f64,
        passed: usize,
        sides: &mut Vec<SideScoreBound>,
    ) -> f64 {
        let (floor, ceiling) = (self.floor[passed], self.ceiling[passed]);
        let sums = &self.nested.sweep.sums;
        // The score is the logarithm of a sum of two terms. The larger term is at least half of the sum, so
        // it bounds the score within ln 2.
        let cluster_term = sums.log_p[side] - distance;
        let larger = if cluster_term > self.log_beta { cluster_term } else { self.log_beta };
        let low = larger - distance - sums.log_n[side];
        let (least, most) =
            (low - score_rounding_bound(low), low + std::f64::consts::LN_2 + score_rounding_bound(low));
        // If a bound is NaN, its comparisons are false, and `floor` and `ceiling` are the bounds on the
        // score.
        let least = if least > floor { if least < ceiling { least } else { ceiling } } else { floor };
        let most = if most < ceiling { if most > floor { most } else { floor } } else { ceiling };
        sides.push(SideScoreBound { least, side, at: SideScoreInput::Distance(distance), passed });
        most
    }

    /// Appends the score of a row in which a feature is missing.
    ///
    /// Only the first `free` sets of boxes allow the missing value.
    fn append_missing_score(&self, free: usize, sides: &mut Vec<SideScoreBound>) -> f64 {
        if self.missing == MissingRule::Inside || free == self.nested.drawings.len() {
            return f64::INFINITY;
        }
        let (least, at) = (self.floor[free], SideScoreInput::Settled);
        sides.push(SideScoreBound { least, side: 0, at, passed: free });
        least
    }

    fn append_level_score(
        &self,
        number: usize,
        feature: usize,
        code: u32,
        sides: &mut Vec<SideScoreBound>,
    ) -> f64 {
        let nested = self.nested;
        let space = nested.sweep.start.feature_space();
        let (_, _, start) = nested.sweep.start.box_arrays(number);
        let words = space.level_word_range(feature);
        let cells = number * space.n_level_words() + words.start..number * space.n_level_words() + words.end;
        let passed = |test: &dyn Fn(&[u32]) -> bool| {
            nested
                .drawings
                .iter()
                .take_while(|drawing| test(&drawing.allowed_level_sets()[cells.clone()]))
                .count()
        };
        if code == MISSING {
            return self.append_missing_score(passed(&|set| space.has_all_levels(feature, set)), sides);
        }
        if has_level(&start[words], code) {
            return f64::INFINITY;
        }
        let passed = passed(&|set| has_level(set, code));
        let admitted = nested.negatives.as_ref().is_some_and(|negatives| {
            nested.finish.rule == BoundAdjustmentRule::Paper
                && nested.finish.is_level_added(space, &negatives.levels, feature, code)
        });
        if admitted {
            sides.push(SideScoreBound {
                least: self.ceiling[passed],
                side: 0,
                at: SideScoreInput::Distance(f64::NEG_INFINITY),
                passed,
            });
            return self.ceiling[passed];
        }
        let side = number * space.n_sides() + space.first_side_index(feature) + code as usize;
        self.append_bounds_by_distance(side, LEVEL_DISTANCE, passed, sides)
    }

    /// Exact score of one side, limited to the range that follows from the stored sets of boxes.
    fn exact_side_score(&self, bracket: &SideScoreBound) -> f64 {
        let nested = self.nested;
        let rule = nested.finish.rule;
        let distance = match bracket.at {
            SideScoreInput::Settled => return bracket.least,
            SideScoreInput::Distance(distance) => distance,
            SideScoreInput::Value(feature, x, upper) => {
                let x = match &nested.negatives {
                    Some(negatives) => {
                        negatives.innermost_bound_reaching(feature, x, upper, nested.finish.eps)
                    }
                    None => x,
                };
                let space = nested.sweep.start.feature_space();
                let cell = bracket.side / space.n_sides() * space.n_features() + feature;
                let start = &nested.sweep.start;
                let distance =
                    if upper { x - start.upper_bounds()[cell] } else { start.lower_bounds()[cell] - x };
                distance / nested.sweep.units[feature]
            }
        };
        let critical = if distance <= 0.0 && rule != BoundAdjustmentRule::None {
            f64::INFINITY
        } else {
            let sums = &nested.sweep.sums;
            log_critical_weight(sums.log_p[bracket.side], sums.log_n[bracket.side], self.log_beta, distance)
        };
        critical.clamp(self.floor[bracket.passed], self.ceiling[bracket.passed])
    }
}

fn score_rounding_bound(score: f64) -> f64 {
    1e-9 * (1.0 + score.abs())
}

impl NestedBoxes {
    /// Logarithm of the score `s` of every row.
    ///
    /// For each stored weight c of negative rows, a row is inside the set of boxes of c if and only if its
    /// result is at least ln c.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Data`] if the features of the table are not those of the boxes, and
    /// [`imbcore_core::Error::Cancelled`].
    pub fn log_scores(
        &self,
        frame: &Frame<'_>,
        missing: MissingRule,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        self.sweep.start.feature_space().check_features_match(frame)?;
        let scorer = RowScorer::new(self, missing);
        let fresh = || (Vec::new(), ScoringScratch::default());
        let parts = map_row_blocks(frame, ctl, fresh, |(scores, scratch), rows, parts| {
            scorer.log_scores_of_block(parts, rows.len(), scratch, scores);
            Ok(())
        })?;
        Ok(parts.into_iter().flat_map(|(scores, _)| scores).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::{FastBoxesParams, RowRanking};
    use crate::model::BoxScoring;
    use imbcore_core::{Column, Dataset, Learner, SeedKey};
    use proptest::prelude::*;

    impl RowScorer<'_> {
        /// Reference for tests: score of a row with all sides of all boxes computed exactly.
        fn plain(&self, parts: &[ColumnBlock<'_>], place: usize) -> f64 {
            let in_box = |number: usize| {
                let mut sides = Vec::new();
                for (feature, part) in parts.iter().enumerate() {
                    match part {
                        ColumnBlock::Numbers(values) => {
                            self.append_numeric_score_bounds(number, feature, values[place], &mut sides)
                        }
                        ColumnBlock::Codes(codes) => {
                            self.append_level_score(number, feature, codes[place], &mut sides)
                        }
                    };
                }
                sides.iter().map(|side| self.exact_side_score(side)).fold(f64::INFINITY, f64::min)
            };
            (0..self.nested.sweep.start.n_boxes()).map(in_box).fold(f64::NEG_INFINITY, f64::max)
        }
    }

    proptest! {
        #[test]
        fn looking_at_few_sides_changes_no_score(
            cells in prop::collection::vec((-20_i16..20, 0_u32..400, 0_u32..4), 12..90),
            rare in 2..9_usize,
            rule in prop::sample::select(vec![BoundAdjustmentRule::Paper, BoundAdjustmentRule::Program, BoundAdjustmentRule::Expand, BoundAdjustmentRule::None]),
            (n_boxes, beta) in (1..4_u32, prop::sample::select(vec![0.0, 1.0, 300.0])),
            (exact, inside) in any::<(bool, bool)>(),
        ) {
            let number = |&(a, b, _): &(i16, u32, u32)| if b % 17 == 0 { f64::NAN } else { f64::from(a) + f64::from(b) / 400.0 };
            let x: Vec<f64> = cells.iter().map(number).collect();
            let z: Vec<f64> = cells.iter().map(|&(a, b, c)| f64::from(b) * f64::from(a) + f64::from(c)).collect();
            let codes: Vec<u32> = cells.iter().map(|&(_, b, c)| if b % 23 == 0 { MISSING } else { c }).collect();
            let y: Vec<u32> = (0..cells.len()).map(|row| u32::from(row % rare == 0)).collect();
            let nominal = Column::Nominal { codes: &codes, levels: 4 };
            let columns = vec![Column::from_numbers(&x), nominal, Column::from_numbers(&z), nominal];
            let frame = Frame::new(columns).unwrap();
            let data = Dataset::new(frame.clone(), &y, 2, None).unwrap();
            let missing = if inside { MissingRule::Inside } else { MissingRule::Outside };
            let ranking = if exact { RowRanking::Exact } else { RowRanking::Levels };
            let params = FastBoxesParams { n_boxes, expansion: beta, bound_rule: rule, missing, ranking, ..FastBoxesParams::default() };
            let model = params.check("fast_boxes").unwrap().fit(&data, SeedKey::root(3), RunContext::silent()).unwrap();
            let BoxScoring::Nested { nested, .. } = model.scoring() else { panic!("nested") };
            let scorer = RowScorer::new(nested, missing);
            let fresh = || (Vec::new(), Vec::new(), ScoringScratch::default());
            let parts = map_row_blocks(&frame, RunContext::silent(), fresh, |(quick, plain, scratch), rows, parts| {
                scorer.log_scores_of_block(parts, rows.len(), scratch, quick);
                plain.extend((0..rows.len()).map(|place| scorer.plain(parts, place)));
                Ok(())
            }).unwrap();
            for (quick, plain, _) in parts {
                prop_assert_eq!(quick, plain);
            }
        }
    }
}

//! Terms of the objective: values of sets of boxes, and the smallest possible improvement.

use crate::bit_set::BitSet;
use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::pricing_weights::PricingWeights;
use crate::exact::problem::BoxObjective;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectiveTerms {
    /// Cost of hitting a majority row of weight 1.
    pub hit: f64,
    /// Cost of each box that covers at least one minority row; other boxes cost nothing.
    pub per_box: f64,
    pub n_boxes: usize,
    /// Whether every set has exactly `n_boxes` boxes, because the objective rewards their widths.
    ///
    /// Otherwise a set has only boxes that increase its value.
    pub all_present: bool,
    /// Step of the objective: the value of every set of boxes is a multiple of this number.
    ///
    /// The number is [`NO_LATTICE`] if there is no such step.
    pub step: f64,
    /// Step of the values before the costs of boxes are subtracted, or [`NO_LATTICE`].
    pub stride: f64,
}

/// Smallest improvement that the search looks for if values are not multiples of any step.
const NO_LATTICE: f64 = 5e-7;

impl ObjectiveTerms {
    /// Builds the terms of an objective.
    ///
    /// `whole_weight` is the total weight of the rows if every weight is a whole number, otherwise `None`.
    /// With `None`, the possible values are not multiples of a step.
    pub(crate) fn new(goal: &BoxObjective, whole_weight: Option<f64>) -> Self {
        let step =
            |boxes: f64| whole_weight.map_or(NO_LATTICE, |total| objective_value_step(goal, boxes, total));
        Self {
            hit: goal.majority_weight,
            per_box: goal.box_cost,
            n_boxes: goal.n_boxes,
            all_present: goal.expand > 0.0,
            step: step(goal.box_cost),
            stride: step(0.0),
        }
    }

    pub(crate) fn objective_value(&self, codes: &EncodedRows, boxes: &[BoxColumn]) -> f64 {
        let (mut pos, mut neg) =
            (BitSet::empty(codes.n_minority_groups()), BitSet::empty(codes.n_majority_groups()));
        for column in boxes {
            pos.union_with(&column.pos);
            neg.union_with(&column.neg);
        }
        let used = boxes.iter().filter(|column| !column.pos.is_empty()).count();
        let width: f64 = boxes.iter().map(|column| column.width_reward(codes)).sum();
        self.hit * (codes.neg_total - neg.sum_weights(&codes.neg_mass)) + pos.sum_weights(&codes.pos_mass)
            - self.per_box * used as f64
            + width
    }

    pub(crate) fn empty_set_value(&self, codes: &EncodedRows) -> f64 {
        self.hit * codes.neg_total
    }

    pub(crate) fn first_box_weights(&self, codes: &EncodedRows) -> PricingWeights {
        PricingWeights::without_pairs(
            codes.pos_mass.clone(),
            codes.neg_mass.iter().map(|mass| self.hit * mass).collect(),
        )
    }

    pub(crate) fn value_and_remaining_weights(
        &self,
        codes: &EncodedRows,
        weights: &PricingWeights,
        column: &BoxColumn,
    ) -> (f64, PricingWeights) {
        let gain = column.pos.sum_weights(&weights.pos) - column.neg.sum_weights(&weights.neg)
            + column.width_reward(codes)
            - self.per_box;
        let mut left = weights.clone();
        column.pos.iter().for_each(|p| left.pos[p] = 0.0);
        column.neg.iter().for_each(|i| left.neg[i] = 0.0);
        (gain, left)
    }

    pub(crate) fn min_improving_value(&self, best: f64, gap: f64) -> f64 {
        best + self.step.max(gap)
    }

    /// Like [`Self::min_improving_value`], but only for sets with exactly `n_boxes` boxes.
    ///
    /// The value plus the box costs is rounded up to a multiple of `stride`, unless `stride` is
    /// [`NO_LATTICE`].
    pub(crate) fn min_improving_value_all_boxes(&self, best: f64, gap: f64) -> f64 {
        let need = self.min_improving_value(best, gap);
        if self.stride <= NO_LATTICE {
            return need;
        }
        let paid = self.per_box * self.n_boxes as f64;
        // Sums of large weights have rounding errors, and an improvement must exceed these errors.
        let rounding = if self.step > NO_LATTICE { 1e-6 } else { 1e-7 };
        ((need + paid) / self.stride - rounding).ceil() * self.stride - paid
    }

    /// Upper bound on the value of any set of boxes if no set is an improvement.
    ///
    /// An improvement has at least the value [`Self::min_improving_value`].
    pub(crate) fn bound_if_no_improvement(&self, best: f64, gap: f64) -> f64 {
        if self.step > gap && self.step > NO_LATTICE { best } else { self.min_improving_value(best, gap) }
    }

    /// Smallest value, before its cost is subtracted, at which a box can improve a set.
    ///
    /// It is minus infinity if all boxes must be present.
    pub(crate) fn min_box_value(&self) -> f64 {
        if self.all_present { f64::NEG_INFINITY } else { self.per_box }
    }
}

/// Rounding tolerance: a number this close to a multiple of a step counts as a multiple.
const ON_LATTICE: f64 = 1e-7;

/// Largest step `1 / d` of which all values of sets are multiples, up to [`ON_LATTICE`].
///
/// `d` is at most 1000. The majority weight and the box cost must be multiples of the step. Their errors,
/// summed over all rows and boxes, must be at most [`ON_LATTICE`]. The result is [`NO_LATTICE`] if there is
/// no such step, or if the objective rewards width.
fn objective_value_step(goal: &BoxObjective, boxes: f64, total: f64) -> f64 {
    let whole =
        |value: f64, times: f64, d: f64| (value - (value * d).round() / d).abs() * times <= ON_LATTICE;
    (1..=1000)
        .map(f64::from)
        .find(|&d| {
            goal.expand == 0.0
                && whole(goal.majority_weight, total, d)
                && whole(boxes, goal.n_boxes as f64, d)
        })
        .map_or(NO_LATTICE, |d| 1.0 / d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::random_problems::{draw_random_problem, list_all_boxes, random_integer_generator};

    #[test]
    fn weights_off_the_lattice_by_more_than_rounding_have_no_lattice() {
        let step = |majority_weight: f64, total: f64| {
            ObjectiveTerms::new(&BoxObjective { majority_weight, ..BoxObjective::default() }, Some(total))
                .step
        };
        assert_eq!(step(0.3, 1e9), 0.1);
        assert_eq!(step(0.3 + 1e-10, 100.0), 0.1);
        assert_eq!(step(0.3 + 1e-10, 1e6), NO_LATTICE);
        assert_eq!(step(1e-8, 1e3), NO_LATTICE);
    }

    #[test]
    fn next_drawing_value_reaches_the_target() {
        let mut skipped = 0;
        for seed in 0..60 {
            let mut draw = random_integer_generator(seed);
            let majority_weight = f64::from(1 + draw(10)) / 10.0;
            let box_cost = [0.5, 0.0, 0.377_77][seed as usize % 3];
            let goal = BoxObjective { n_boxes: 2, majority_weight, box_cost, ..BoxObjective::default() };
            let tariff = ObjectiveTerms::new(&goal, Some(20.0));
            let (codes, _) = draw_random_problem(&mut draw, 1, (5, 14), &goal, false);
            let boxes: Vec<BoxColumn> =
                list_all_boxes(&codes).into_iter().map(|at| BoxColumn::new(&codes, at)).collect();
            let boxes: Vec<&BoxColumn> = boxes.iter().filter(|column| !column.pos.is_empty()).collect();
            let value = |drawing: &[&BoxColumn]| {
                tariff.objective_value(&codes, &drawing.iter().copied().cloned().collect::<Vec<_>>())
            };
            let pairs: Vec<f64> =
                boxes.iter().flat_map(|one| boxes.iter().map(|two| value(&[*one, *two]))).collect();
            for best in boxes.iter().map(|one| value(&[*one])).chain(pairs.iter().copied()) {
                let need = tariff.min_improving_value_all_boxes(best, 0.0);
                assert!(need >= tariff.min_improving_value(best, 0.0) - 2e-7);
                skipped += u32::from(need > tariff.min_improving_value(best, 0.0) + 1e-9);
                let mut next = pairs.iter().copied().filter(|value| *value > best + 1e-9);
                assert!(next.all(|value| value >= need - 1e-9), "seed {seed}: {best} {need}");
            }
        }
        assert!(skipped > 100, "{skipped}");
    }
}

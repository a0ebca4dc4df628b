//! Coordinate ascent: finds good boxes, without a proof, by moving one side at a time.
//!
//! A side is the lower or upper bound of a box in one feature. Its candidates are the positions that the
//! search considers. Column generation needs many boxes and few proofs. For a side, only rows inside all
//! other sides matter. One scan over these rows, from the innermost candidate outwards, finds the best
//! candidate of the side. The sides are moved in turn until no move improves the box.

use crate::bit_set::BitSet;
use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::pricing_weights::PricingWeights;
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

const RISE: f64 = 1e-9;

pub(crate) struct CoordinateAscent<'a> {
    codes: &'a EncodedRows,
    prices: &'a PricingWeights,
    /// Groups of minority rows by the outermost position of the moved side that excludes them.
    ///
    /// `hit` has the groups of majority rows in the same way. Both have only groups that no other side
    /// excludes.
    covered: Vec<Vec<usize>>,
    hit: Vec<Vec<usize>>,
    /// Remaining reward of each group of minority rows that only the moved side can exclude.
    ///
    /// It is the reward minus the dual values of pairs with hit groups of majority rows. It can be negative.
    left: Vec<f64>,
    inside: Vec<bool>,
}

impl<'a> CoordinateAscent<'a> {
    pub(crate) fn new(codes: &'a EncodedRows, prices: &'a PricingWeights) -> Self {
        let most = codes.n_candidates.iter().copied().max().map_or(0, usize::from) + 1;
        Self {
            codes,
            prices,
            covered: vec![Vec::new(); most],
            hit: vec![Vec::new(); most],
            left: vec![0.0; codes.n_minority_groups()],
            inside: vec![false; codes.n_minority_groups()],
        }
    }

    /// Starts from the box `from` and moves its sides until no single move improves the value.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] if a limit is reached or the run is cancelled.
    pub(crate) fn ascend(&mut self, from: &BoxColumn, budget: &SearchBudget<'_>) -> Result<BoxColumn> {
        let n = self.codes.n_sides;
        let mut at = from.at.clone();
        let mut value = self.prices.box_value(self.codes, from);
        let (mut side, mut idle) = (0, 0);
        while idle < n {
            budget.check_limits()?;
            let (place, reached) = self.best_candidate_of_side(side, &at);
            idle += 1;
            if reached > value + RISE {
                (at[side], value, idle) = (place, reached, 1);
            }
            side = (side + 1) % n;
        }
        Ok(BoxColumn::new(self.codes, at))
    }

    /// Position of `side` that gives the box the largest value if no other side moves.
    ///
    /// Also returns this value. On ties the innermost of the best positions is returned.
    fn best_candidate_of_side(&mut self, side: usize, at: &[u16]) -> (u16, f64) {
        let codes = self.codes;
        let n_places = codes.n_candidates[side];
        let width =
            |side: usize, at: u16| codes.side_width.get(side).map_or(0.0, |widths| widths[usize::from(at)]);
        let (mut pos, mut neg) =
            (BitSet::full(codes.n_minority_groups()), BitSet::full(codes.n_majority_groups()));
        let mut value = 0.0;
        for (other, &place) in at.iter().enumerate().filter(|(other, _)| *other != side) {
            pos.intersect_words(codes.minority_groups_within_side(other, place));
            neg.intersect_words(codes.majority_groups_within_side(other, place));
            value += width(other, place);
        }
        self.covered.iter_mut().chain(&mut self.hit).for_each(Vec::clear);
        self.inside.fill(false);
        for p in pos.iter() {
            self.left[p] = self.prices.pos[p];
            self.covered[usize::from(codes.exclusions_of_minority_group(p)[side].min(n_places))].push(p);
        }
        for i in neg.iter() {
            self.hit[usize::from(codes.exclusions_of_majority_group(i)[side].min(n_places))].push(i);
        }
        let mut best = (n_places - 1, f64::NEG_INFINITY);
        for place in (0..n_places).rev() {
            for &i in &self.hit[usize::from(place) + 1] {
                value -= self.prices.neg[i];
                for &(p, price) in self.prices.pairs.pairs_of_majority_group(i) {
                    let p = usize::from(p);
                    if self.inside[p] {
                        value -= self.left[p].clamp(0.0, price);
                    }
                    self.left[p] -= price;
                }
            }
            for &p in &self.covered[usize::from(place) + 1] {
                self.inside[p] = true;
                value += self.left[p].max(0.0);
            }
            let worth = value + width(side, place);
            if worth > best.1 + RISE {
                best = (place, worth);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::problem::BoxObjective;
    use crate::exact::random_problems::{draw_random_problem, random_integer_generator};
    use imbcore_core::RunContext;
    use imbcore_core::budget::StoppingLimits;

    #[test]
    fn ascent_ends_in_a_coordinate_optimum() {
        let budget =
            SearchBudget::start("exact_boxes", StoppingLimits::default(), RunContext::silent()).unwrap();
        let mut moved = 0;
        for seed in 0..200 {
            let mut draw = random_integer_generator(seed);
            let goal =
                BoxObjective { expand: if seed % 3 == 0 { 0.25 } else { 0.0 }, ..BoxObjective::default() };
            let (codes, prices) = draw_random_problem(&mut draw, 3, (10, 24), &goal, seed % 2 == 0);
            let mut ascent = CoordinateAscent::new(&codes, &prices);
            let worth = |at: Vec<u16>| prices.box_value(&codes, &BoxColumn::new(&codes, at));
            for _ in 0..5 {
                let at = codes.n_candidates.iter().map(|&n| draw(n.into()) as u16).collect();
                let from = BoxColumn::new(&codes, at);
                let ended = ascent.ascend(&from, &budget).unwrap().at;
                let value = worth(ended.clone());
                assert!(value >= worth(from.at.clone()));
                moved += u32::from(ended != from.at);
                for side in 0..codes.n_sides {
                    for place in 0..codes.n_candidates[side] {
                        let mut other = ended.clone();
                        other[side] = place;
                        assert!(worth(other) <= value + 1e-6, "seed {seed}, side {side}");
                    }
                }
            }
        }
        assert!(moved > 500, "{moved} of 1000 boxes moved");
    }
}
